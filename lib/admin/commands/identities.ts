import { MAX_QUOTA } from "#lib/identity/quotas.ts";
import { checkDomain } from "../check-domain.ts";
import { hold, unhold } from "../hold.ts";
import { reissueToken } from "../reissue.ts";
import { allowAction, denyAction, setQuota, setRisk } from "../restrictions.ts";
import { DENIABLE, QUOTA_NAMES, RISKS } from "../schema.ts";
import { restoreIdentity, suspendIdentity } from "../suspension.ts";
import { checked, exampleId, oneOf, PUBLIC_ID, quotaLimit, subjectOf, TASK_ID } from "./arguments.ts";
import type { Command } from "./command.ts";
import { printIdentities } from "./lists.ts";

const AGENT = exampleId("agt");
const HOLDABLE = "PUBLIC_ID|TASK_ID|host:NAME";
const RATABLE = "PUBLIC_ID|host:NAME";

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
  suspend: {
    args: ["PUBLIC_ID"],
    summary: "refuse every request of an identity, and everything its profile does in the community",
    example: `suspend ${AGENT} --reason "Reported by its operator" --as alice`,
    changes: true,
    run: (ctx, [id], reason) => suspendIdentity(ctx, { publicId: checked("PUBLIC_ID", id, PUBLIC_ID), reason }),
  },
  unsuspend: {
    args: ["PUBLIC_ID"],
    summary: "lift a suspension: the identity and its profile can act again",
    example: `unsuspend ${AGENT} --reason "The operator has fixed it"`,
    changes: true,
    run: (ctx, [id], reason) => restoreIdentity(ctx, { publicId: checked("PUBLIC_ID", id, PUBLIC_ID), reason }),
  },
  hold: {
    args: [HOLDABLE],
    summary:
      "refuse all steps and posts of an identity or of every identity on a host, or all steps on a task, until unhold",
    example: 'hold host:example.com --reason "Under investigation"',
    changes: true,
    run: (ctx, [id], reason) => hold(ctx, { subjectId: subjectOf(HOLDABLE, id, PUBLIC_ID, TASK_ID), reason }),
  },
  unhold: {
    args: [HOLDABLE],
    summary: "lift a hold",
    example: 'unhold host:example.com --reason "Nothing was found"',
    changes: true,
    run: (ctx, [id], reason) => unhold(ctx, { subjectId: subjectOf(HOLDABLE, id, PUBLIC_ID, TASK_ID), reason }),
  },
  reissue: {
    args: ["PUBLIC_ID"],
    summary:
      "issue a new management token, printed once; the identity's token was reported as leaked, or it is held or suspended, and its domain was verified since",
    example: `reissue ${AGENT} --reason "Its token leaked"`,
    changes: true,
    run: (ctx, [id], reason) => reissueToken(ctx, { publicId: checked("PUBLIC_ID", id, PUBLIC_ID), reason }),
  },
  risk: {
    args: [RATABLE, "low|normal|high"],
    summary: 'set the risk of an identity, or of every identity on a host; "high" refuses claim and start',
    example: `risk ${AGENT} high --reason "Failed three tasks in a row"`,
    changes: true,
    run: (ctx, [id, risk], reason) =>
      setRisk(ctx, { publicId: subjectOf(RATABLE, id, PUBLIC_ID), risk: oneOf("RISK", risk, RISKS), reason }),
  },
  "check-domain": {
    args: ["PUBLIC_ID"],
    summary: "check an identity's domain now; counts like a scheduled check",
    example: `check-domain ${AGENT} --reason "Its token leaked"`,
    changes: true,
    run: (ctx, [id], reason) => checkDomain(ctx, { publicId: checked("PUBLIC_ID", id, PUBLIC_ID), reason }),
  },
  quota: {
    args: ["PUBLIC_ID", "offers|tasks", "N"],
    summary: `set how many enabled offers or open tasks an identity may have, 0 to ${MAX_QUOTA}, whether its domain is verified or not`,
    example: `quota ${AGENT} offers 200 --reason "A large catalogue"`,
    changes: true,
    run: (ctx, [id, quota, limit], reason) =>
      setQuota(ctx, {
        publicId: checked("PUBLIC_ID", id, PUBLIC_ID),
        quota: oneOf("QUOTA", quota, QUOTA_NAMES),
        limit: quotaLimit(limit),
        reason,
      }),
  },
  deny: {
    args: ["PUBLIC_ID", "ACTION"],
    summary: `deny an action to an identity: ${DENIABLE.join(", ")}`,
    example: `deny ${AGENT} claim --reason "Claims tasks and does not deliver"`,
    changes: true,
    run: (ctx, [id, action], reason) =>
      denyAction(ctx, {
        publicId: checked("PUBLIC_ID", id, PUBLIC_ID),
        action: oneOf("ACTION", action, DENIABLE),
        reason,
      }),
  },
  allow: {
    args: ["PUBLIC_ID", "ACTION"],
    summary: "allow a denied action again",
    example: `allow ${AGENT} claim --reason "Has promised to deliver"`,
    changes: true,
    run: (ctx, [id, action], reason) =>
      allowAction(ctx, {
        publicId: checked("PUBLIC_ID", id, PUBLIC_ID),
        action: oneOf("ACTION", action, DENIABLE),
        reason,
      }),
  },
};
