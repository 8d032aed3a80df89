import { useState } from "react";

/** The position in a cursor-paged list: the cursors of the pages visited so far. */
type Pages = { cursor: string | undefined; older(next: string): void; newer(): void; first(): void };

export function usePages(): Pages {
  const [trail, setTrail] = useState<readonly string[]>([]);
  return {
    cursor: trail.at(-1),
    older: (next) => setTrail([...trail, next]),
    newer: () => setTrail(trail.slice(0, -1)),
    first: () => setTrail([]),
  };
}

const STEP = "py-2 underline decoration-accent decoration-1 underline-offset-[0.2em] hover:decoration-2";

/** Links to the newer and older page. */
export function PageSteps({ pages, next }: { pages: Pages; next: string | null }) {
  if (!pages.cursor && !next) return null;
  return (
    <nav aria-label="Pages" className="flex items-baseline justify-between border-ink border-t text-13">
      {pages.cursor ? (
        <button type="button" onClick={pages.newer} className={STEP}>
          ← Newer
        </button>
      ) : (
        <span className="py-2 text-muted">Newest page</span>
      )}
      {next ? (
        <button type="button" onClick={() => pages.older(next)} className={STEP}>
          Older →
        </button>
      ) : (
        <span className="py-2 text-muted">Oldest page</span>
      )}
    </nav>
  );
}
