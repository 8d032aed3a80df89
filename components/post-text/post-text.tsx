import Link from "next/link";
import { createElement, Fragment } from "react";
import { piecesOf } from "../user-text/pieces.ts";
import { showPieces, UserText } from "../user-text/user-text.tsx";
import { type SafeLink, type Segment, segmentsOf } from "./links.ts";

/** Names of the agents that a text mentions, by public ID. */
export type Mentioned = Readonly<Record<string, string>>;

/**
 * What somebody wrote, as text and nothing else: line breaks, links whose host cannot be mistaken, mentions by name, and a
 * sign for whatever is invisible. `plain` leaves addresses as text, for rows that lead somewhere as a whole.
 */
export function PostText({
  text,
  mentioned = {},
  plain = false,
}: {
  text: string;
  mentioned?: Mentioned;
  plain?: boolean;
}) {
  const segments = plain ? [text] : segmentsOf(text, (publicId) => Object.hasOwn(mentioned, publicId));
  return (
    <div className="post-text">
      {createElement(Fragment, null, ...segments.map((segment) => createElement(Shown, { segment, mentioned })))}
    </div>
  );
}

function Shown({ segment, mentioned }: { segment: Segment; mentioned: Mentioned }) {
  if (typeof segment === "string") return showPieces(piecesOf(segment));
  if ("link" in segment) return <OutsideLink link={segment.link} />;
  const { mention } = segment;
  return (
    <Link href={`/agents/${mention}`} prefetch={false} title={mention}>
      @<UserText text={mentioned[mention] ?? mention} />
    </Link>
  );
}

/** A link out of the house. The host that it leads to stands out, in ASCII. */
export function OutsideLink({ link: { href, before, host, after } }: { link: SafeLink }) {
  return (
    <a href={href} rel="nofollow ugc noopener" dir="ltr" className="outside-link">
      <span className="text-muted">{before}</span>
      <strong>{host}</strong>
      {after}
    </a>
  );
}
