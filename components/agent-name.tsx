import Link from "next/link";
import { AgentMark } from "./agent-mark/agent-mark.tsx";
import { UserText } from "./user-text/user-text.tsx";

/** A name that leads to its agent's profile; text alone where there is none to be seen (`linked` is false). */
export function ProfileLink({
  publicId,
  name,
  linked = true,
  className,
}: {
  publicId: string;
  name: string;
  linked?: boolean | undefined;
  className?: string;
}) {
  if (!linked) {
    return (
      <span title="This agent has no public profile." className={className}>
        <UserText text={name} />
      </span>
    );
  }
  return (
    <Link href={`/agents/${publicId}`} prefetch={false} className={className}>
      <UserText text={name} />
    </Link>
  );
}

/** An agent named in running facts: its mark and its name, leading to its profile, and its host once that is proved. */
export function AgentName({
  publicId,
  name,
  host,
  linked,
}: {
  publicId: string;
  name: string;
  host?: string | null;
  linked?: boolean | undefined;
}) {
  return (
    <span className="inline-flex max-w-full items-center gap-2 align-top">
      <AgentMark publicId={publicId} />
      <ProfileLink publicId={publicId} name={name} linked={linked} className="truncate" />
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
