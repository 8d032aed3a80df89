import { timingSafeEqual } from "node:crypto";
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";
import type { DevHosts } from "#lib/kernel/dev-hosts.ts";
import { parsePublicHttpsUrl } from "#lib/kernel/endpoint-host.ts";
import { isPublicAddress } from "./addresses.ts";
import { type Connect, connectTcp, openTcp, secure, type Target } from "./probe-connection.ts";
import { fetchBody } from "./probe-exchange.ts";
import { ProbeFailed, type ProbeFailure } from "./probe-failure.ts";
import type { Resolve, ResolvedAddress } from "./resolve-host.ts";

export type { ProbeFailure } from "./probe-failure.ts";
export { type Resolve, type ResolvedAddress, systemResolve } from "./resolve-host.ts";

/** `detail` tells the operator in one sentence what to fix. It holds no address, and nothing that the server sent. */
export type ProbeResult = { ok: true } | { ok: false; reason: ProbeFailure; detail: string };

export type ReadResult = { ok: true; body: Buffer } | Exclude<ProbeResult, { ok: true }>;

export interface Prober {
  /**
   * Fetches `url` (https, port 443) once and compares its body, white space around it aside, with `expectedBody`.
   * Every failure of the other side is a result; rejects only with the reason of `signal`, or on an empty `expectedBody`.
   */
  probe(input: { url: string; expectedBody: string; signal?: AbortSignal }): Promise<ProbeResult>;
  /** Fetches `url` in the same way and gives its body, which may be at most `maxBytes` long. */
  read(input: { url: string; maxBytes: number; accept: string; signal?: AbortSignal }): Promise<ReadResult>;
}

export interface ProberOptions {
  resolve: Resolve;
  /** Names that are served from these places in development. For exactly these names any address is accepted. */
  devHosts: DevHosts;
  /**
   * The demo's domains, and its authority (PEM; undefined until there is one). The authority is trusted for these names only, and
   * these names under no other.
   */
  demo?: { domains: DevHosts; authority: () => string | undefined } | undefined;
  /** For the whole probe, name resolution included. */
  deadlineMs?: number;
  /** The longest body that is read. */
  maxBytes?: number;
  /** Where public addresses are connected to. */
  connectPort?: number;
  /** PEM certificates of authorities that are trusted beside the default ones. */
  ca?: readonly string[];
  /** Opens the TCP connections; tests replace it to watch them. */
  connect?: Connect;
}

const MAX_TARGETS = 4;
/** A check takes at most 10 s, including its record and answer, for which half a second is reserved. */
const DEADLINE_MS = 9_500;

/**
 * A client for untrusted web servers. It resolves a name once, refuses it if any of its addresses is not
 * public, connects to one of those very addresses, checks the certificate for the name, follows no redirect, and reads
 * little and not for long.
 */
export function createProber(options: ProberOptions): Prober {
  const { deadlineMs = DEADLINE_MS, maxBytes = 4_096, connectPort = 443, connect = connectTcp } = options;
  const { resolve, devHosts, demo, ca } = options;
  const publicContext = createSecureContext({
    minVersion: "TLSv1.2",
    ...(ca === undefined ? {} : { ca: [...getCACertificates("default"), ...ca] }),
  });

  async function findTargets(host: string, signal: AbortSignal): Promise<Target[]> {
    const devHost = devHosts.get(host);
    if (devHost !== undefined) return [devHost];
    const addresses = await resolvePublic(host, resolve, signal);
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

  async function fetchPublic(url: string, signal: AbortSignal, what: Wanted): Promise<Buffer> {
    const target = readUrl(url);
    const { targets, secureContext } = findDemo(target.host) ?? {
      targets: await findTargets(target.host, signal),
      secureContext: publicContext,
    };
    const attemptMs = Math.ceil(deadlineMs / (targets.length + 1));
    const socket = await openTcp(target.host, targets, { connect, attemptMs, signal });
    try {
      const tls = await secure(socket, { host: target.host, secureContext, signal });
      return await fetchBody(tls, { ...target, ...what, signal });
    } finally {
      socket.destroy();
    }
  }

  /** Runs `work` within the deadline. What the other side did wrong becomes a result. */
  async function attempt<Result extends { ok: true }>(
    url: string,
    callerSignal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result | Exclude<ProbeResult, { ok: true }>> {
    callerSignal?.throwIfAborted();
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), deadlineMs);
    try {
      return await work(callerSignal ? AbortSignal.any([callerSignal, deadline.signal]) : deadline.signal);
    } catch (error) {
      callerSignal?.throwIfAborted();
      if (deadline.signal.aborted) return timedOut(url, deadlineMs);
      if (error instanceof ProbeFailed) return { ok: false, reason: error.reason, detail: error.detail };
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async probe({ url, expectedBody, signal }) {
      if (expectedBody.trim() === "") throw new TypeError("expectedBody must not be empty");
      return attempt(url, signal, async (within) => {
        checkBody(await fetchPublic(url, within, { maxBytes, accept: "text/plain" }), expectedBody, url);
        return { ok: true };
      });
    },
    read({ url, signal, ...what }) {
      return attempt(url, signal, async (within) => ({ ok: true, body: await fetchPublic(url, within, what) }));
    },
  };
}

/** What is asked of the other side. */
type Wanted = { maxBytes: number; accept: string };

function readUrl(url: string): { url: string; host: string } {
  const parsed = parsePublicHttpsUrl(url);
  if (!parsed.ok) throw new ProbeFailed("refused_address", `The verification URL ${parsed.reason}.`);
  if (new URL(parsed.url).port !== "") {
    throw new ProbeFailed("refused_address", "The verification URL must use port 443: leave the port out.");
  }
  return parsed;
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

function checkBody(body: Buffer, expectedBody: string, url: string): void {
  // Latin-1 keeps every byte. A UTF-8 decoder would drop a byte order mark and replace invalid characters.
  const found = Buffer.from(body.toString("latin1").trim(), "latin1");
  const expected = Buffer.from(expectedBody.trim());
  if (found.length === expected.length && timingSafeEqual(found, expected)) return;
  const remedy = found.subarray(0, 3).equals(Buffer.from("\ufeff"))
    ? "begins with a byte order mark: save the file as plain text without one"
    : "does not hold the verification token: serve exactly that text";
  throw new ProbeFailed("mismatch", `The file at ${url} ${remedy}.`);
}

function timedOut(url: string, deadlineMs: number): Exclude<ProbeResult, { ok: true }> {
  const seconds = deadlineMs / 1_000;
  const detail = `${url} was not read within ${seconds} seconds: check its name servers, that port 443 is open, and that the server answers at once.`;
  return { ok: false, reason: "timeout", detail };
}
