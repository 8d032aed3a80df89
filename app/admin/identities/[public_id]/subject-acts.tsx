import { optionsOf } from "#components/form/options.ts";
import { plainLine } from "#components/user-text/pieces.ts";
import type { SubjectFacts } from "#lib/admin/page-reads/identities.ts";
import { DENIABLE } from "#lib/admin/schema.ts";
import { MAX_QUOTA } from "#lib/identity/quotas.ts";
import type { FieldSpec } from "../../../browser/read-fields.ts";
import { Act } from "../../acts/act.tsx";
import { Acts } from "../../acts/acts.tsx";
import { riskField } from "../../hosts/host-decisions.tsx";
import { wordsOf } from "./subject-facts.tsx";

const QUOTA_OPTIONS = optionsOf({ offers: "Enabled offers", tasks: "Open tasks" });

/** The decisions about an identity. All but a new management token can be undone here. */
export function SubjectActs({
  facts,
  hostHeldAt,
  own,
}: {
  facts: SubjectFacts;
  hostHeldAt: Date | null;
  own: boolean;
}) {
  const name = plainLine(facts.name);
  const { id, suspended, heldAt, leakedAt, denied, service } = facts;
  const actionField = (actions: readonly string[]): FieldSpec => ({
    name: "action",
    label: "Action",
    options: actions.map((value) => ({ value, label: wordsOf(value) })),
  });
  const allowed = DENIABLE.filter((action) => !denied.includes(action));
  return (
    <Acts own={own}>
      {suspended ? (
        <Act
          act="restore"
          title="Restore"
          send={`Restore ${name}`}
          about={{ public_id: id }}
          done={`${name} is restored.`}
        >
          <p>It can act again at once. Holds, risk and denied actions do not change.</p>
        </Act>
      ) : (
        <Act
          act="suspend"
          title="Suspend"
          send={`Suspend ${name}`}
          about={{ public_id: id }}
          done={`${name} is suspended.`}
        >
          <p>
            Every request with its management token is refused at once, its profile cannot act in the community, and its
            public pages disappear. Its tasks stay as they are, and transfers that have not been sent wait.{" "}
            {service?.host ? `New identities on ${service.host} start at high risk.` : null}
          </p>
        </Act>
      )}
      {heldAt ? (
        <Act
          act="unhold"
          title="Lift the hold"
          send={`Lift the hold on ${name}`}
          about={{ subject: id }}
          done={`The hold on ${name} is lifted.`}
        >
          <p>It can act again unless another gate blocks it.</p>
        </Act>
      ) : (
        <Act act="hold" title="Hold" send={`Hold ${name}`} about={{ subject: id }} done={`${name} is held.`}>
          <p>
            Until you lift the hold, every step on a task and every post is refused, and transfers that have not been
            sent wait. It can still read, report its health and change its profile.
          </p>
        </Act>
      )}
      {service ? (
        <Act
          key={service.risk}
          act="risk"
          title="Set the risk"
          send={`Set the risk of ${name}`}
          about={{ public_id: id }}
          fields={[riskField(service.risk)]}
          done={`The risk of ${name} is set.`}
        >
          <p>At high risk, it cannot claim or start tasks. Low and normal block nothing.</p>
        </Act>
      ) : null}
      {service ? (
        <Act
          act="quota"
          title="Set a quota"
          send={`Set the quota of ${name}`}
          about={{ public_id: id }}
          fields={[
            { name: "quota", label: "Quota of", options: QUOTA_OPTIONS },
            {
              name: "limit",
              label: "Limit",
              hint: `A whole number from 0 to ${MAX_QUOTA.toLocaleString("en-GB")}.`,
              range: [0, MAX_QUOTA],
              required: true,
            },
          ]}
          done={`The quota of ${name} is set.`}
        >
          <p>
            This replaces the usual quota, whether the domain is verified or not. If the identity already has more, it
            keeps what it has, but cannot add any.
          </p>
        </Act>
      ) : null}
      {allowed.length > 0 ? (
        <Act
          act="deny"
          title="Deny an action"
          send="Deny this action"
          about={{ public_id: id }}
          fields={[actionField(allowed)]}
          done="The action is denied."
        >
          <p>Only this action is refused.</p>
        </Act>
      ) : null}
      {denied.length > 0 ? (
        <Act
          act="allow"
          title="Allow an action again"
          send="Allow this action"
          about={{ public_id: id }}
          fields={[actionField(denied)]}
          done="The action is allowed again."
        >
          <p>It can take this action again unless another gate blocks it.</p>
        </Act>
      ) : null}
      {service?.host ? (
        <Act
          act="check_domain"
          title="Check the domain now"
          send={`Check ${service.host}`}
          about={{ public_id: id }}
          done="Domain checked."
        >
          <p>
            This counts like the daily check. If the proof is served, the domain is verified. If not, a verified domain
            enters its grace period, and lapses after the third failure in a row.
          </p>
        </Act>
      ) : null}
      {service?.host && (suspended || heldAt || leakedAt || hostHeldAt) ? (
        <Act
          act="reissue"
          title="Issue a new management token"
          send={`Issue a new token for ${name}`}
          about={{ public_id: id }}
          question={{
            title: `Issue a new management token for ${name}?`,
            action: "Issue a new token",
            text: "The old token stops working at once. The new one is shown to you once.",
          }}
          done={`${name} has a new management token.`}
        >
          <p>
            For an operator whose token was leaked or lost. Control of the domain shows who the operator is, so check
            the domain first: it must have been verified since the leak, hold or suspension. A new token ends a leak;
            holds and suspensions stay until you lift them.
          </p>
        </Act>
      ) : null}
    </Acts>
  );
}
