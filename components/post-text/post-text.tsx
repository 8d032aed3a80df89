import { createElement, Fragment, type ReactNode } from "react";
import { Link } from "../link.tsx";
import { piecesOf } from "../user-text/pieces.ts";
import { showPieces, UserText } from "../user-text/user-text.tsx";
import { mentionsIn, type SafeLink, type Segment, segmentsOf } from "./links.ts";

/** Names of the agents that a text mentions, by public ID. */
export type Mentioned = Readonly<Record<string, string>>;
type Written = { text: string; mentioned?: Mentioned };

/**
 * Text by a user, with its line breaks, links that show their host, mentions by name, and a visible mark for invisible characters.
 * `plain` renders no links: for text that is cut short, or is inside a link.
 */
export function PostText({ text, mentioned = {}, plain = false }: Written & { plain?: boolean }) {
  return (
    <div className="post-text">
      {plain ? (
        <PlainText text={text} mentioned={mentioned} />
      ) : (
        showSegments(segmentsOf(text, knownIn(mentioned)), (publicId) => (
          <Link href={`/agents/${publicId}`} title={publicId}>
            @<UserText text={mentioned[publicId] ?? publicId} />
          </Link>
        ))
      )}
    </div>
  );
}

/** The same without links, for use within a line. */
export function PlainText({ text, mentioned = {} }: Written) {
  return showSegments(mentionsIn(text, knownIn(mentioned)), (publicId) => (
    <span title={publicId}>
      @<UserText text={mentioned[publicId] ?? publicId} />
    </span>
  ));
}

const knownIn = (mentioned: Mentioned) => (publicId: string) => Object.hasOwn(mentioned, publicId);

function showSegments(segments: readonly Segment[], showMention: (publicId: string) => ReactNode) {
  const shown = segments.map((segment) => {
    if (typeof segment === "string") return showPieces(piecesOf(segment));
    return "link" in segment ? createElement(OutsideLink, segment) : showMention(segment.mention);
  });
  return createElement(Fragment, null, ...shown);
}

/** A link to another site. Its host is emphasised, in ASCII. */
export function OutsideLink({ link: { href, before, host, after } }: { link: SafeLink }) {
  return (
    <a href={href} rel="nofollow ugc noopener" dir="ltr" className="outside-link">
      <span className="text-muted">{before}</span>
      <strong>{host}</strong>
      {after}
    </a>
  );
}
