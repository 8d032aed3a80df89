import { z } from "zod";
import { PublicId, Timestamp } from "#lib/kernel/fields.ts";
import { EventTypeFilter, MOST_FILTER_CHARACTERS } from "../event-filter.ts";

// What everyone who sets up or receives webhooks sees.

const MAX_URL_CHARACTERS = 500;
const MAX_TYPES = 50;

/** Only the form is judged here. Whether the identity may use the URL is a gate (see url.ts). */
const UrlInput = z
  .string()
  .superRefine((value, ctx) => {
    const problem = problemOf(value);
    if (problem) ctx.addIssue({ code: "custom", message: problem });
  })
  .meta({
    format: "uri",
    maxLength: MAX_URL_CHARACTERS,
    description:
      "Where to POST events: an https: URL of the identity's own verified host. Port 443, no user name or password. At most 500 characters.",
  });

function problemOf(value: string): string | undefined {
  const tooLong = `must have at most ${MAX_URL_CHARACTERS} characters, also when encoded`;
  if (value.length > MAX_URL_CHARACTERS) return tooLong;
  if (/[\s\p{Cc}\\]/u.test(value)) return "must not contain white space, control characters or backslashes";
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(value) || !URL.canParse(value)) return "must be an absolute URL";
  const { username, password, host, href } = new URL(value);
  if (username || password) return "must not contain a user name or password";
  if (!host) return "must name a host";
  return href.length > MAX_URL_CHARACTERS ? tooLong : undefined;
}

const Types = z
  .array(EventTypeFilter)
  .max(MAX_TYPES)
  .meta({
    description: `Which events to deliver: exact types, or prefixes such as \`task.*\`. Empty: all. At most ${MAX_TYPES} of up to ${MOST_FILTER_CHARACTERS} characters; duplicates are removed.`,
  });

const Own = { public_id: PublicId };

export const WebhookInput = z.strictObject({
  ...Own,
  url: UrlInput,
  types: Types.default([]),
  enabled: z.boolean().default(true).meta({
    description: "Whether to deliver. Default: true. Enabling again continues after the last delivered event.",
  }),
});
export const OwnWebhook = z.object(Own);
export const OwnWebhookBody = z.strictObject(Own);
export const ReplayInput = z.strictObject({
  ...Own,
  after: z.int().min(0).max(Number.MAX_SAFE_INTEGER).meta({
    description:
      "Position of an event: everything after it is delivered again. 0 starts at the first event, and is 410 cursor_expired once that is no longer kept; error.oldest then says where to start.",
  }),
});

export const OUTCOMES = [
  "delivered",
  "status",
  "gone",
  "redirect",
  "timeout",
  "dns",
  "refused_address",
  "unreachable",
  "tls",
  "invalid_answer",
] as const;
export type Outcome = (typeof OUTCOMES)[number];

const Secret = z.string().meta({
  description:
    "Secret; shown only once. whsec_ and the base64 form of the 32 bytes that sign (Standard Webhooks, HMAC-SHA256).",
});

export const Webhook = z
  .object({
    url: z.string().meta({ description: "Where events are POSTed to." }),
    types: z.array(z.string()).meta({ description: "The types and prefixes that are delivered; empty for all." }),
    enabled: z.boolean().meta({ description: "Whether events are delivered." }),
    state: z.enum(["active", "failing", "disabled"]).meta({
      description: "failing: the last attempt failed and will be repeated. disabled: nothing is delivered.",
    }),
    failing_since: Timestamp.nullable().meta({
      description: "When the present run of failed attempts began; null if the last attempt succeeded.",
    }),
    last_error: z.string().nullable().meta({
      description: "Why the last attempt failed, or why the webhook was disabled, as a sentence; null after a success.",
    }),
    next_attempt_at: Timestamp.nullable().meta({
      description: "When the failed delivery will be retried; null unless state is failing.",
    }),
    cursor: z.int().min(0).meta({
      description: "Position up to which events have been delivered, or skipped because of their type.",
    }),
  })
  .meta({
    id: "Webhook",
    description: "An identity's webhook: where its events are delivered, and whether deliveries succeed.",
  });

const WebhookDelivery = z
  .object({
    event_id: z.string().meta({ description: "ID of the event, sent as webhook-id: the same in every attempt." }),
    position: z.int().min(0).meta({ description: "Position of the event in the feed; 0 for webhook.test." }),
    attempt: z.int().min(1).meta({ description: "Number of this attempt at the event, from 1." }),
    at: Timestamp.meta({ description: "When the attempt began." }),
    status: z.int().min(100).max(999).nullable().meta({ description: "HTTP status of the answer; null without one." }),
    ms: z.int().min(0).meta({ description: "Duration in milliseconds." }),
    outcome: z.enum(OUTCOMES).meta({
      description:
        "Result of the attempt. The receiver answered: delivered (2xx), gone (410, which disables the webhook), redirect (3xx, which is not followed), status (any other status), invalid_answer (not valid HTTP/1.1). It did not answer: timeout (within 10 seconds), dns (the host name could not be resolved), refused_address (the name has a private or special address), unreachable (the connection failed), tls (the handshake or the certificate check failed).",
    }),
  })
  .meta({ id: "WebhookDelivery", description: "One attempt to deliver an event." });

export const ShowAnswer = z.object({
  webhook: Webhook.nullable().meta({ description: "null if the identity has no webhook." }),
  deliveries: z.array(WebhookDelivery).meta({ description: "The newest 50 attempts, newest first." }),
});
const Current = Webhook.describe("The webhook as it is now.");

export const SaveAnswer = z.object({ webhook: Current, secret: Secret.optional() });
export const RotateAnswer = z.object({
  secret: Secret,
  old_secret_until: Timestamp.meta({
    description:
      "Until then, 24 hours from now, the replaced secret signs as well: webhook-signature has both signatures.",
  }),
});
export const TestAnswer = z.object({
  delivery: WebhookDelivery.describe("What was sent, and what came of it."),
  error: z.string().nullable().meta({ description: "Why the delivery failed, in a sentence; null if it did not." }),
  body: z.string().nullable().meta({
    description: "The first 1,000 characters of the answer's body, as the receiver wrote it; null without an answer.",
  }),
});
export const WebhookAnswer = z.object({ webhook: Current });
export const RemoveAnswer = z.object({
  removed: z.literal(true).meta({ description: "The webhook, its secret and its deliveries are gone." }),
});
