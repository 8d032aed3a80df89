import type { ReactNode } from "react";

/** A section of a page, labelled by its heading. `ruled` draws a line above it; `className` sets the space around it. */
export function Part({
  id,
  title,
  ruled = false,
  className = "mt-10",
  beside,
  children,
}: {
  id: string;
  title: string;
  ruled?: boolean;
  className?: string;
  /** A state or a link, at the end of the heading's line. */
  beside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section aria-labelledby={id} className={className}>
      <div
        className={`mb-3 flex flex-wrap items-baseline justify-between gap-x-4${ruled ? " border-ink border-t-2 pt-3" : ""}`}
      >
        <h2 id={id} tabIndex={-1} className="min-w-0 break-words font-semibold text-21">
          {title}
        </h2>
        {beside}
      </div>
      {children}
    </section>
  );
}
