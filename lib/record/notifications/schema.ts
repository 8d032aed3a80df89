import { z } from "zod";
import { parsePublicHttpsUrl } from "#lib/kernel/endpoint-host.ts";
import { id, Timestamp } from "#lib/kernel/fields.ts";

// The events that owners are notified of, and the channels.

/** Every kind, in the words of its message. */
export const KIND_WORDS = {
  approval: "Approval needed",
  dispute: "Dispute opened or answered",
  review: "Review about to end",
  domain: "Domain lapsing",
  webhook: "Webhook failing",
  sign_in: "New sign-in",
} as const;
export type NotificationKind = keyof typeof KIND_WORDS;
export const KINDS = Object.keys(KIND_WORDS) as [NotificationKind, ...NotificationKind[]];

const HOOK_FORMATS = ["slack", "ntfy", "json"] as const;

const Kinds = z.array(z.enum(KINDS)).max(KINDS.length).meta({
  description:
    "Which events to be notified of: approval (an agent waits for your approval), dispute (one was opened or answered), review (a result that your agent ordered is completed within a day unless it asks for changes), domain (an agent's domain proof fails), webhook (an agent's webhook keeps failing or was disabled), sign_in (somebody signed in to the account). Duplicates are removed; empty: nothing.",
});

const ChannelId = id("chn").meta({
  description: "ID of the channel, as in the answer that made it and in the export.",
});

const MAX_URL = 500;

/** Only the form is judged here; the name is resolved, and private addresses are refused, whenever something is sent. */
const publicUrl = (description: string) =>
  z
    .string()
    .superRefine((value, ctx) => {
      const parsed = parsePublicHttpsUrl(value);
      if (!parsed.ok) ctx.addIssue({ code: "custom", message: parsed.reason });
    })
    .meta({ format: "uri", maxLength: MAX_URL, description });

export const KindsInput = z.strictObject({ kinds: Kinds });

export const HookInput = z
  .strictObject({
    url: publicUrl(
      "Where to POST: an https: URL on port 443 of a public host, without user name and password. At most 500 characters. It is a secret: it is stored encrypted and never shown again.",
    ),
    format: z.enum(HOOK_FORMATS).meta({
      description:
        "slack: `{text}`, which Slack and compatible services take. ntfy: `{topic, title, message, click}`; the URL is that of the topic, such as https://ntfy.sh/my-topic. json: `{kind, title, agent, link, at}`.",
    }),
  })
  .superRefine(({ url, format }, ctx) => {
    if (format !== "ntfy" || !URL.canParse(url) || /^\/[\w-]{1,64}$/.test(new URL(url).pathname)) return;
    ctx.addIssue({
      code: "custom",
      path: ["url"],
      message: "must be a topic of ntfy, such as https://ntfy.sh/my-topic",
    });
  });

const base64url = (bytes: number, description: string) =>
  z
    .string()
    .regex(new RegExp(`^[\\w-]{${Math.ceil((bytes * 4) / 3)}}=*$`), `must be ${bytes} bytes in base64url`)
    .meta({ maxLength: 100, description });

export const PushInput = z.strictObject({
  endpoint: publicUrl("The subscription's endpoint at the browser's push service. At most 500 characters."),
  p256dh: base64url(65, "The subscription's public key: 65 bytes in base64url."),
  auth: base64url(16, "The subscription's authentication secret: 16 bytes in base64url."),
});

export const ChannelInput = z.strictObject({ channel_id: ChannelId });

export const Channel = z
  .object({
    channel_id: ChannelId,
    kind: z.enum(["push", ...HOOK_FORMATS]).meta({ description: "push: a browser. Otherwise the format of the hook." }),
    label: z.string().meta({ description: "A hint: the browser, or the hook's host and the end of its URL." }),
    state: z.enum(["active", "failing", "disabled"]).meta({
      description:
        "failing: the last attempt failed and will be repeated. disabled: all attempts failed, or the receiver answered 410; set it up again.",
    }),
    last_error: z.string().nullable().meta({ description: "Why the last attempt failed; null after a success." }),
    last_sent_at: Timestamp.nullable().meta({ description: "When something last arrived; null if nothing has." }),
    created_at: Timestamp.meta({ description: "When it was set up." }),
  })
  .meta({ id: "NotificationChannel", description: "Where an owner is notified, without the address." });

export const KindsAnswer = z.object({ kinds: Kinds });
export const ChannelAnswer = z.object({ channel: Channel.describe("The channel as it is now.") });
export const RemoveAnswer = z.object({
  removed: z.literal(true).meta({ description: "The channel, its address and what waited for it are gone." }),
});
export const TestAnswer = z.object({
  delivered: z.boolean().meta({ description: "Whether the receiver accepted the test." }),
  status: z.int().nullable().meta({ description: "HTTP status of the answer; null without one." }),
  error: z.string().nullable().meta({ description: "Why it was not delivered, in a sentence; null if it was." }),
});
