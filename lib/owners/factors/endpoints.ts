import { defineEndpoint, type Endpoint } from "#lib/kernel/endpoint.ts";
import { NoInput } from "../schema.ts";
import { NEEDS_CONFIRMATION } from "../sessions/confirmation.ts";
import { signInByPasskey } from "./passkey-sign-in.ts";
import { addPasskey, askForAnyPasskey, askForPasskey, beginPasskey, removePasskey } from "./passkeys.ts";
import { readFactors, renewRecoveryCodes } from "./read.ts";
import * as schema from "./schema.ts";
import { takeSecondStep } from "./second-step.ts";
import { stepUp } from "./step-up.ts";
import { beginTotp, confirmTotp, removeTotp } from "./totp.ts";

const tag = "Owners";
/** What the signed-in owner does in the browser. */
const ACT = { tag, method: "POST", auth: "owner_browser", status: 200 } as const;
/** What a session that awaits its second factor can do, and what a visitor who signs in can do. */
const SECOND_STEP = { ...ACT, auth: "owner_second_step" } as const;
const SIGN_IN = { ...ACT, auth: "public_browser" } as const;

const ownersFactors = defineEndpoint({
  method: "GET",
  path: "/api/v1/owners/factors.php",
  tag,
  summary: "Read the caller's second factors",
  description:
    "The passkeys, whether an authenticator app is set up, how many recovery codes are left, and how this session can be confirmed.",
  auth: "owner",
  untrusted: true,
  input: NoInput,
  output: schema.FactorsAnswer,
  status: 200,
  errors: [],
  run: readFactors,
});

const ownersTotpBegin = defineEndpoint({
  ...ACT,
  path: "/api/v1/owners/totp_begin.php",
  summary: "Begin to set up an authenticator app",
  description: `Answers with a new secret. It becomes a second factor when its first code is sent to \`owners/totp_confirm.php\`; beginning again replaces it. If an app is already set up: 409 \`state_conflict\`. ${NEEDS_CONFIRMATION}`,
  input: NoInput,
  output: schema.TotpBeginAnswer,
  errors: ["forbidden", "state_conflict"],
  run: beginTotp,
});

const ownersTotpConfirm = defineEndpoint({
  ...ACT,
  path: "/api/v1/owners/totp_confirm.php",
  summary: "Finish setting up an authenticator app",
  description: `If it is the account's first second factor, the answer has recovery codes and the account's other sessions end. ${NEEDS_CONFIRMATION}`,
  input: schema.TotpConfirmInput,
  output: schema.TotpConfirmAnswer,
  errors: ["forbidden", "state_conflict"],
  run: confirmTotp,
});

const ownersTotpRemove = defineEndpoint({
  ...ACT,
  path: "/api/v1/owners/totp_remove.php",
  summary: "Remove the authenticator app",
  description: `Removing the last second factor also deletes the recovery codes. Without an app: 409 \`state_conflict\`. ${NEEDS_CONFIRMATION}`,
  input: NoInput,
  output: schema.RemovedAnswer,
  errors: ["forbidden", "state_conflict"],
  run: removeTotp,
});

const ownersPasskeyOptions = defineEndpoint({
  ...ACT,
  path: "/api/v1/owners/passkey_options.php",
  summary: "Begin to add a passkey",
  description: `Answers with what the browser needs to create one. An account can have ${schema.MAX_PASSKEYS} passkeys; beyond that 409 \`quota_exceeded\`. ${NEEDS_CONFIRMATION}`,
  input: NoInput,
  output: schema.PasskeyOptionsAnswer,
  errors: ["forbidden", "quota_exceeded", "state_conflict"],
  run: beginPasskey,
});

const ownersPasskeyAdd = defineEndpoint({
  ...ACT,
  path: "/api/v1/owners/passkey_add.php",
  summary: "Add the passkey that the browser created",
  description: `If it is the account's first second factor, the answer has recovery codes and the account's other sessions end. ${NEEDS_CONFIRMATION}`,
  untrusted: true,
  input: schema.PasskeyAddInput,
  output: schema.PasskeyAddAnswer,
  errors: ["forbidden", "quota_exceeded", "state_conflict"],
  run: addPasskey,
});

const ownersPasskeyRemove = defineEndpoint({
  ...ACT,
  path: "/api/v1/owners/passkey_remove.php",
  summary: "Remove a passkey",
  description: `Removing the last second factor also deletes the recovery codes. ${NEEDS_CONFIRMATION}`,
  input: schema.PasskeyRemoveInput,
  output: schema.RemovedAnswer,
  errors: ["forbidden", "not_found"],
  run: removePasskey,
});

const ownersRecoveryCodes = defineEndpoint({
  ...ACT,
  path: "/api/v1/owners/recovery_codes.php",
  summary: "Replace the recovery codes",
  description: `Answers with ${schema.RECOVERY_CODES} new codes, shown only once; earlier ones stop working. Each code replaces the second factor once. Without a second factor: 409 \`state_conflict\`. ${NEEDS_CONFIRMATION}`,
  input: NoInput,
  output: schema.RecoveryCodesAnswer,
  errors: ["forbidden", "state_conflict"],
  run: renewRecoveryCodes,
});

const ownersSecondStepOptions = defineEndpoint({
  ...SECOND_STEP,
  path: "/api/v1/owners/second_step_options.php",
  summary: "Begin the second step of a sign-in with a passkey",
  description:
    "For a session that awaits its second factor and can do nothing else. Answers with what the browser needs to use one of the account's passkeys. An account without passkeys: 409 `state_conflict`.",
  input: NoInput,
  output: schema.SecondStepOptionsAnswer,
  errors: ["state_conflict"],
  run: (ctx) => askForPasskey(ctx, "second_step"),
});

const ownersSecondStep = defineEndpoint({
  ...SECOND_STEP,
  path: "/api/v1/owners/second_step.php",
  summary: "Complete a sign-in with the second factor",
  description:
    "Send exactly one of the fields. Replaces the session that awaits its second factor with a full one and sets its cookie. A wrong proof is 422 `invalid_input`. After 5 failed attempts the session ends (401 `invalid_credential`). After 10 wrong codes within 15 minutes for the account, from any address, codes are refused until the 15 minutes are over (429 `rate_limited`); passkeys are still accepted.",
  input: schema.SecondStepInput,
  output: schema.SecondStepAnswer,
  errors: [],
  run: takeSecondStep,
});

const ownersStepUpOptions = defineEndpoint({
  ...ACT,
  path: "/api/v1/owners/step_up_options.php",
  summary: "Begin to confirm the session with a passkey",
  description:
    "Answers with what the browser needs to use one of the caller's passkeys. An account without passkeys: 409 `state_conflict`.",
  input: NoInput,
  output: schema.SecondStepOptionsAnswer,
  errors: ["state_conflict"],
  run: (ctx) => askForPasskey(ctx, "step_up"),
});

const ownersStepUp = defineEndpoint({
  ...ACT,
  path: "/api/v1/owners/step_up.php",
  summary: "Confirm the session for 5 minutes",
  description:
    "Send exactly one of the fields: a second factor or, for an account without one, the password. Endpoints that need a confirmation refuse with 403 `forbidden`, reason `step_up_required`. A wrong proof is 422 `invalid_input`; a kind of proof that the account doesn't have is 409 `state_conflict`. Wrong codes and passwords count towards the same limits as at sign-in (429 `rate_limited`).",
  input: schema.StepUpInput,
  output: schema.StepUpAnswer,
  errors: ["state_conflict"],
  run: stepUp,
});

const ownersPasskeySignInOptions = defineEndpoint({
  ...SIGN_IN,
  path: "/api/v1/owners/passkey_sign_in_options.php",
  summary: "Begin to sign in with a passkey",
  description:
    "For the service's own sign-in page. It needs the service's exact Origin, but no session. Answers with what the browser needs to use a passkey.",
  input: NoInput,
  output: schema.SecondStepOptionsAnswer,
  errors: [],
  run: askForAnyPasskey,
});

const ownersPasskeySignIn = defineEndpoint({
  ...SIGN_IN,
  path: "/api/v1/owners/passkey_sign_in.php",
  summary: "Sign in with a passkey",
  description:
    "The passkey replaces password and second factor, so it must check its user (PIN, fingerprint, face). Sets the session's cookie. Needs the service's exact Origin. A passkey that is unknown or can't be verified is 401 `invalid_credential`; a disabled account is 403 `forbidden`, reason `account_disabled`.",
  input: schema.PasskeySignInInput,
  output: schema.PasskeySignInAnswer,
  errors: ["invalid_credential", "forbidden"],
  run: signInByPasskey,
});

export const factorEndpoints: Endpoint[] = [
  ownersFactors,
  ownersTotpBegin,
  ownersTotpConfirm,
  ownersTotpRemove,
  ownersPasskeyOptions,
  ownersPasskeyAdd,
  ownersPasskeyRemove,
  ownersRecoveryCodes,
  ownersSecondStepOptions,
  ownersSecondStep,
  ownersStepUpOptions,
  ownersStepUp,
  ownersPasskeySignInOptions,
  ownersPasskeySignIn,
];
