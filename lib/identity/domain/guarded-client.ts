import { createSecureContext, getCACertificates, type TLSSocket } from "node:tls";
import { parsePublicHttpsUrl } from "#lib/kernel/endpoint-host.ts";
import type { DevHosts } from "#lib/kernel/env/dev-hosts.ts";
import type { LocalDomain, LocalDomains } from "#lib/kernel/env/local-domains.ts";
import { isPublicAddress } from "./addresses.ts";
import { type Connect, connectTcp, openTcp, secure, type Target } from "./probe-connection.ts";
import { ProbeFailed } from "./probe-failure.ts";
import type { Resolve, ResolvedAddress } from "./resolve-host.ts";

export interface GuardOptions {
  resolve: Resolve;
  /** Names that are served from these places in development. For exactly these names any address is accepted. */
  devHosts: DevHosts;
  /** Domains that exist on this machine only. */
  local?: LocalDomains | undefined;
  /** Added to what is said about a name that leads to no public address. */
  advice?: ((host: string) => string) | undefined;
  /** Where public addresses are connected to. */
  connectPort?: number;
  /** PEM certificates of authorities that are trusted in addition to the default ones. */
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
  const { resolve, devHosts, ca, connectPort = 443, connect = connectTcp } = options;
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

  async function open<Result>(
    host: string,
    local: LocalDomain | undefined,
    visit: Visit,
    exchange: Exchange<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    const targets = local ? [local] : await findTargets(host, signal);
    const secureContext = local ? createSecureContext({ minVersion: "TLSv1.2", ca: [local.authority] }) : publicContext;
    const attemptMs = Math.ceil(visit.deadlineMs / (targets.length + 1));
    const socket = await openTcp(host, targets, { connect, attemptMs, signal }).catch((error: unknown) => {
      throw local && error instanceof ProbeFailed ? nothingListens(host, local) : error;
    });
    try {
      const tls = await secure(socket, { host, secureContext, signal });
      return await exchange(tls, { host, signal });
    } catch (error) {
      throw local && error instanceof ProbeFailed && error.reason === "tls" ? otherCertificate(host, local) : error;
    } finally {
      socket.destroy();
    }
  }

  return async (visit, exchange) => {
    visit.signal?.throwIfAborted();
    const host = hostOf(visit);
    const local = options.local?.(host);
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), visit.deadlineMs);
    const signal = visit.signal ? AbortSignal.any([visit.signal, deadline.signal]) : deadline.signal;
    try {
      return await open(host, local, visit, exchange, signal);
    } catch (error) {
      visit.signal?.throwIfAborted();
      if (deadline.signal.aborted) throw timedOut(visit, local);
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

function nothingListens(host: string, { address, port, remedy }: LocalDomain): ProbeFailed {
  return new ProbeFailed(
    "unreachable",
    `Nothing listens on ${address}:${port}, where ${host} is served on this machine: ${remedy}.`,
  );
}

function otherCertificate(host: string, { port }: LocalDomain): ProbeFailed {
  return new ProbeFailed(
    "tls",
    `What listens on port ${port} of this machine does not answer over HTTPS with the certificate of ${host}: use the certificate and key that were made for it.`,
  );
}

function timedOut({ url, deadlineMs }: Visit, local: LocalDomain | undefined): ProbeFailed {
  const seconds = deadlineMs / 1_000;
  const remedy = local
    ? `check that what listens on port ${local.port} of this machine answers at once`
    : "check its name servers, that port 443 is open, and that the server answers at once";
  return new ProbeFailed("timeout", `${url} was not read within ${seconds} seconds: ${remedy}.`);
}
