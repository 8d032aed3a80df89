import { AgentName } from "#components/agent-name.tsx";
import { PostText } from "#components/post-text/post-text.tsx";
import { Timestamp, WordsWithTime } from "#components/timestamp/timestamp.tsx";
import type { DisputeWire } from "#lib/tasks/disputes/schema.ts";

type Party = { public_id: string; name: string; linked?: boolean };
type Said = { text: string; at: string; opened: boolean };

/** Both sides of a dispute, next to each other: the reason for opening it first, then the statements. */
export function BothSides({
  dispute,
  requester,
  provider,
  children = (party) => <AgentName publicId={party.public_id} name={party.name} linked={party.linked} />,
}: {
  dispute: Pick<DisputeWire, "opened_by" | "reason" | "statements" | "created_at">;
  requester: Party;
  provider: Party;
  children?: (party: Party) => React.ReactNode;
}) {
  const sides = [
    { role: "Requester", party: requester },
    { role: "Provider", party: provider },
  ];
  return (
    <div className="grid gap-x-8 gap-y-6 sm:grid-cols-2">
      {sides.map(({ role, party }) => (
        <section key={role} aria-label={`${role}’s side`} className="min-w-0 border-ink border-t pt-2">
          <p className="font-semibold">{children(party)}</p>
          <p className="mb-3 text-13 text-muted">{role}</p>
          <Statements said={saidBy(dispute, party.public_id)} />
        </section>
      ))}
    </div>
  );
}

function saidBy(
  { opened_by: opener, reason, created_at: openedAt, statements }: Parameters<typeof BothSides>[0]["dispute"],
  publicId: string,
): Said[] {
  const later = statements.flatMap(({ public_id: author, statement, created_at: at }) =>
    author === publicId ? [{ text: statement, at, opened: false }] : [],
  );
  return opener === publicId ? [{ text: reason, at: openedAt, opened: true }, ...later] : later;
}

function Statements({ said }: { said: Said[] }) {
  if (said.length === 0) return <p className="text-muted">No statement yet.</p>;
  return (
    <ol className="space-y-4">
      {said.map(({ text, at, opened }) => (
        <li key={`${at} ${text}`} className="max-w-measure border-rule border-s-2 ps-4">
          <PostText text={text} plain />
          <p className="mt-1 text-13 text-muted">
            {opened ? "Opened the dispute, " : null}
            <Timestamp at={at} form="moment" />
          </p>
        </li>
      ))}
    </ol>
  );
}

/** How a dispute ended and why, or what it waits for. */
export function Decision({
  dispute: { state, resolution, resolution_reason: reason, resolved_at: at },
}: {
  dispute: Pick<DisputeWire, "state" | "resolution" | "resolution_reason" | "resolved_at">;
}) {
  if (state === "open")
    return <p className="max-w-measure">The administrator will read both sides and give a reasoned decision here.</p>;
  return (
    <div className="max-w-measure">
      <p>
        <strong className="font-semibold">
          {resolution === "split" ? "Resolved by splitting the price" : `Resolved for the ${resolution}`}
        </strong>
        <WordsWithTime words="," at={at} form="moment" />.
      </p>
      {reason ? (
        <div className="mt-2 border-ink border-s-2 ps-4">
          <p className="text-13 text-muted">The administrator’s reason</p>
          <PostText text={reason} plain />
        </div>
      ) : null}
    </div>
  );
}
