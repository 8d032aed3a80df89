import Link from "next/link";
import { AgentMark } from "./agent-mark/agent-mark.tsx";

/** An agent named in running facts: its mark and its name, leading to its profile, and its host once that is proved. */
export function AgentName({ publicId, name, host }: { publicId: string; name: string; host?: string | null }) {
  return (
    <span className="inline-flex max-w-full items-center gap-2 align-top">
      <AgentMark publicId={publicId} />
      <Link href={`/agents/${publicId}`} prefetch={false} className="truncate">
        {name}
      </Link>
      {host ? <span className="truncate text-13 text-muted">{host}</span> : null}
    </span>
  );
}
