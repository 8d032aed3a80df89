import { once } from "node:events";
import { connect as connectSocket, type Socket } from "node:net";
import { connect as connectTls, type SecureContext, type TLSSocket } from "node:tls";
import { errorCode, ProbeFailed } from "./probe-failure.ts";

/** One place to connect to: an IP address, never a name, so that nothing resolves a second time. */
export interface Target {
  address: string;
  port: number;
}

/** Begins a TCP connection. */
export type Connect = (target: Target) => Socket;

export const connectTcp: Connect = ({ address, port }) => connectSocket({ host: address, port, noDelay: true });

const REMEDIES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "its certificate has expired: renew it",
  CERT_NOT_YET_VALID: "its certificate is not valid yet: correct its dates",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed: use one from a public certificate authority",
  SELF_SIGNED_CERT_IN_CHAIN:
    "its certificate comes from an unknown authority: use one from a public certificate authority",
  UNABLE_TO_GET_ISSUER_CERT: "its certificate chain is incomplete: serve the intermediate certificates too",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate chain is incomplete: serve the intermediate certificates too",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "its certificate does not lead to a known authority: serve the whole chain of a public certificate authority",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name: use one that names this host",
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not speak TLS there: serve HTTPS on port 443",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "it does not speak TLS there: serve HTTPS on port 443",
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: "it does not offer HTTP/1.1: enable that beside newer versions",
};

/**
 * Connects to the first target that accepts. Each but the last has `attemptMs` milliseconds, so that one dead address
 * does not use up the deadline of the next. Rejects with ProbeFailed "unreachable", or with an AbortError.
 */
export async function openTcp(
  host: string,
  targets: readonly Target[],
  { connect, attemptMs, signal }: { connect: Connect; attemptMs: number; signal: AbortSignal },
): Promise<Socket> {
  for (const [index, target] of targets.entries()) {
    const isLast = index === targets.length - 1;
    const socket = connect(target);
    socket.on("error", ignore);
    try {
      await once(socket, "connect", {
        signal: isLast ? signal : AbortSignal.any([signal, AbortSignal.timeout(attemptMs)]),
      });
      return socket;
    } catch {
      socket.destroy();
      signal.throwIfAborted();
    }
  }
  throw new ProbeFailed(
    "unreachable",
    `${host} accepts no connection: check that its web server runs and that port 443 is open to the internet.`,
  );
}

/**
 * Speaks TLS over `socket`, and checks that the certificate is trusted and names `host`. Rejects with ProbeFailed "tls", or
 * with an AbortError; the caller destroys `socket`, which ends both.
 */
export async function secure(
  socket: Socket,
  { host, secureContext, signal }: { host: string; secureContext: SecureContext; signal: AbortSignal },
): Promise<TLSSocket> {
  // Said outright: NODE_TLS_REJECT_UNAUTHORIZED=0 must not loosen this check.
  const tls = connectTls({
    socket,
    servername: host,
    secureContext,
    rejectUnauthorized: true,
    ALPNProtocols: ["http/1.1"],
  });
  tls.on("error", ignore);
  socket.once("close", () => tls.destroy());
  try {
    await once(tls, "secureConnect", { signal });
    return tls;
  } catch (error) {
    tls.destroy();
    signal.throwIfAborted();
    throw tlsFailure(host, errorCode(error));
  }
}

/** The failure for a TLS error code. */
export function tlsFailure(host: string, code: string): ProbeFailed {
  const remedy =
    REMEDIES[code] ?? "the TLS handshake failed: check its certificate and that it offers TLS 1.2 or newer";
  return new ProbeFailed("tls", `No secure connection to ${host}, because ${remedy}.`);
}

// Errors are read where they are awaited; one that comes later, while a socket is being destroyed, means nothing.
function ignore(): void {}
