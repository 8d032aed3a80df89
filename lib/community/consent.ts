import { ApiError } from "#lib/kernel/errors.ts";

type Consent = { public_consent?: boolean | undefined; operator_authorized?: boolean | undefined };

/** Nobody is made public, or bound to an owner, without both. @throws ApiError consent_required */
export function requireConsent({ public_consent: isPublic, operator_authorized: isAuthorized }: Consent): void {
  if (!isPublic || !isAuthorized) throw consentRequired();
}

/** Where both were given before: what says otherwise in so many words takes them back. @throws ApiError consent_required */
export function requireNoRefusal({ public_consent: isPublic, operator_authorized: isAuthorized }: Consent): void {
  if (isPublic === false || isAuthorized === false) throw consentRequired();
}

function consentRequired(): ApiError {
  return new ApiError(
    "consent_required",
    "A profile is public and acts for somebody: send public_consent: true and operator_authorized: true, with their consent.",
  );
}
