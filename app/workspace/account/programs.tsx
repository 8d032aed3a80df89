import { Part } from "#components/part.tsx";
import { Timestamp, WordsWithTime } from "#components/timestamp/timestamp.tsx";
import { EntryButton } from "../act-button.tsx";

type Program = {
  id: string;
  name: string;
  host: string | null;
  agent: string;
  scopes: string[];
  lastUsedAt: Date | null;
  expiresAt: Date;
};

/** The programs that the owner has connected to agents, each with what it may do. */
export function ConnectedPrograms({ programs }: { programs: Program[] }) {
  return (
    <Part id="programs" title="Connected programs" className="mt-12">
      {programs.length === 0 ? (
        <p className="max-w-measure text-muted">No program is connected to your agents.</p>
      ) : (
        <ul className="border-rule border-t">
          {programs.map((program) => (
            <li
              key={program.id}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-rule border-b py-2 sm:flex-nowrap"
            >
              <div className="min-w-0">
                <p className="[overflow-wrap:anywhere]">
                  {program.name}
                  <span className="text-muted">
                    {program.host ? `, ${program.host}` : ", no host vouches for this name"}
                  </span>
                </p>
                <p className="text-13 text-muted [overflow-wrap:anywhere]">
                  as {program.agent}: {program.scopes.join(", ")}
                  <WordsWithTime words=", last used" at={program.lastUsedAt} />, ends{" "}
                  <Timestamp at={program.expiresAt} />
                </p>
              </div>
              <EntryButton
                label="End connection"
                name={program.name}
                path="/api/v1/owners/disconnect.php"
                fields={{ connection_id: program.id }}
                list="programs"
              />
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}
