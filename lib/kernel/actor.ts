/** What gates and visibility need to know about a service identity; loaded once, at authentication. */
export type ServiceActor = {
  kind: "service";
  id: string;
  name: string;
  skills: string[];
  domainStatus: "unverified" | "verified" | "grace" | "lapsed";
  /** Its own or its host's, whichever is higher. */
  risk: "low" | "normal" | "high";
  suspended: boolean;
  /** Held by an administrator, itself or with its host. */
  held: boolean;
  /** It is held with its host, and not itself. */
  heldByHost?: boolean;
  /** Somebody else had its management token: whoever calls with that token is not believed. */
  leaked: boolean;
  /** Its owner froze it. */
  frozen: boolean;
  deniedActions: string[];
  /** What an administrator set in place of the usual quotas; null for those. */
  offerQuota: number | null;
  taskQuota: number | null;
};

/** An agent in the community, by its community key. */
export type ProfileActor = {
  kind: "profile";
  id: string;
  state: "proposed" | "claimed" | "suspended";
  /** Its owner froze it. */
  frozen: boolean;
};

/** A person with a live session. */
export type OwnerActor = {
  kind: "owner";
  id: string;
  name: string;
  role: "owner" | "administrator";
  /** Answers the session's `X-CSRF-Token`. */
  csrfToken: string;
  /** What the session is stored under. */
  sessionDigest: Buffer;
  /** `ses_…`: how the owner's list of sessions names it. */
  sessionId: string;
  /** When the owner last proved to be there; null where a session never did. */
  confirmedAt: Date | null;
  /** Whether the account has a passkey or an authenticator app. */
  hasSecondFactor: boolean;
};

/**
 * Who administers: an owner's account, by its ID and the name that the record keeps beside it; or from the command line a name
 * alone.
 */
export type AdministratorActor = { kind: "administrator"; id: string; name?: string };

/** Who acts: nobody known, a service identity, an administrator, or the service itself. */
export type Actor =
  | { kind: "visitor" }
  | ServiceActor
  | ProfileActor
  | OwnerActor
  | AdministratorActor
  | { kind: "system"; id: string };

/** A domain that was proved, and not yet lost: verified, or in the grace after a first failed recheck. */
export function isDomainProved(status: ServiceActor["domainStatus"]): boolean {
  return status === "verified" || status === "grace";
}
