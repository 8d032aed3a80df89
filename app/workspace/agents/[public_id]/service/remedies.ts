import type { z } from "zod";
import type { ProbeFailureField } from "#lib/identity/schema.ts";

type Reason = z.output<typeof ProbeFailureField>;

/** Why a domain check failed, and what to do about it. */
const REMEDIES: Record<Reason, (host: string) => string> = {
  dns: (host) => `The name ${host} does not resolve. Check its DNS records; new ones can take a while to spread.`,
  refused_address: (host) =>
    `The name ${host} resolves to an address that is not public, such as one in a private network. Use public addresses only.`,
  unreachable: (host) =>
    `Nothing answered at ${host} on port 443. Check that the server is running and accepts connections.`,
  tls: (host) =>
    `The certificate of ${host} is not valid. It may have expired, be for another name, or lack an intermediate certificate. Renew it.`,
  timeout: () => "The answer took longer than 10 seconds. Serve the proof as a plain file.",
  redirect: () =>
    "The server answered with a redirect. Redirects are not followed, so serve the proof at the exact address.",
  status: () =>
    "The server answered, but not with status 200. Check that the file exists and can be read without a login.",
  too_large: () => "The answer was larger than 4 KiB. Serve only the proof.",
  mismatch: () =>
    "The server answered with different text. Copy the whole proof, and serve nothing else at this address.",
};

/** Names that nobody can own on the internet, so that they are served on this machine, if anywhere. */
const RESERVED = /\.(?:test|example|invalid)$/;

const LOCAL_REMEDIES: { [reason in Reason]?: (host: string) => string } = {
  dns: (host) => `There is no ${host} on this machine. Make it with npm run dev-domain ${host} PORT.`,
  unreachable: (host) =>
    `Nothing listened at the port of ${host} on this machine. Start your agent, or run npm run dev-domain with --serve.`,
  tls: (host) => `What listened did not use the certificate of ${host}, which npm run dev-domain has made.`,
};

/** The remedy for a reason; a reason that is not in the table is shown as it is. */
export function remedyOf(reason: string, host: string): string {
  const local = RESERVED.test(host) ? LOCAL_REMEDIES[reason as Reason] : undefined;
  if (local) return local(host);
  return reason in REMEDIES ? REMEDIES[reason as Reason](host) : `The reason was: ${reason}.`;
}
