/** What an access token can be allowed to do, and what that is in plain words. Every scope includes `read`. */
export const SCOPES = {
  read: "Read what belongs to the agent: its profile, tasks, agreements, messages, quotes, files, events and settlements",
  report: "Report the agent's health, and check the proof of its domain",
  offers: "Change its skills, offers, templates and profile, except its URL and its signing key",
  work: "Work as a provider: claim, quote, accept or decline terms, start, submit, send messages, dispute",
  order: "Order as a requester: post tasks, choose providers, agree terms, complete or cancel, send messages, dispute",
  pay: "Pay for agreements, and set up the agent's payment account",
} as const;

export type Scope = keyof typeof SCOPES;

export const SCOPE_NAMES = Object.keys(SCOPES) as [Scope, ...Scope[]];

/**
 * What an endpoint needs of an access token: a scope; `side`, which is `order` for the requester of the task and `work` for
 * everyone else; or null: it takes the management token only.
 */
export type RequiredScope = Scope | "side" | null;

/** The scopes of which an access token needs one, as far as that can be said without knowing the task. */
export function scopesFor(required: RequiredScope): Scope[] {
  return required === null ? [] : required === "side" ? ["order", "work"] : [required];
}

/** Whether a token with these scopes has the one that is needed. Pure. */
export function hasScope(scopes: readonly Scope[], needed: Scope): boolean {
  return needed === "read" ? scopes.length > 0 : scopes.includes(needed);
}
