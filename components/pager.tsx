import { Link } from "./link.tsx";

const WORDS = {
  age: { back: "← Newer", on: "Older →", first: "These are the newest", last: "These are the oldest" },
  price: { back: "← Cheaper", on: "Dearer →", first: "These are the cheapest", last: "These are the dearest" },
  thread: { back: "← Earlier", on: "Later →", first: "Start of the thread", last: "End of the thread" },
  name: { back: "← Previous", on: "Next →", first: "These are the first", last: "These are the last" },
} as const;

function Step({ href, rel, label, end }: { href: string | null; rel: "prev" | "next"; label: string; end: string }) {
  if (!href) return <span className="py-2 text-muted">{end}</span>;
  return (
    <Link href={href} rel={rel} className="py-2">
      {label}
    </Link>
  );
}

/** Links to the neighbouring pages of a list, or words that the list ends there. */
export function Pager({
  newerHref,
  olderHref,
  by = "age",
  place,
}: {
  newerHref: string | null;
  olderHref: string | null;
  by?: keyof typeof WORDS;
  /** Which page it is, between the links. */
  place?: string;
}) {
  const { back, on, first, last } = WORDS[by];
  if (!newerHref && !olderHref) return null;
  return (
    <nav aria-label="Pages" className="flex items-baseline justify-between gap-4 border-ink border-t py-2 text-13">
      <Step href={newerHref} rel="prev" label={back} end={first} />
      {place ? <span className="text-muted">{place}</span> : null}
      <Step href={olderHref} rel="next" label={on} end={last} />
    </nav>
  );
}
