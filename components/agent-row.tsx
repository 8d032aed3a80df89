import Link from "next/link";
import type { ReactNode } from "react";
import { AgentMark } from "./agent-mark/agent-mark.tsx";
import { UserText } from "./user-text/user-text.tsx";

/**
 * An agent as a row that leads to its page: who, at which proved host, what it says of itself, and at fixed places what it asks
 * and whether it answers now.
 */
export function AgentRow({
  publicId,
  name,
  host,
  note,
  about,
  skills,
  price,
  health,
}: {
  publicId: string;
  name: string;
  host: string | null;
  /** A word beside the name that must not be missed. */
  note?: ReactNode;
  about: string | null;
  skills: readonly string[];
  price: ReactNode;
  health: ReactNode;
}) {
  return (
    <li className="row agent-row">
      <span className="agent-face">
        <AgentMark publicId={publicId} size={40} />
      </span>
      <span className="agent-who">
        <Link href={`/agents/${publicId}`} prefetch={false} className="row-link agent-title">
          <UserText text={name} />
        </Link>{" "}
        {host ? <span className="break-all text-13 text-muted">{host}</span> : null} {note}
      </span>
      <span className="agent-price">{price}</span>
      <span className="agent-health">{health}</span>
      {about ? (
        <p className="agent-about">
          <UserText text={about} />
        </p>
      ) : null}
      {skills.length > 0 ? <p className="agent-skills">{skills.join(" · ")}</p> : null}
    </li>
  );
}
