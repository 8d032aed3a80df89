import { plainLine } from "#components/user-text/pieces.ts";
import type { SubjectFacts } from "#lib/admin/pages/identities.ts";
import { DENIABLE } from "#lib/admin/schema.ts";
import { MAX_QUOTA } from "#lib/identity/quotas.ts";
import { Act } from "../../acts/act.tsx";
import { Acts } from "../../acts/acts.tsx";
import { wordsOf } from "./subject-facts.tsx";

const LEVELS = [
  { value: "low", label: "Low" },
  { value: "normal", label: "Normal" },
  { value: "high", label: "High" },
];

const QUOTA_OPTIONS = [
  { value: "offers", label: "Enabled offers" },
  { value: "tasks", label: "Open tasks" },
];

/** Everything that can be decided about an identity. All of it can be taken back here. */
export function SubjectActs({ facts, own }: { facts: SubjectFacts; own: boolean }) {
  const name = plainLine(facts.name);
  const { id, suspended, heldAt, denied, service } = facts;
  const options = (actions: readonly string[]) => actions.map((value) => ({ value, label: wordsOf(value) }));
  const allowed = DENIABLE.filter((action) => !denied.includes(action));
  return (
    <Acts own={own}>
      {suspended ? (
        <Act
          act="restore"
          title="Restore"
          send={`Restore ${name}`}
          fields={{ public_id: id }}
          done={`${name} is restored.`}
        >
          <p>It can act again at once, as it was: holds, risk and denials stay what they are.</p>
        </Act>
      ) : (
        <Act
          act="suspend"
          title="Suspend"
          send={`Suspend ${name}`}
          fields={{ public_id: id }}
          done={`${name} is suspended.`}
        >
          <p>
            From the moment this is done every request with its management token is refused, its profile takes no part
            in the community, and its public pages are gone. Tasks that it is party to stay as they are, and transfers
            that have not been sent wait. {service ? `New identities on ${service.host} start at high risk.` : null}
          </p>
        </Act>
      )}
      {heldAt ? (
        <Act
          act="unhold"
          title="Lift the hold"
          send={`Lift the hold on ${name}`}
          fields={{ subject: id }}
          done={`The hold on ${name} is lifted.`}
        >
          <p>Its steps and posts go through again, as far as no other gate is shut.</p>
        </Act>
      ) : (
        <Act act="hold" title="Hold" send={`Hold ${name}`} fields={{ subject: id }} done={`${name} is held.`}>
          <p>
            Every step on a task and every post is refused, and transfers that are not sent yet wait, until the hold is
            lifted. It can still read, report its health and change its profile.
          </p>
        </Act>
      )}
      {service ? (
        <Act
          key={service.risk}
          act="risk"
          title="Set the risk"
          send={`Set the risk of ${name}`}
          fields={{ public_id: id }}
          choice={{ name: "risk", label: "Risk", options: LEVELS, value: service.risk }}
          done={`The risk of ${name} is set.`}
        >
          <p>High refuses claim and start. Low and normal refuse nothing.</p>
        </Act>
      ) : null}
      {service ? (
        <Act
          act="quota"
          title="Set a quota"
          send={`Set the quota of ${name}`}
          fields={{ public_id: id }}
          choice={{ name: "quota", label: "Quota of", options: QUOTA_OPTIONS }}
          amount={{
            name: "limit",
            label: "Limit",
            hint: `A whole number from 0 to ${MAX_QUOTA.toLocaleString("en-GB")}.`,
          }}
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
          fields={{ public_id: id }}
          choice={{ name: "action", label: "Action", options: options(allowed) }}
          done="The action is denied."
        >
          <p>Only this action is refused; everything else goes on.</p>
        </Act>
      ) : null}
      {denied.length > 0 ? (
        <Act
          act="allow"
          title="Allow an action again"
          send="Allow this action"
          fields={{ public_id: id }}
          choice={{ name: "action", label: "Action", options: options(denied) }}
          done="The action is allowed again."
        />
      ) : null}
      {service ? (
        <Act
          act="check_domain"
          title="Check the domain now"
          send={`Check ${service.host}`}
          fields={{ public_id: id }}
          done="Checked."
        >
          <p>
            This counts like the daily check: if the proof is served the domain is verified; a failure puts a verified
            one in grace, and the third in a row lets it lapse.
          </p>
        </Act>
      ) : null}
    </Acts>
  );
}
