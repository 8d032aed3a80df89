import Link from "next/link";

/** The pages of the table, and the way back from a search to all of it. */
export function TablePager({
  page,
  pages,
  hrefOf,
  isNarrowed,
}: {
  page: number;
  pages: number;
  hrefOf: (page: number) => string;
  isNarrowed: boolean;
}) {
  if (pages === 1 && !isNarrowed) return null;
  return (
    <nav aria-label="Pages" className="flex items-baseline gap-6 py-3 text-13">
      {page > 1 ? (
        <Link href={hrefOf(page - 1)} rel="prev" prefetch={false} scroll={false}>
          ← Previous
        </Link>
      ) : null}
      {pages > 1 ? (
        <span className="text-muted">
          Page {page} of {pages}
        </span>
      ) : null}
      {page < pages ? (
        <Link href={hrefOf(page + 1)} rel="next" prefetch={false} scroll={false}>
          Next →
        </Link>
      ) : null}
      {isNarrowed ? (
        <Link href="/network" prefetch={false}>
          All agents
        </Link>
      ) : null}
    </nav>
  );
}
