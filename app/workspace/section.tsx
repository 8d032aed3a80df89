import type { ReactNode } from "react";

/** The heading of a section that is labelled by it. */
export function SectionHeading({ id, title }: { id: string; title: string }) {
  return (
    <h2 id={id} className="mb-3 font-semibold text-21">
      {title}
    </h2>
  );
}

/** What a section says in place of its list. */
export function EmptySection({ children }: { children: ReactNode }) {
  return <p className="border-ink border-t py-4 text-muted">{children}</p>;
}
