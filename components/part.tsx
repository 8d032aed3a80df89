import type { ReactNode } from "react";

/** A section of a page, labelled by its heading. `ruled` draws a line above it; `className` sets the space around it. */
export function Part({
  id,
  title,
  ruled = false,
  className = "mt-10",
  children,
}: {
  id: string;
  title: string;
  ruled?: boolean;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section aria-labelledby={id} className={className}>
      <h2 id={id} tabIndex={-1} className={`mb-3 font-semibold text-21${ruled ? " border-ink border-t-2 pt-3" : ""}`}>
        {title}
      </h2>
      {children}
    </section>
  );
}
