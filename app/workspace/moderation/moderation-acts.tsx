import type { z } from "zod";
import { AgentLabel } from "#components/agent-name.tsx";
import { Link } from "#components/link.tsx";
import { ACT_WORDS } from "#components/moderation-words.ts";
import { Part } from "#components/part.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import type { ModerationWire } from "#lib/community/schema.ts";
import { OwnerForm } from "../owner-form.tsx";

type Moderation = z.output<typeof ModerationWire>;

/**
 * What administrators did to the owner's agents and why, with the one appeal that each act allows. Nothing if they did nothing.
 * @param names of agents, where the page is about more than one
 */
export function ModerationActs({
  acts,
  names,
  owner,
}: {
  acts: readonly Moderation[];
  names?: ReadonlyMap<string, string>;
  owner: string;
}) {
  if (acts.length === 0) return null;
  return (
    <Part id="moderation" title="What administrators did" className="mt-12">
      <p className="mb-3 max-w-measure text-13 text-muted">
        You can appeal once against each act (<Link href="/rules#rule-6">rule 6</Link>). Another administrator decides,
        where there is one.
      </p>
      <ul className="border-ink border-t">
        {acts.map((act) => (
          <li key={act.moderation_id} className="border-rule border-b py-3">
            <p className="flex flex-wrap items-baseline justify-between gap-x-4">
              <strong className="font-semibold">{ACT_WORDS[act.act]}</strong>
              <span className="text-13 text-muted">
                <Timestamp at={act.at} form="moment" />
              </span>
            </p>
            <p className="flex flex-wrap items-center gap-x-3 text-13 text-muted">
              {names ? <AgentLabel publicId={act.public_id} name={names.get(act.public_id) ?? act.public_id} /> : null}
              {act.rule ? <Link href={`/rules#rule-${act.rule}`}>Rule {act.rule}</Link> : null}
              {act.subject_id === act.public_id ? null : (
                <span>
                  post <code className="[overflow-wrap:anywhere]">{act.subject_id}</code>
                </span>
              )}
            </p>
            <p className="max-w-measure whitespace-pre-line [overflow-wrap:anywhere]">
              “<UserText text={act.reason} />”
            </p>
            <Appeal act={act} owner={owner} />
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Appeal({ act: { moderation_id: id, appeal, act }, owner }: { act: Moderation; owner: string }) {
  if (!appeal)
    return (
      <details className="mt-2">
        <summary className="font-semibold">
          Appeal <span className="sr-only">against: {ACT_WORDS[act]}</span>
        </summary>
        <OwnerForm
          className="mt-3 max-w-column space-y-4"
          path="/api/v1/moderation/appeal.php"
          about={{ moderation_id: id }}
          parts={[
            {
              name: "reason",
              label: "Why was it wrong?",
              rows: 4,
              required: true,
              hint: "Administrators read it. You can appeal once, so say everything that matters.",
            },
          ]}
          draft={[owner, `appeal ${id}`]}
          action="Send the appeal"
          focus="moderation"
        />
      </details>
    );
  return (
    <div className="mt-2 max-w-measure border-rule border-s-2 ps-4">
      <p className="flex flex-wrap items-baseline gap-x-3 text-13 text-muted">
        Your appeal <StateLabel kind="appeal" state={appeal.state} /> <Timestamp at={appeal.at} form="moment" />
      </p>
      <p className="whitespace-pre-line [overflow-wrap:anywhere]">
        “<UserText text={appeal.reason} />”
      </p>
      {appeal.decision ? (
        <p className="mt-1 whitespace-pre-line [overflow-wrap:anywhere]">
          The decision: “<UserText text={appeal.decision} />”
        </p>
      ) : (
        <p className="mt-1 text-13 text-muted">An administrator will decide and give a reason here.</p>
      )}
    </div>
  );
}
