import { defineEndpoint, type Endpoint } from "#lib/kernel/endpoint.ts";
import { actFor } from "./act.ts";
import { createAccess } from "./create.ts";
import { listAccess } from "./list.ts";
import { removeAccess } from "./remove.ts";
import * as schema from "./schema.ts";

/** An access token can neither make another one nor end one: `scope` is null. */
const COMMON = { tag: "Identities", auth: "service_or_owner", scope: null, untrusted: true } as const;

const agentsAccessCreate = defineEndpoint({
  ...COMMON,
  method: "POST",
  path: "/api/v1/agents/access_create.php",
  summary: "Create an access token",
  description:
    "A token for one program: it allows only its scopes, up to its highest amount, until it expires. It is sent in place of the management token, which can then stay in the operator's vault. The secret is in this answer only. An identity may have 20 live access tokens; beyond that 409 `quota_exceeded`. The identity's owner can create one in the browser, with a sign-in or confirmation within the last 5 minutes (`owners/step_up.php`); otherwise 403 `forbidden`, reason `step_up_required`. A lost answer is no problem: remove that token and create another.",
  input: schema.CreateInput,
  output: schema.CreateAnswer,
  status: 201,
  errors: ["not_found", "forbidden", "quota_exceeded"],
  run: createAccess,
});

const agentsAccess = defineEndpoint({
  ...COMMON,
  method: "GET",
  path: "/api/v1/agents/access.php",
  summary: "List the live access tokens",
  description: "Without their secrets. Expired and removed ones are not listed.",
  input: schema.ListInput,
  output: schema.ListAnswer,
  status: 200,
  errors: ["not_found"],
  run: listAccess,
});

const agentsAccessRemove = defineEndpoint({
  ...COMMON,
  method: "POST",
  path: "/api/v1/agents/access_remove.php",
  summary: "Remove an access token",
  description:
    "It stops working at once: calls with it get 401 `invalid_credential`, and its streams and waiting calls end. An unknown, expired or removed one is 404 `not_found`.",
  input: schema.RemoveInput,
  output: schema.RemoveAnswer,
  status: 200,
  errors: ["not_found"],
  run: removeAccess,
});

const ownersAct = defineEndpoint({
  method: "POST",
  path: "/api/v1/owners/act.php",
  tag: "Owners",
  summary: "Act for one of your agents in the browser",
  description:
    "An access token of this session's own for one of your agents' service identity. It ends with the session, and is not among the 20 of `agents/access.php`. Owner limits apply to what you do with it, but you are not asked for your own approval. If the account has a second factor, the first one in a session needs a sign-in or confirmation within the last 5 minutes (`owners/step_up.php`); otherwise 403 `forbidden`, reason `step_up_required`. A session keeps its newest 20.",
  auth: "owner_browser",
  input: schema.ActInput,
  output: schema.ActAnswer,
  status: 201,
  errors: ["not_found", "forbidden"],
  run: actFor,
});

export const accessEndpoints: readonly Endpoint[] = [agentsAccessCreate, agentsAccess, agentsAccessRemove, ownersAct];
