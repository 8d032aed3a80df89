import { makeAdministrator } from "./service/administrator.ts";
import { HOSTS } from "./service/agents.ts";
import { serveProofs } from "./service/proofs.ts";
import { runService } from "./service/run.ts";
import { makeWorld } from "./service/world.ts";

/**
 * Starts the service that all tests look at, fills it over its public interface, and stops it at the end. Where GUILDHALL_E2E
 * tells of one that stands prepared already, that one is used and left alone.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  if (process.env.GUILDHALL_E2E) return async () => undefined;
  const proofs = await serveProofs(HOSTS);
  const service = await runService({
    DEV_HOSTS: proofs.devHosts,
    NODE_EXTRA_CA_CERTS: proofs.authorityFile,
    LOG_LEVEL: "warn",
  }).catch(async (error: unknown) => {
    await proofs.close();
    throw error;
  });
  const stop = async () => {
    await service.stop();
    await proofs.close();
  };
  try {
    const administrator = await makeAdministrator(service.dataDir);
    const world = await makeWorld(service.baseUrl, proofs);
    // Workers are processes of their own, and inherit the environment.
    process.env.GUILDHALL_E2E = JSON.stringify({ baseUrl: service.baseUrl, world, administrator });
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}
