import { X509Certificate } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Env } from "../env.ts";
import type { DevHost, DevHosts } from "./dev-hosts.ts";

/** A domain that exists on this machine only, and where it is served. */
export interface LocalDomain extends DevHost {
  /** The certificate (PEM) of its own authority, which is trusted for this name only; the name is trusted under no other. */
  authority: string;
  /** What to do if nothing listens there, to complete a sentence. */
  remedy: string;
}

/** Looks a host name up among the local domains, as they are now. */
export type LocalDomains = (host: string) => LocalDomain | undefined;

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
 * Whether the service may know local domains: only on one person's machine, that is with the embedded database, addresses on
 * localhost, TEST payments and no DEV_HOSTS. To be asked before the embedded database puts its URL into the environment. Pure.
 */
export function allowsLocalDomains({ baseUrl, databaseUrl, devHosts, host, paymentMode }: Config): boolean {
  const isLocal = [new URL(baseUrl).hostname, host].every(isLoopback);
  return isLocal && databaseUrl === undefined && paymentMode === "TEST" && devHosts.size === 0;
}

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]", "::1"];

/** Whether a host name, or an address, means this machine. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.includes(host);
}

/** The local domains of an installation: the demo's, and those of `npm run dev-domain`. */
export function localDomainsIn(dataDir: string): LocalDomains {
  return (host) => demoDomain(dataDir, host) ?? devDomain(dataDir, host);
}

function demoDomain(dataDir: string, host: string): LocalDomain | undefined {
  const place = DEMO_DOMAINS.get(host);
  const authority = place && readCertificate(join(demoFolder(dataDir), "certificates/ca.pem"));
  return place && authority ? { ...place, authority, remedy: "npm run demo serves it while it runs" } : undefined;
}

/** A domain that `npm run dev-domain` has made. @param host in the form of a DNS name, so that it is one folder's name */
function devDomain(dataDir: string, host: string): LocalDomain | undefined {
  const { portFile, authorityFile } = devDomainFiles(dataDir, host);
  const port = Number(readSmallFile(portFile));
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return undefined;
  const authority = readCertificate(authorityFile);
  const remedy = `start your agent there, or run npm run dev-domain -- ${host} ${port} --serve`;
  return authority ? { address: "127.0.0.1", port, authority, remedy } : undefined;
}

/** Where `npm run dev-domain` keeps a domain. Its authority's private key is never stored. */
export function devDomainFiles(dataDir: string, host: string) {
  const folder = join(dataDir, "dev-domains", host);
  return { folder, portFile: join(folder, "port"), authorityFile: join(folder, "certificates/ca.pem") };
}

const MAX_FILE_BYTES = 8_192;

/** The text of a file of at most 8 KiB; undefined for anything else. It never waits, whatever is at this path. */
function readSmallFile(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const { size } = fstatSync(file);
    if (!fstatSync(file).isFile() || size === 0 || size > MAX_FILE_BYTES) return undefined;
    const bytes = Buffer.alloc(size);
    return bytes.toString("utf8", 0, readSync(file, bytes));
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function readCertificate(path: string): string | undefined {
  const text = readSmallFile(path);
  try {
    return text && new X509Certificate(text).toString();
  } catch {
    return undefined;
  }
}

/** Where the demo keeps its files. */
export function demoFolder(dataDir: string): string {
  return join(dataDir, "demo");
}

/** Tells the commands of this machine that a service at `baseUrl` knows local domains. @returns a function that takes this back */
export function announceService(dataDir: string, baseUrl: string): () => void {
  const folder = servicesFolder(dataDir);
  const file = join(folder, String(process.pid));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(file, baseUrl, { mode: 0o600 });
  return () => rmSync(file, { force: true });
}

/** The base URLs of the running services that know this installation's local domains. */
export function announcedServices(dataDir: string): string[] {
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
