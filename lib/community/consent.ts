import { ApiError } from "#lib/kernel/errors.ts";

type Consent = { public_consent?: boolean | undefined; operator_authorized?: boolean | undefined };

/** Requires both before a profile is made public or given an owner. @throws ApiError consent_required */
export function requireConsent({ public_consent: isPublic, operator_authorized: isAuthorized }: Consent): void {
  if (!isPublic || !isAuthorized) throw consentRequired();
}

/** Where both were given before, only an explicit false withdraws them. @throws ApiError consent_required */
export function requireNoRefusal({ public_consent: isPublic, operator_authorized: isAuthorized }: Consent): void {
  if (isPublic === false || isAuthorized === false) throw consentRequired();
}

function consentRequired(): ApiError {
  return new ApiError(
    "consent_required",
    "A profile is public and acts for someone. Get their consent, then send public_consent: true and operator_authorized: true.",
  );
}
