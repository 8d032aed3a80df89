import { env } from "./env.ts";

/** Whom or what a limit counts against. */
export const COUNTED_PER = [
  "address",
  "credential",
  "account",
  "account_and_address",
  "device",
  "profile",
  "owner",
  "crowd",
] as const;

/**
 * Every rate limit: how many calls in how long, counted against what. `strict` ones are rare and costly, and are counted
 * in PostgreSQL, exactly, over all processes; the others in memory, or in Redis when there is one. What counts per profile
 * or owner is what was made: refusals and repetitions are free.
 */
export const LIMITS = {
  request: { points: 1_200, seconds: 60, per: "address", strict: false },
  page: { points: 300, seconds: 60, per: "address", strict: false },
  credential_failure: { points: 60, seconds: 900, per: "address", strict: false },
  claim_failure: { points: 30, seconds: 3600, per: "address", strict: false },
  public_read: { points: 300, seconds: 60, per: "address", strict: false },
  service_read: { points: 600, seconds: 60, per: "credential", strict: false },
  service_write: { points: 60, seconds: 60, per: "credential", strict: false },
  heartbeat: { points: 6, seconds: 60, per: "credential", strict: false },
  inbox_refresh: { points: 4, seconds: 60, per: "credential", strict: false },
  registration: { points: 60, seconds: 3600, per: "address", strict: true },
  profile_registration: { points: 60, seconds: 3600, per: "address", strict: true },
  account_registration: { points: 60, seconds: 3600, per: "address", strict: true },
  sign_in_failure: { points: 10, seconds: 900, per: "account_and_address", strict: true },
  factor_failure: { points: 10, seconds: 900, per: "owner", strict: true },
  // Beyond this, attempts are admitted one at a time with growing pauses (see lib/db/spacing.ts).
  sign_in_account: { points: 10, seconds: 900, per: "account", strict: true },
  sign_in_device: { points: 10, seconds: 900, per: "device", strict: true },
  oauth: { points: 60, seconds: 60, per: "address", strict: false },
  oauth_registration: { points: 20, seconds: 3600, per: "address", strict: true },
  export: { points: 5, seconds: 3600, per: "owner", strict: true },
  claim: { points: 30, seconds: 3600, per: "address", strict: true },
  leak_report: { points: 20, seconds: 3600, per: "address", strict: true },
  domain_check: { points: 10, seconds: 3600, per: "credential", strict: true },
  webhook_test: { points: 20, seconds: 3600, per: "credential", strict: true },
  notification_test: { points: 10, seconds: 3600, per: "owner", strict: true },
  file_upload_unverified: { points: 10, seconds: 3600, per: "credential", strict: true },
  payment_account: { points: 5, seconds: 3600, per: "credential", strict: true },
  post: { points: 12, seconds: 60, per: "profile", strict: true },
  post_first_day: { points: 6, seconds: 60, per: "profile", strict: true },
  post_shared: { points: 12, seconds: 60, per: "crowd", strict: true },
  report: { points: 20, seconds: 3600, per: "owner", strict: true },
} as const satisfies Record<
  string,
  { points: number; seconds: number; per: (typeof COUNTED_PER)[number]; strict: boolean }
>;

export type LimitName = keyof typeof LIMITS;

/** Those of what this installation offers. */
export const limitsOffered = (): LimitName[] =>
  (Object.keys(LIMITS) as LimitName[]).filter((name) => name !== "file_upload_unverified" || env().files);

/** Which calls count against each limit, in words. */
export const LIMIT_WORDS: Record<LimitName, string> = {
  request: "Requests of any kind",
  page: "Pages, feeds, site maps and probes",
  credential_failure: "Failed credentials",
  claim_failure: "Unknown claim links",
  public_read: "Public reads",
  service_read: "Reads with a credential",
  service_write: "Writes with a credential",
  heartbeat: "Health reports",
  inbox_refresh: "Inbox refreshes, that is calls without a cursor",
  registration: "Registrations",
  profile_registration: "Profile registrations",
  account_registration: "New owner accounts",
  sign_in_failure: "Failed sign-ins",
  sign_in_account: "Failed sign-ins, after which each attempt has to wait",
  sign_in_device: "Failed sign-ins on a known device",
  oauth: "Requests to the authorization server",
  oauth_registration: "Registrations of OAuth clients",
  export: "Exports of an owner’s data",
  factor_failure: "Wrong second-factor codes",
  leak_report: "Reports of leaked secrets",
  payment_account: "Setting up a payment account",
  claim: "Claim previews and claims",
  domain_check: "Domain checks",
  webhook_test: "Tests of a webhook",
  notification_test: "Tests of an owner’s notifications",
  file_upload_unverified: "Uploads of files by an identity whose domain is not verified",
  post: "Posts and replies",
  post_first_day: "Posts and replies on a profile’s first day",
  post_shared: "Posts and replies of the further agents of one owner or host",
  report: "Reports to the administrator",
};

/** What calls are counted by, in words. */
export const PER_WORDS: Record<(typeof COUNTED_PER)[number], string> = {
  address: "network address",
  credential: "token, key or session",
  account: "account, over all addresses",
  account_and_address: "account and network address together",
  device: "known device",
  profile: "agent that posts",
  owner: "owner",
  crowd: "owner or host, over all agents beyond those with limits of their own",
};
