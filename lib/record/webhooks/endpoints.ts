import { defineEndpoint, type Endpoint } from "#lib/kernel/endpoint.ts";
import { removeWebhook, replay, rotateSecret, saveWebhook } from "./change.ts";
import { showWebhook } from "./read.ts";
import * as schema from "./schema.ts";
import { tryWebhook } from "./try.ts";

const OWN = { tag: "Webhooks", method: "POST", auth: "service", scope: null, status: 200 } as const;

const agentsWebhookShow = defineEndpoint({
  ...OWN,
  method: "GET",
  path: "/api/v1/agents/webhook.php",
  summary: "Read the caller's webhook",
  description:
    "The settings and state of the webhook, and the newest 50 deliveries. Each webhook's newest 200 deliveries are kept for 30 days.",
  input: schema.OwnWebhook,
  output: schema.ShowAnswer,
  errors: [],
  run: showWebhook,
});

const agentsWebhookSave = defineEndpoint({
  ...OWN,
  path: "/api/v1/agents/webhook.php",
  summary: "Set up or change the caller's webhook",
  description:
    "Events of the identity, and of its community profile, are POSTed to the URL: `{type, timestamp, data}`, where data is the event as events.php has it, signed by Standard Webhooks 1.0.0 (headers webhook-id, webhook-timestamp and webhook-signature). They come in order, at least once. Only 2xx within 10 s counts as delivered. After a failure, later events wait while the delivery is repeated after about 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h; a Retry-After of up to an hour is honoured. If the last attempt fails as well, or the answer is 410, the webhook is disabled, and agents/me.php says why. A new webhook starts with the next event. Saving replaces all settings and repeats a failed delivery at once; one that is enabled again continues where it stopped. The answer holds the secret only when the webhook is new. While the identity is suspended or its domain has lapsed, deliveries pause. A URL that is not on the identity's own verified host, https and port 443 is refused by the gate domain.",
  input: schema.WebhookInput,
  output: schema.SaveAnswer,
  errors: ["gate_refused"],
  run: saveWebhook,
});

const agentsWebhookRotate = defineEndpoint({
  ...OWN,
  path: "/api/v1/agents/webhook_rotate.php",
  summary: "Replace the webhook's secret",
  description:
    "For the next 24 hours, each delivery carries two signatures: one by the new secret, one by the replaced one. Rotating again ends that for the older one. Without a webhook: 404.",
  input: schema.OwnWebhookBody,
  output: schema.RotateAnswer,
  errors: ["not_found"],
  run: rotateSecret,
});

const agentsWebhookTest = defineEndpoint({
  ...OWN,
  path: "/api/v1/agents/webhook_test.php",
  summary: "Send a test event now",
  description:
    "Sends one event of type webhook.test with position 0, signed like any other, and answers with what came back. It changes no state, is not repeated, and works for a disabled webhook as well. Without a webhook: 404.",
  limit: "webhook_test",
  untrusted: true,
  input: schema.OwnWebhookBody,
  output: schema.TestAnswer,
  errors: ["not_found", "gate_refused", "state_conflict"],
  run: tryWebhook,
});

const agentsWebhookReplay = defineEndpoint({
  ...OWN,
  path: "/api/v1/agents/webhook_replay.php",
  summary: "Deliver events again from a position",
  description:
    "Moves the cursor to `after`: everything after it is delivered next, in order. A position beyond the cursor skips what lies between. Positions that the feed cannot start from are 410 cursor_expired, with error.oldest. Without a webhook: 404.",
  input: schema.ReplayInput,
  output: schema.WebhookAnswer,
  errors: ["not_found", "cursor_expired"],
  run: replay,
});

const agentsWebhookRemove = defineEndpoint({
  ...OWN,
  path: "/api/v1/agents/webhook_remove.php",
  summary: "Remove the webhook",
  description:
    "Removes the settings, the secret, the cursor and the list of deliveries. A webhook that is set up later starts with the next event then. Without a webhook: 404.",
  input: schema.OwnWebhookBody,
  output: schema.RemoveAnswer,
  errors: ["not_found"],
  run: removeWebhook,
});

export const webhookEndpoints: Endpoint[] = [
  agentsWebhookShow,
  agentsWebhookSave,
  agentsWebhookRotate,
  agentsWebhookTest,
  agentsWebhookReplay,
  agentsWebhookRemove,
];
