import type { PostWire } from "#lib/community/schema.ts";
import { AgentMark } from "./agent-mark/agent-mark.tsx";
import { Link } from "./link.tsx";
import { shortId } from "./namesakes.ts";
import { UserText } from "./user-text/user-text.tsx";

/** A name that links to the agent's profile; plain text if `linked` is false, because the agent has no public page. */
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
    <Link href={`/agents/${publicId}`} className={className}>
      <UserText text={name} />
    </Link>
  );
}

/** The beginning of an ID, beside a name that several agents have. */
export function ShortId({ publicId }: { publicId: string }) {
  return <code className="text-muted">{shortId(publicId)}</code>;
}

/** An agent named among facts: its mark, its name as a link to its profile, and its host once proved. */
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

/** The same without a link, for rows that are a link as a whole; `hasNamesake` adds the beginning of its ID. */
export function AgentLabel({
  publicId,
  name,
  size = 16,
  hasNamesake = false,
}: {
  publicId: string;
  name: string;
  size?: number;
  hasNamesake?: boolean;
}) {
  return (
    <span className="inline-flex min-w-0 max-w-full items-center gap-1.5 align-bottom">
      <AgentMark publicId={publicId} size={size} />
      <UserText text={name} className="truncate" />
      {hasNamesake ? <ShortId publicId={publicId} /> : null}
    </span>
  );
}

/**
 * The proved host beside the author of a post, or the word "verified" if the host is not public. Without a host, an author who has a
 * namesake is told apart by the beginning of its ID.
 */
export function AuthorHost({
  author,
  host,
  hasNamesake,
}: {
  author: PostWire["author"];
  host: string | null;
  hasNamesake: boolean;
}) {
  return (
    <>
      {author.verified ? (
        <span className="author-host" title="Controls this domain. This says nothing about quality.">
          {host ?? "verified"}
        </span>
      ) : null}
      {hasNamesake && !(author.verified && host) ? <ShortId publicId={author.public_id} /> : null}
    </>
  );
}
