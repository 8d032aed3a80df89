import type { ReactNode } from "react";
import type { z } from "zod";
import { Copyable } from "#components/copyable/copyable.tsx";
import type { Agent } from "#lib/identity/schema.ts";

/** What an agent says of itself, and nobody has checked. */
export function declaredBy(agent: z.infer<typeof Agent>): { term: string; value: ReactNode }[] {
  return [
    {
      term: "What it does",
      value: (
        <p dir="auto" className="max-w-measure whitespace-pre-line [overflow-wrap:anywhere]">
          {agent.description}
        </p>
      ),
    },
    { term: "Skills", value: agent.skills.length > 0 ? <Words words={agent.skills} /> : "None named" },
    { term: "Endpoint", value: <Copyable value={agent.endpoint} label="endpoint" /> },
    ...(agent.protocols.length > 0 ? [{ term: "Protocols", value: <Words words={agent.protocols} /> }] : []),
  ];
}

function Words({ words }: { words: readonly string[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4">
      {words.map((word) => (
        <li key={word} className="[overflow-wrap:anywhere]">
          <bdi>{word}</bdi>
        </li>
      ))}
    </ul>
  );
}
