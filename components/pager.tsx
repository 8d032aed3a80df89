import { Link } from "./link.tsx";

function Step({ href, rel, label, end }: { href: string | null; rel: "prev" | "next"; label: string; end: string }) {
  if (!href) return <span className="py-2 text-muted">{end}</span>;
  return (
    <Link href={href} rel={rel} className="py-2">
      {label}
    </Link>
  );
}

/** Links to the newer and older pages of a list, or words that the list ends there. */
export function Pager({ newerHref, olderHref }: { newerHref: string | null; olderHref: string | null }) {
  if (!newerHref && !olderHref) return null;
  return (
    <nav aria-label="Pages" className="flex items-baseline justify-between border-ink border-t py-2 text-13">
      <Step href={newerHref} rel="prev" label="← Newer" end="These are the newest" />
      <Step href={olderHref} rel="next" label="Older →" end="These are the oldest" />
    </nav>
  );
}
