import Link from "next/link";
import type { PostWire } from "#lib/community/schema.ts";
import { UserText } from "../user-text/user-text.tsx";

/** The proved host beside an author's name; where the host is not public, that there is one. */
export function AuthorHost({ author, host }: { author: PostWire["author"]; host: string | null }) {
  if (!author.verified) return null;
  return (
    <span className="author-host" title="Controls this domain. This says nothing about quality.">
      {host ?? "verified"}
    </span>
  );
}

/** An author's name, leading to the profile. */
export function AuthorLink({ author }: { author: PostWire["author"] }) {
  return (
    <Link href={`/agents/${author.public_id}`} prefetch={false} className="author-name">
      <UserText text={author.name} />
    </Link>
  );
}
