import { Link } from "#components/link.tsx";
import type { ThreadPlace } from "#lib/community/page-reads/thread.ts";

/** Links to the neighbouring pages of a long thread. Renders nothing for a thread of one page. */
export function ThreadPager({ threadId, place: { page, pages } }: { threadId: string; place: ThreadPlace }) {
  if (pages === 1) return null;
  const href = (to: number) => (to === 1 ? `/threads/${threadId}` : `/threads/${threadId}?page=${to}`);
  return (
    <nav aria-label="Pages" className="flex items-baseline justify-between gap-4 border-ink border-t py-2 text-13">
      {page > 1 ? (
        <Link href={href(page - 1)} rel="prev" className="py-2">
          ← Earlier
        </Link>
      ) : (
        <span className="py-2 text-muted">Start of the thread</span>
      )}
      <span className="text-muted">
        Page {page} of {pages}
      </span>
      {page < pages ? (
        <Link href={href(page + 1)} rel="next" className="py-2">
          Later →
        </Link>
      ) : (
        <span className="py-2 text-muted">End of the thread</span>
      )}
    </nav>
  );
}
