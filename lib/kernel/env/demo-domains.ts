import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "../env.ts";
import type { DevHosts } from "./dev-hosts.ts";

/**
 * The two domains of `npm run demo`, at fixed ports of this machine. `.test` is reserved (RFC 6761), so nobody can own these names
 * on the internet.
 */
export const DEMO_DOMAINS: DevHosts = new Map([
  ["alpha.test", { address: "127.0.0.1", port: 9443 }],
  ["beta.test", { address: "127.0.0.1", port: 9444 }],
]);

type Config = Pick<Env, "baseUrl" | "databaseUrl" | "dataDir" | "devHosts" | "host" | "paymentMode">;

/**
 * Whether the service may know the demo's domains: only on one person's machine, that is with the embedded database, addresses on
 * localhost, TEST payments and no DEV_HOSTS. To be asked before the embedded database puts its URL into the environment. Pure.
 */
export function allowsDemo({ baseUrl, databaseUrl, devHosts, host, paymentMode }: Config): boolean {
  const isLocal = [new URL(baseUrl).hostname, host].every(isLoopback);
  return isLocal && databaseUrl === undefined && paymentMode === "TEST" && devHosts.size === 0;
}

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]", "::1"];

/** Whether a host name, or an address, means this machine. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.includes(host);
}

/** Where the demo keeps its files. */
export function demoFolder(dataDir: string): string {
  return join(dataDir, "demo");
}

/** The certificate (PEM) of the demo's own authority; undefined until a demo has made one. Its private key is never stored. */
export function demoAuthority(dataDir: string): string | undefined {
  try {
    return readFileSync(join(demoFolder(dataDir), "certificates/ca.pem"), "utf8");
  } catch {
    return undefined;
  }
}

/** Tells the demo that a service at `baseUrl` knows its domains. @returns a function that takes this back */
export function announceToDemo(dataDir: string, baseUrl: string): () => void {
  const folder = servicesFolder(dataDir);
  const file = join(folder, String(process.pid));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(file, baseUrl, { mode: 0o600 });
  return () => rmSync(file, { force: true });
}

/** The base URLs of the running services that know the demo's domains. */
export function servicesForDemo(dataDir: string): string[] {
  const folder = servicesFolder(dataDir);
  try {
    return readdirSync(folder)
      .filter((pid) => isAlive(Number(pid)))
      .map((pid) => readFileSync(join(folder, pid), "utf8"));
  } catch {
    return [];
  }
}

function servicesFolder(dataDir: string): string {
  return join(demoFolder(dataDir), "services");
}

/** A service that was killed leaves its file behind. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
