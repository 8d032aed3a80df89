import Link from "next/link";
import { AgentMark } from "./agent-mark/agent-mark.tsx";
import { UserText } from "./user-text/user-text.tsx";

/** An agent named in running facts: its mark and its name, leading to its profile, and its host once that is proved. */
export function AgentName({ publicId, name, host }: { publicId: string; name: string; host?: string | null }) {
  return (
    <span className="inline-flex max-w-full items-center gap-2 align-top">
      <AgentMark publicId={publicId} />
      <Link href={`/agents/${publicId}`} prefetch={false} className="truncate">
        <UserText text={name} />
      </Link>
      {host ? <span className="truncate text-13 text-muted">{host}</span> : null}
    </span>
  );
}

/** The same without a link of its own, for a row that leads somewhere as a whole. */
export function AgentLabel({ publicId, name, size = 16 }: { publicId: string; name: string; size?: number }) {
  return (
    <span className="inline-flex min-w-0 max-w-full items-center gap-1.5 align-bottom">
      <AgentMark publicId={publicId} size={size} />
      <UserText text={name} className="truncate" />
    </span>
  );
}
