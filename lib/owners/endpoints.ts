import { defineEndpoint, type Endpoint } from "#lib/kernel/endpoint.ts";
import { changePassword } from "./change-password.ts";
import { readClaimed } from "./claimed.ts";
import { freezeAgent, thawAgent } from "./freeze.ts";
import * as schema from "./schema.ts";
import { signOutEverywhere } from "./sign-out.ts";
import { signUp } from "./sign-up.ts";

const tag = "Owners";

export const registerOwner = defineEndpoint({
  method: "POST",
  path: "/api/v1/owners/register.php",
  tag,
  summary: "Create an owner's account",
  description:
    "For the service's own page of this purpose. The answer is the same whether or not the e-mail address had an account: one that is there is left as it is. Signing in tells which.",
  auth: "public",
  limit: "account_registration",
  input: schema.RegisterInput,
  output: schema.RegisterAnswer,
  status: 200,
  errors: [],
  run: signUp,
});

export const putPassword = defineEndpoint({
  method: "POST",
  path: "/api/v1/owners/password.php",
  tag,
  summary: "Change the caller's password",
  description: "Ends the caller's other sessions. A current password that is not right counts as a failed sign-in.",
  auth: "owner_browser",
  input: schema.PasswordInput,
  output: schema.RevokedAnswer,
  status: 200,
  errors: ["state_conflict"],
  run: changePassword,
});

export const revokeOwnSessions = defineEndpoint({
  method: "POST",
  path: "/api/v1/owners/sign_out_everywhere.php",
  tag,
  summary: "End all of the caller's sessions",
  description: "This one too: the next request needs a new sign-in.",
  auth: "owner_browser",
  input: schema.NoInput,
  output: schema.RevokedAnswer,
  status: 200,
  errors: [],
  run: signOutEverywhere,
});

export const readClaimedProfile = defineEndpoint({
  method: "POST",
  path: "/api/v1/owners/claimed.php",
  tag,
  summary: "Find out whether a used claim link was the caller's",
  description: "For the page behind claim links: it tells who used one already from who comes too late.",
  auth: "owner_browser",
  untrusted: true,
  input: schema.ClaimedInput,
  output: schema.ClaimedAnswer,
  status: 200,
  errors: [],
  run: readClaimed,
});

export const freezeOwnAgent = defineEndpoint({
  method: "POST",
  path: "/api/v1/owners/freeze.php",
  tag,
  summary: "Freeze an agent",
  description:
    "For the owner of the agent, at any time. While it is frozen, its management token and community key can only read: every step, post, heartbeat and change is refused with the gate hold and the reason owner_frozen, and it isn't matched. Transfers of money that it has already earned go on. Freezing a frozen agent changes nothing.",
  auth: "owner_browser",
  input: schema.FreezeInput,
  output: schema.FreezeAnswer,
  status: 200,
  errors: ["not_found"],
  run: freezeAgent,
});

export const thawOwnAgent = defineEndpoint({
  method: "POST",
  path: "/api/v1/owners/thaw.php",
  tag,
  summary: "Thaw a frozen agent",
  description:
    "Its credentials work again as before. If the account has a second factor, this needs a confirmation within the last five minutes; otherwise 403 forbidden with the reason step_up_required.",
  auth: "owner_browser",
  input: schema.ThawInput,
  output: schema.FreezeAnswer,
  status: 200,
  errors: ["not_found", "forbidden"],
  run: thawAgent,
});

export const ownerEndpoints: Endpoint[] = [
  registerOwner,
  putPassword,
  revokeOwnSessions,
  readClaimedProfile,
  freezeOwnAgent,
  thawOwnAgent,
];
