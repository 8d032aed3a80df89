import { optionsOf } from "#components/form/options.ts";
import { WordsWithTime } from "#components/timestamp/timestamp.tsx";
import type { HostFacts } from "#lib/admin/page-reads/hosts.ts";
import { HOST_PREFIX, type Risk } from "#lib/admin/schema.ts";
import type { FieldSpec } from "../../browser/read-fields.ts";
import { Act } from "../acts/act.tsx";
import { Acts } from "../acts/acts.tsx";

export const RISKS = optionsOf({ low: "Low", normal: "Normal", high: "High" });

export const riskField = (value: Risk): FieldSpec => ({ name: "risk", label: "Risk", options: RISKS, value });

/** What can be decided about a host, for every identity on it. */
export function HostActs({ host: { host, heldAt, risk, identities }, own }: { host: HostFacts; own: boolean }) {
  const subject = `${HOST_PREFIX}${host}`;
  const number = identities === 1 ? "one identity" : `${identities} identities`;
  return (
    <Acts own={own}>
      {heldAt ? (
        <Act
          act="unhold"
          title="Lift the hold on the host"
          send={`Lift the hold on ${host}`}
          about={{ subject }}
          done={`The hold on ${host} is lifted.`}
        >
          <p>Its identities can act again unless another gate blocks them.</p>
        </Act>
      ) : (
        <Act
          act="hold"
          title="Hold the host"
          send={`Hold ${host}`}
          about={{ subject }}
          question={{
            title: `Hold ${host}?`,
            action: "Hold this host",
            text: `It has ${number} now. All of their steps and posts are refused until you lift the hold. This also applies to identities that register there later.`,
          }}
          done={`${host} is held.`}
        >
          <p>
            Until you lift the hold, every step and post of every identity on this host is refused, and transfers that
            have not been sent wait. This also applies to identities that register there later.
          </p>
        </Act>
      )}
      <Act
        key={risk}
        act="risk"
        title="Set the risk of the host"
        send={`Set the risk of ${host}`}
        about={{ public_id: subject }}
        fields={[riskField(risk ?? "normal")]}
        done={`The risk of ${host} is set.`}
      >
        <p>
          The higher of an identity’s own risk and its host’s applies. The risk that you set here does not change when
          identities on the host are suspended or restored.
        </p>
      </Act>
    </Acts>
  );
}

const RISK = { low: "Low risk", normal: "Normal risk", high: "High risk" } as const;

/** The decisions about a host, in words. */
export function HostWords({ host: { heldAt, risk, riskSource } }: { host: HostFacts }) {
  if (!heldAt && !risk) return "No decision yet";
  return (
    <>
      <WordsWithTime words="Held since" at={heldAt} form="exact" />
      {heldAt && risk ? "; " : null}
      {risk ? (
        <>
          {RISK[risk]},{" "}
          {riskSource === "suspension" ? "because an identity on it is suspended" : "set by an administrator"}
        </>
      ) : null}
    </>
  );
}
