import { makeAdministrator } from "./service/administrator.ts";
import { HOSTS } from "./service/agents.ts";
import { runProved } from "./service/proofs.ts";
import { makeWorld } from "./service/world.ts";

// A heartbeat counts for fifteen minutes, and the tests may take longer.
const REPORT_EVERY_MS = 240_000;

/**
 * Starts the service that most tests share, fills it through the API, and stops it at the end. If GUILDHALL_E2E describes a
 * prepared service, that one is used and not stopped.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  if (process.env.GUILDHALL_E2E) return async () => undefined;
  const { service, proofs, close } = await runProved(HOSTS, "warn");
  try {
    const [administrator, { world, report }] = await Promise.all([
      makeAdministrator(service.dataDir),
      makeWorld(service.baseUrl, proofs),
    ]);
    const reports = setInterval(() => void report().catch(console.error), REPORT_EVERY_MS);
    // Workers are processes of their own, and inherit the environment.
    process.env.GUILDHALL_E2E = JSON.stringify({ baseUrl: service.baseUrl, world, administrator });
    return () => {
      clearInterval(reports);
      return close();
    };
  } catch (error) {
    await close();
    throw error;
  }
}
