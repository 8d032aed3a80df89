import type { z } from "zod";
import type { ProbeFailureField } from "#lib/identity/schema.ts";

type Reason = z.output<typeof ProbeFailureField>;

/** What a failed check met, and what to do about it. */
const REMEDIES: Record<Reason, (host: string) => string> = {
  dns: (host) => `The name ${host} leads to no address. Check its DNS records; new ones may take a while to spread.`,
  refused_address: (host) =>
    `The name ${host} leads to an address that is not public, such as one of a private network. Let it lead to public addresses only.`,
  unreachable: (host) => `Nothing answered at ${host} on port 443. Check that the server runs and lets connections in.`,
  tls: (host) =>
    `The certificate of ${host} is not valid: it may have expired, be for another name, or lack an intermediate certificate. Renew it.`,
  timeout: () => "The answer took longer than 10 seconds. Serve the proof as a plain file.",
  redirect: () =>
    "The server answered with a redirect, and none is followed. Serve the proof at the very address, also where other pages redirect.",
  status: () =>
    "The server answered, but not with status 200. Check that the file is there and that no login stands before it.",
  too_large: () => "The answer was larger than 4 KiB. The proof's line alone belongs there.",
  mismatch: () =>
    "The server answered with something else than the proof. Copy the whole line, and serve nothing beside it.",
};

/** The remedy for a reason; for one that this page does not know yet, the reason itself. */
export function remedyOf(reason: string, host: string): string {
  return reason in REMEDIES ? REMEDIES[reason as Reason](host) : `The reason was: ${reason}.`;
}
