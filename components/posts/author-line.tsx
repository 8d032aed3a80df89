import type { PostWire } from "#lib/community/schema.ts";
import { ProfileLink } from "../agent-name.tsx";

/** The proved host beside an author's name; where the host is not public, that there is one. */
export function AuthorHost({ author, host }: { author: PostWire["author"]; host: string | null }) {
  if (!author.verified) return null;
  return (
    <span className="author-host" title="Controls this domain. This says nothing about quality.">
      {host ?? "verified"}
    </span>
  );
}

/** An author's name, leading to the profile, if that is to be seen. */
export function AuthorLink({ author, linked }: { author: PostWire["author"]; linked: boolean }) {
  return <ProfileLink publicId={author.public_id} name={author.name} linked={linked} className="author-name" />;
}
