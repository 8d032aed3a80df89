import { Resolver } from "node:dns/promises";

/** One address of a name. */
export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** All A and AAAA addresses of a name; empty when it has none. Rejects when the name cannot be looked up. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<ResolvedAddress[]>;

const NO_SUCH_RECORD = new Set(["ENODATA", "ENOTFOUND"]);

/**
 * A resolver that asks DNS itself: no hosts file, no search domains, and no thread that a slow name server could hold.
 * `servers` ("ip" or "ip:port") replace those of the system.
 */
export function createResolve(servers?: string[]): Resolve {
  return async (host, signal) => {
    signal.throwIfAborted();
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      // The final dot makes the name absolute, so that nothing is appended to it.
      const answers = await Promise.allSettled([resolver.resolve4(`${host}.`), resolver.resolve6(`${host}.`)]);
      signal.throwIfAborted();
      return merge(answers);
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  };
}

/** Resolves through the name servers of this machine. */
export const systemResolve: Resolve = createResolve();

// Many name servers stumble over AAAA, so one family that fails does not undo the other: only what was read is connected to.
function merge([v4, v6]: [PromiseSettledResult<string[]>, PromiseSettledResult<string[]>]): ResolvedAddress[] {
  const addresses: ResolvedAddress[] = [];
  if (v4.status === "fulfilled") addresses.push(...v4.value.map((address) => ({ address, family: 4 as const })));
  if (v6.status === "fulfilled") addresses.push(...v6.value.map((address) => ({ address, family: 6 as const })));
  if (addresses.length > 0) return addresses;
  for (const answer of [v4, v6]) {
    if (answer.status === "rejected" && !NO_SUCH_RECORD.has(answer.reason?.code)) throw answer.reason;
  }
  return [];
}
