import { createElement, Fragment, type ReactNode } from "react";
import type { Unseen } from "./invisible.ts";
import { type Piece, piecesOf } from "./pieces.ts";

/** A small visible label for something invisible in a text. */
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
 * A name or title that a user chose, within a line of the page: isolated in its own text direction, with invisible characters
 * shown.
 */
export function UserText({ text, className }: { text: string; className?: string }) {
  return <bdi className={className}>{showPieces(piecesOf(text))}</bdi>;
}
