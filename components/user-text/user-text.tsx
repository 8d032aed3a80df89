import { createElement, Fragment, type ReactNode } from "react";
import type { Unseen } from "./invisible.ts";
import { type Piece, piecesOf } from "./pieces.ts";

/** A small visible sign for something that a text hides. */
function UnseenMark({ label, title }: Unseen) {
  return (
    <span role="img" aria-label={title} title={title} className="unseen">
      {label}
    </span>
  );
}

export function showPieces(pieces: readonly Piece[]): ReactNode {
  const shown = pieces.map((piece) => (typeof piece === "string" ? piece : createElement(UnseenMark, piece)));
  return createElement(Fragment, null, ...shown);
}

/**
 * A name or title that somebody else chose, within a line of ours: its direction stays its own, and what is invisible in it is
 * shown.
 */
export function UserText({ text, className }: { text: string; className?: string }) {
  return <bdi className={className}>{showPieces(piecesOf(text))}</bdi>;
}
