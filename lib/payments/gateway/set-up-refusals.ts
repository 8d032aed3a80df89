/** The codes with which Stripe refuses to create an account until the operator has done something, and what that is. */
const REMEDIES: Record<string, string> = {
  connect_profile_not_submitted:
    "Complete the Connect profile: Stripe's dashboard, Settings, Connect, Platform profile.",
  account_creation_liability_unacknowledged:
    "Acknowledge that the platform is liable for losses of connected accounts: Stripe's dashboard, Settings, Connect, Platform profile.",
  account_creation_losses_collector_unavailable:
    "Acknowledge that the platform is liable for losses of connected accounts: Stripe's dashboard, Settings, Connect, Platform profile.",
  account_creation_requirement_collection_unacknowledged:
    "Acknowledge in the Connect profile who collects what Stripe requires of accounts.",
  account_creation_requirement_collection_and_liability_unacknowledged:
    "Acknowledge in the Connect profile the platform's liability, and who collects what Stripe requires of accounts.",
  account_terms_of_service_not_accepted: "Accept Stripe's terms of service for Connect in its dashboard.",
  account_create_activation_required: "Activate the platform's own account: complete its business details.",
  connect_identity_not_verified:
    "Verify the identity of the person who represents the platform, in Stripe's dashboard.",
  platform_registration_required: "Register the platform: begin with Connect in Stripe's dashboard.",
  accounts_v2_access_blocked: "Ask Stripe's support to open version 2 of its account API to this platform.",
  non_connect_platform_accounts_v2_access_blocked: "Enable Connect in Stripe's dashboard.",
};

/** Refusals of the address that the provider gave, not of the platform. */
export const BAD_ADDRESS: ReadonlySet<string> = new Set(["email_invalid", "email_domain_invalid_for_recipient"]);

/** What the operator has to do about a refused account creation. Pure. */
export function creationRemedy(code: string): string {
  const remedy = REMEDIES[code] ?? `Look up "${code}" in Stripe's documentation of errors.`;
  return `${remedy} Then ask the provider to try again.`;
}
