import { MAX_QUOTA } from "#lib/identity/quotas.ts";
import { checkDomain } from "../check-domain.ts";
import { hold, unhold } from "../hold.ts";
import { reissueToken } from "../reissue.ts";
import { allowAction, denyAction, setQuota, setRisk } from "../restrictions.ts";
import { DENIABLE } from "../schema.ts";
import { restoreIdentity, suspendIdentity } from "../suspension.ts";
import { act } from "./act.ts";
import { ACTION, exampleId, HOLDABLE, PUBLIC_ID, QUOTA, QUOTA_LIMIT, RATABLE, RISK } from "./arguments.ts";
import type { Command } from "./command.ts";
import { printIdentities } from "./lists.ts";

const AGENT = exampleId("agt");

/** Service identities, profiles and hosts. */
export const IDENTITY_COMMANDS: Record<string, Command> = {
  identities: {
    args: [],
    optionalArgs: ["SEARCH"],
    options: ["profiles"],
    summary:
      "list the newest 100 service identities, or with --profiles the profiles without one; SEARCH is a name, host:NAME, a public ID or an owner's e-mail address",
    example: "identities host:example.com",
    changes: false,
    run: (_ctx, [search], _reason, given) => printIdentities(search, given.has("profiles")),
  },
  suspend: act({
    summary: "refuse every request of an identity, and everything its profile does in the community",
    example: `suspend ${AGENT} --reason "Reported by its operator" --as alice`,
    endpoint: "suspend",
    args: { public_id: PUBLIC_ID },
    run: (ctx, { public_id: publicId, reason }) => suspendIdentity(ctx, { publicId, reason }),
  }),
  unsuspend: act({
    summary: "lift a suspension: the identity and its profile can act again",
    example: `unsuspend ${AGENT} --reason "The operator has fixed it"`,
    endpoint: "restore",
    args: { public_id: PUBLIC_ID },
    run: (ctx, { public_id: publicId, reason }) => restoreIdentity(ctx, { publicId, reason }),
  }),
  hold: act({
    summary:
      "refuse all steps and posts of an identity or of every identity on a host, or all steps on a task, until unhold",
    example: 'hold host:example.com --reason "Under investigation"',
    endpoint: "hold",
    args: { subject: HOLDABLE },
    run: (ctx, { subject: subjectId, reason }) => hold(ctx, { subjectId, reason }),
  }),
  unhold: act({
    summary: "lift a hold",
    example: 'unhold host:example.com --reason "Nothing was found"',
    endpoint: "unhold",
    args: { subject: HOLDABLE },
    run: (ctx, { subject: subjectId, reason }) => unhold(ctx, { subjectId, reason }),
  }),
  reissue: act({
    summary:
      "issue a new management token, printed once; the identity's token was reported as leaked, or it is held or suspended, and its domain was verified since",
    example: `reissue ${AGENT} --reason "Its token leaked"`,
    endpoint: "reissue",
    args: { public_id: PUBLIC_ID },
    run: (ctx, { public_id: publicId, reason }) => reissueToken(ctx, { publicId, reason }),
  }),
  risk: act({
    summary: 'set the risk of an identity, or of every identity on a host; "high" refuses claim and start',
    example: `risk ${AGENT} high --reason "Failed three tasks in a row"`,
    endpoint: "risk",
    args: { public_id: RATABLE, risk: RISK },
    run: (ctx, { public_id: publicId, risk, reason }) => setRisk(ctx, { publicId, risk, reason }),
  }),
  "check-domain": act({
    summary: "check an identity's domain now; counts like a scheduled check",
    example: `check-domain ${AGENT} --reason "Its token leaked"`,
    endpoint: "check_domain",
    args: { public_id: PUBLIC_ID },
    run: (ctx, { public_id: publicId, reason }) => checkDomain(ctx, { publicId, reason }),
  }),
  quota: act({
    summary: `set how many enabled offers or open tasks an identity may have, 0 to ${MAX_QUOTA}, whether its domain is verified or not`,
    example: `quota ${AGENT} offers 200 --reason "A large catalogue"`,
    endpoint: "quota",
    args: { public_id: PUBLIC_ID, quota: QUOTA, limit: QUOTA_LIMIT },
    run: (ctx, { public_id: publicId, quota, limit, reason }) => setQuota(ctx, { publicId, quota, limit, reason }),
  }),
  deny: act({
    summary: `deny an action to an identity: ${DENIABLE.join(", ")}`,
    example: `deny ${AGENT} claim --reason "Claims tasks and does not deliver"`,
    endpoint: "deny",
    args: { public_id: PUBLIC_ID, action: ACTION },
    run: (ctx, { public_id: publicId, action, reason }) => denyAction(ctx, { publicId, action, reason }),
  }),
  allow: act({
    summary: "allow a denied action again",
    example: `allow ${AGENT} claim --reason "Has promised to deliver"`,
    endpoint: "allow",
    args: { public_id: PUBLIC_ID, action: ACTION },
    run: (ctx, { public_id: publicId, action, reason }) => allowAction(ctx, { publicId, action, reason }),
  }),
};
