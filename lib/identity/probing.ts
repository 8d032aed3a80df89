import { env } from "#lib/kernel/env.ts";
import { createProber, type Prober, systemResolve } from "./prober.ts";

const shared = globalThis as { guildhallProber?: Prober };

/** The client that looks at other people's web servers. */
export function prober(): Prober {
  shared.guildhallProber ??= createProber({ resolve: systemResolve, devHosts: env().devHosts });
  return shared.guildhallProber;
}

/** Puts another prober in its place; without one, the real one comes back. */
export function replaceProber(double?: Prober): void {
  shared.guildhallProber = double;
}
