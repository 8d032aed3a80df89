import type { WireEvent } from "#lib/db/audit.ts";
import { CREDENTIAL_ENDED, type EventType, profileRecipient } from "#lib/kernel/event-types.ts";

/** An event about an agent, for itself: its identity, or its profile if it has no identity. */
export function agentEvent(
  type: Extract<EventType, `identity.${string}`>,
  publicId: string,
  data: WireEvent["data"] = {},
  kind: "identity" | "profile" = "identity",
): WireEvent {
  return { type, recipients: [kind === "identity" ? publicId : profileRecipient(publicId)], data };
}

/** The same for one access token. */
export const accessEnded = (accessId: string): WireEvent => ({ ...credentialEnded, data: { access_id: accessId } });

/** Ends the streams that were opened with a credential that no longer works. Nobody sees it. */
export const credentialEnded: WireEvent = { type: CREDENTIAL_ENDED, recipients: [], data: {} };
