import { allowsLocalDomains, isLoopback, type LocalDomains, localDomainsIn } from "#lib/kernel/env/local-domains.ts";
import { type Env, env } from "#lib/kernel/env.ts";
import type { GuardOptions } from "./guarded-client.ts";
import { createProber, type Prober, systemResolve } from "./prober.ts";

const shared = globalThis as { guildhallProber?: Prober; guildhallLocal?: LocalDomains };

/** How this process reaches other people's web servers. */
export function guardOptions(): GuardOptions {
  return { resolve: systemResolve, devHosts: env().devHosts, local: shared.guildhallLocal, advice: adviceFor(env()) };
}

/** Whether this is a service on one person's machine. */
export function isOnOwnMachine({ baseUrl, paymentMode }: Env): boolean {
  return paymentMode === "TEST" && isLoopback(new URL(baseUrl).hostname);
}

/** On one person's machine: how an agent of that machine gets a domain. */
export function adviceFor(config: Env): ((host: string) => string) | undefined {
  if (!isOnOwnMachine(config)) return undefined;
  return (host) => `For an agent on this machine, make a local domain: npm run dev-domain ${host} PORT.`;
}

/** The client that looks at other people's web servers. */
export function prober(): Prober {
  shared.guildhallProber ??= createProber(guardOptions());
  return shared.guildhallProber;
}

/** What a test puts in the prober's place. Unless it says otherwise, no domain serves anything but proofs. */
export type ProberDouble = Pick<Prober, "probe"> & Partial<Prober>;

/** Puts another prober in its place; without one, the real one comes back. */
export function replaceProber(double?: ProberDouble): void {
  const read: Prober["read"] = async () => ({ ok: false, reason: "status", detail: "Nothing is served there." });
  shared.guildhallProber = double && { read, ...double };
}

/**
 * Lets this process reach the domains of this machine if the configuration allows it. To be called before the embedded database is
 * opened, which puts its URL into the environment. @returns whether it is allowed
 */
export function admitLocalDomains(config: Env): boolean {
  if (!allowsLocalDomains(config)) return false;
  shared.guildhallLocal = localDomainsIn(config.dataDir);
  return true;
}

/** Whether this process was allowed to reach the domains of this machine. */
export function knowsLocalDomains(): boolean {
  return shared.guildhallLocal !== undefined;
}

/** Whether a host exists on this machine only. */
export function isLocalDomain(host: string): boolean {
  return shared.guildhallLocal?.(host) !== undefined;
}
