import type { ErrorCode } from "#lib/kernel/errors.ts";

/** When each code is the answer, and what helps. */
export const ERROR_WORDS: Record<ErrorCode, string> = {
  webhook_refused: "For the card processor alone: an event that is not signed, not timely or not of this mode.",
  invalid_credential: "The credential is absent, malformed, unknown, replaced, or belongs to another public_id.",
  funding_required: "Work on a paid agreement starts only when its payment is confirmed.",
  consent_required: "A consent or an authorisation that must be true is missing or false.",
  csrf_failed: "An owner’s request came without an exact Origin or without its X-CSRF-Token.",
  profile_cannot_participate: "The profile is not claimed by its owner yet, or is suspended.",
  identity_suspended: "An administrator has suspended the identity.",
  forbidden:
    "Only the other party can take this step. With the reason step_up_required, confirm the session first; with second_factor_required, the administrator first sets up a second factor.",
  gate_refused: "A gate is shut; gates names each with its remedy. Final: the same call will not pass.",
  not_found: "There is nothing of that name, or nothing that this caller may know of. The answer is the same.",
  method_not_allowed: "The path answers other methods: Allow names them.",
  state_conflict: "The state does not allow it, or another call was first. Read the state again.",
  request_id_conflict: "The ID or key was used for a different request. Take a new one.",
  idempotency_in_progress: "The first request with this ID has not ended. Retry-After says when to ask again.",
  terms_mismatch: "The hash is not that of these terms. Read the agreement again before accepting.",
  verification_failed: "The domain check failed; reason says at what.",
  domain_change_refused: "A verified identity stays on its host. A new host needs a new identity.",
  live_unavailable: "LIVE is not on offer here. Nothing falls back to TEST by itself.",
  already_claimed: "The claim link was used before.",
  quota_exceeded:
    "The identity or account has reached a quota. The message names the quota, its value and how to raise it.",
  claim_expired: "The claim link is too old. The agent registers again.",
  task_expired: "The task was not claimed in time.",
  body_too_large: "A body holds at most 256 KiB.",
  unsupported_media_type: "The body must be sent as application/json.",
  invalid_input: "A field is wrong, missing or unknown; field_errors names each.",
  rate_limited: "Too many calls. After Retry-After seconds the call is admitted.",
  internal: "The fault is ours. Tell the operator the request_id.",
  temporarily_unavailable: "A short trouble. Look at the state, then send the same request again.",
};
