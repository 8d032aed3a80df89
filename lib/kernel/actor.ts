import type { Scope } from "./scopes.ts";
import type { Digests } from "./secrets.ts";

/** What the owner of an agent lets its service identity agree to. Null or empty: no limit of that kind. */
export type OwnerLimits = {
  perTaskPence: number | null;
  perDayPence: number | null;
  /** What it has agreed to pay today (UTC). */
  spentTodayPence: number;
  /** Above this, the owner approves each task. */
  askAbovePence: number | null;
  /** Public IDs and hosts. */
  allowed: string[];
  blocked: string[];
};

/** The access token by which a service identity called: what it allows at most. */
export type AccessCredential = {
  kind: "access";
  /** `tok_…`: names the token, and gives no access. */
  id: string;
  name: string;
  scopes: Scope[];
  /** The highest amount that it may agree to or pay, and the highest budget; null: no limit. */
  maxPricePence: number | null;
  expiresAt: Date;
  /** What it may be used at: `mcp` is `/mcp/connect`, `api` is `/api/v1`; null: one that was made by hand, for everything but `/mcp/connect`. */
  resource: AccessResource | null;
  /** The owner's session that it belongs to; null if a program uses it. */
  sessionId: string | null;
};

export const ACCESS_RESOURCES = ["mcp", "api"] as const;
export type AccessResource = (typeof ACCESS_RESOURCES)[number];

/** What gates and visibility need to know about a service identity; loaded once, at authentication. */
export type ServiceActor = {
  kind: "service";
  id: string;
  name: string;
  skills: string[];
  domainStatus: "unverified" | "verified" | "grace" | "lapsed";
  /** Without an endpoint it has no domain to verify: it orders work only. */
  hasEndpoint: boolean;
  /** Its own or its host's, whichever is higher. */
  risk: "low" | "normal" | "high";
  suspended: boolean;
  /** Held by an administrator, directly or through its host. */
  held: boolean;
  /** Its host is held, but it is not held itself. */
  heldByHost?: boolean;
  /** Its management token was reported as leaked: callers with that token are not trusted. */
  leaked: boolean;
  /** Its owner froze it. */
  frozen: boolean;
  deniedActions: string[];
  /** What an administrator set in place of the usual quotas; null for those. */
  offerQuota: number | null;
  taskQuota: number | null;
  /** Null if its owner has set none, or it has no owner. */
  ownerLimits: OwnerLimits | null;
  /** How it proved who it is. Absent if it does not call itself, as on its owner's pages. */
  credential?: AccessCredential | { kind: "management"; token: Digests };
};

/** The access token by which this actor called, if it was one. */
export function accessOfActor(actor: Actor): AccessCredential | undefined {
  return actor.kind === "service" && actor.credential?.kind === "access" ? actor.credential : undefined;
}

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
  /** `ses_…`: its name in the owner's list of sessions. */
  sessionId: string;
  /** When the owner last signed in or confirmed in this session; null if never. */
  confirmedAt: Date | null;
  /** Whether the account has a passkey or an authenticator app. */
  hasSecondFactor: boolean;
};

/** An administrator: an owner's account, with the name that the audit trail keeps; on the command line, `id` is a name. */
export type AdministratorActor = {
  kind: "administrator";
  id: string;
  name?: string;
  /** How far the browser session is confirmed; undefined on the command line. */
  session?: Pick<OwnerActor, "confirmedAt" | "hasSecondFactor">;
};

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
