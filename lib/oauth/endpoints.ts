import { defineEndpoint, type Endpoint } from "#lib/kernel/endpoint.ts";
import { disconnect } from "./connections.ts";
import { decideConsent } from "./consent.ts";
import * as schema from "./schema.ts";

const COMMON = { method: "POST", tag: "Owners", auth: "owner_browser", status: 200 } as const;

const ownersConnect = defineEndpoint({
  ...COMMON,
  path: "/api/v1/owners/connect.php",
  summary: "Answer a program that asks to be connected",
  description:
    "For the consent page. The program gets access tokens for one of your agents, with the scopes that you choose and never more than it asked for. The scopes `order` and `pay` need a highest amount, and a sign-in or confirmation within the last 5 minutes (`owners/step_up.php`); otherwise 403 `forbidden`, reason `step_up_required`. An expired or answered request is 404 `not_found`. An account may have 50 connected programs; beyond that 409 `quota_exceeded`.",
  input: schema.ConnectInput,
  output: schema.ConnectAnswer,
  errors: ["not_found", "forbidden", "quota_exceeded"],
  run: decideConsent,
});

const ownersDisconnect = defineEndpoint({
  ...COMMON,
  path: "/api/v1/owners/disconnect.php",
  summary: "End the connection of a program",
  description: "Its tokens stop working at once, with their streams and waiting calls, and it gets no new ones.",
  input: schema.DisconnectInput,
  output: schema.DisconnectAnswer,
  errors: ["not_found"],
  run: disconnect,
});

export const oauthEndpoints: readonly Endpoint[] = [ownersConnect, ownersDisconnect];
