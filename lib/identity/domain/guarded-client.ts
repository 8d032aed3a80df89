import { createSecureContext, getCACertificates, type SecureContext, type TLSSocket } from "node:tls";
import { parsePublicHttpsUrl } from "#lib/kernel/endpoint-host.ts";
import type { DevHosts } from "#lib/kernel/env/dev-hosts.ts";
import { isPublicAddress } from "./addresses.ts";
import { type Connect, connectTcp, openTcp, secure, type Target } from "./probe-connection.ts";
import { ProbeFailed } from "./probe-failure.ts";
import type { Resolve, ResolvedAddress } from "./resolve-host.ts";

export interface GuardOptions {
  resolve: Resolve;
  /** Names that are served from these places in development. For exactly these names any address is accepted. */
  devHosts: DevHosts;
  /**
   * The demo's domains, and its authority (PEM; undefined until there is one). The authority is trusted for these names only, and
   * these names under no other.
   */
  demo?: { domains: DevHosts; authority: () => string | undefined } | undefined;
  /** Added to what is said about a name that leads to no public address. */
  advice?: ((host: string) => string) | undefined;
  /** Where public addresses are connected to. */
  connectPort?: number;
  /** PEM certificates of authorities that are trusted beside the default ones. */
  ca?: readonly string[];
  /** Opens the TCP connections; tests replace it to watch them. */
  connect?: Connect;
}

/** What a connection is for: its URL, how failures call the URL, and how long everything may take. */
interface Visit {
  url: string;
  /** Such as "verification URL". */
  urlName: string;
  /** For name resolution, connection and exchange together. */
  deadlineMs: number;
  signal?: AbortSignal | undefined;
}

/** An open connection: `host` is the URL's host name, `signal` ends with the deadline or with the caller's own. */
type Exchange<Result> = (tls: TLSSocket, place: { host: string; signal: AbortSignal }) => Promise<Result>;

/**
 * Opens one connection, has `exchange` use it, and closes it.
 * @throws ProbeFailed for every failure of the other side; the reason of the visit's `signal`
 */
type GuardedClient = <Result>(visit: Visit, exchange: Exchange<Result>) => Promise<Result>;

const MAX_TARGETS = 4;

/**
 * A client for untrusted web servers. For each visit it resolves the name once, refuses it if any of its addresses is not
 * public, connects to one of those very addresses on port 443, and checks the certificate for the name.
 */
export function createGuardedClient(options: GuardOptions): GuardedClient {
  const { resolve, devHosts, demo, ca, connectPort = 443, connect = connectTcp } = options;
  const publicContext = createSecureContext({
    minVersion: "TLSv1.2",
    ...(ca === undefined ? {} : { ca: [...getCACertificates("default"), ...ca] }),
  });

  async function findTargets(host: string, signal: AbortSignal): Promise<Target[]> {
    const devHost = devHosts.get(host);
    if (devHost !== undefined) return [devHost];
    const addresses = await resolvePublic(host, resolve, signal).catch((error: unknown) => {
      const said = options.advice?.(host);
      throw said && error instanceof ProbeFailed ? new ProbeFailed(error.reason, `${error.message} ${said}`) : error;
    });
    return alternate(addresses)
      .slice(0, MAX_TARGETS)
      .map(({ address }) => ({ address, port: connectPort }));
  }

  function findDemo(host: string): { targets: Target[]; secureContext: SecureContext } | undefined {
    const domain = demo?.domains.get(host);
    const authority = domain && demo?.authority();
    if (!domain || !authority) return undefined;
    return { targets: [domain], secureContext: createSecureContext({ minVersion: "TLSv1.2", ca: [authority] }) };
  }

  async function open<Result>(visit: Visit, exchange: Exchange<Result>, signal: AbortSignal): Promise<Result> {
    const host = hostOf(visit);
    const { targets, secureContext } = findDemo(host) ?? {
      targets: await findTargets(host, signal),
      secureContext: publicContext,
    };
    const attemptMs = Math.ceil(visit.deadlineMs / (targets.length + 1));
    const socket = await openTcp(host, targets, { connect, attemptMs, signal });
    try {
      const tls = await secure(socket, { host, secureContext, signal });
      return await exchange(tls, { host, signal });
    } finally {
      socket.destroy();
    }
  }

  return async (visit, exchange) => {
    visit.signal?.throwIfAborted();
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), visit.deadlineMs);
    const signal = visit.signal ? AbortSignal.any([visit.signal, deadline.signal]) : deadline.signal;
    try {
      return await open(visit, exchange, signal);
    } catch (error) {
      visit.signal?.throwIfAborted();
      if (deadline.signal.aborted) throw timedOut(visit);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };

  function hostOf({ url, urlName }: Visit): string {
    const parsed = parsePublicHttpsUrl(url);
    if (!parsed.ok) throw new ProbeFailed("refused_address", `The ${urlName} ${parsed.reason}.`);
    const { port } = new URL(parsed.url);
    if (port !== "" && Number(port) !== devHosts.get(parsed.host)?.port) {
      throw new ProbeFailed("refused_address", `The ${urlName} must use port 443: leave the port out.`);
    }
    return parsed.host;
  }
}

async function resolvePublic(host: string, resolve: Resolve, signal: AbortSignal): Promise<ResolvedAddress[]> {
  const addresses = await abortable(resolve(host, signal), signal).catch(() => {
    signal.throwIfAborted();
    throw new ProbeFailed("dns", `The name ${host} could not be looked up: check that its name servers answer.`);
  });
  if (addresses.length === 0) {
    throw new ProbeFailed("dns", `The name ${host} has no address: publish an A or AAAA record for it.`);
  }
  // One address that is not public refuses the whole name: it might lead to an internal host.
  if (!addresses.every(({ address }) => isPublicAddress(address))) {
    throw new ProbeFailed(
      "refused_address",
      `The name ${host} has an address that is not on the public internet: publish only public A and AAAA records for it.`,
    );
  }
  return addresses;
}

// IPv4 and IPv6 alternate, so that both are among the few addresses that are tried: this machine may reach only one.
function alternate(addresses: readonly ResolvedAddress[]): ResolvedAddress[] {
  const v4 = addresses.filter(({ family }) => family === 4);
  const v6 = addresses.filter(({ family }) => family === 6);
  return Array.from({ length: Math.max(v4.length, v6.length) }, (_, i) => [v4[i], v6[i]])
    .flat()
    .filter((address) => address !== undefined);
}

// A resolver may ignore its signal; the deadline must hold anyway.
function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

function timedOut({ url, deadlineMs }: Visit): ProbeFailed {
  const seconds = deadlineMs / 1_000;
  return new ProbeFailed(
    "timeout",
    `${url} was not read within ${seconds} seconds: check its name servers, that port 443 is open, and that the server answers at once.`,
  );
}
