import { defineEndpoint, type Endpoint } from "#lib/kernel/endpoint.ts";
import { NEEDS_FACTOR_CONFIRMATION } from "#lib/owners/sessions/confirmation.ts";
import { chooseKinds, removeChannel, saveHook, savePush, tryChannel } from "./channels.ts";
import * as schema from "./schema.ts";

const COMMON = { method: "POST", tag: "Owners", auth: "owner_browser" } as const;
const ownersNotificationKinds = defineEndpoint({
  ...COMMON,
  path: "/api/v1/owners/notification_kinds.php",
  summary: "Choose which notifications to get",
  description:
    "Applies to all channels of the caller, from the next event. Without a channel nothing is sent. A new account has all kinds chosen.",
  input: schema.KindsInput,
  output: schema.KindsAnswer,
  status: 200,
  errors: [],
  run: chooseKinds,
});

const ownersNotificationHook = defineEndpoint({
  ...COMMON,
  path: "/api/v1/owners/notification_hook.php",
  summary: "Set up the outgoing hook",
  description: `One for each owner: a new one replaces the old. A message says what kind, which agent, and a link; never a brief, an amount, or anything that decides. Only public addresses on port 443 are called, redirects are not followed, only 2xx within 10 s counts as delivered, and failures are repeated like those of an agent's webhook (POST agents/webhook.php), after which the hook is disabled. At most 100 messages wait; later ones are left out. ${NEEDS_FACTOR_CONFIRMATION}`,
  input: schema.HookInput,
  output: schema.ChannelAnswer,
  status: 201,
  errors: ["forbidden"],
  run: saveHook,
});

const ownersNotificationPush = defineEndpoint({
  ...COMMON,
  path: "/api/v1/owners/notification_push.php",
  summary: "Notify a browser",
  description: `Takes the subscription that a browser's PushManager has made with the key on the account page. Messages and retries are as for the hook; when the push service answers 404 or 410, the subscription is removed. An owner may have 10; beyond that 409 \`quota_exceeded\`. Where the service has no keys for Web Push: 409 \`state_conflict\`. ${NEEDS_FACTOR_CONFIRMATION}`,
  input: schema.PushInput,
  output: schema.ChannelAnswer,
  status: 201,
  errors: ["forbidden", "quota_exceeded", "state_conflict"],
  run: savePush,
});

const ownersNotificationRemove = defineEndpoint({
  ...COMMON,
  path: "/api/v1/owners/notification_remove.php",
  summary: "Remove the hook or a browser",
  description: "Ends it at once, with everything that waited for it. No confirmation is needed.",
  input: schema.ChannelInput,
  output: schema.RemoveAnswer,
  status: 200,
  errors: ["not_found"],
  run: removeChannel,
});

const ownersNotificationTest = defineEndpoint({
  ...COMMON,
  path: "/api/v1/owners/notification_test.php",
  summary: "Send a test notification now",
  description:
    "Sends one message of the kind `test` and says what came back. It is not repeated, and works for a disabled hook as well. A push service's 404 or 410 removes the subscription.",
  limit: "notification_test",
  input: schema.ChannelInput,
  output: schema.TestAnswer,
  status: 200,
  errors: ["not_found", "state_conflict"],
  run: tryChannel,
});

export const notificationEndpoints: readonly Endpoint[] = [
  ownersNotificationKinds,
  ownersNotificationHook,
  ownersNotificationPush,
  ownersNotificationRemove,
  ownersNotificationTest,
];
