import type { ReactNode } from "react";

/**
 * A page inside the shell: the reading column and, where `aside` is given, the context column. `wide` lets the content
 * take both.
 */
export function Page({ aside, wide = false, children }: { aside?: ReactNode; wide?: boolean; children: ReactNode }) {
  return (
    <>
      <main id="content" tabIndex={-1} className={`column ${wide ? "column-wide" : ""}`}>
        {children}
      </main>
      {aside && !wide ? <aside className="context">{aside}</aside> : null}
    </>
  );
}

/** The head of a page: its title, one line about it, and actions. `list`: on a phone only the title, so that the list begins in view. */
export function PageHeader({
  title,
  lead,
  list = false,
  children,
}: {
  title: ReactNode;
  lead?: ReactNode;
  list?: boolean;
  children?: ReactNode;
}) {
  return (
    <header className={list ? "mb-4 sm:mb-8" : "mb-8"}>
      <h1 className="font-semibold text-27 tracking-[-0.01em] sm:text-35">{title}</h1>
      {lead ? <p className={`mt-2 max-w-measure text-17 text-muted ${list ? "max-sm:sr-only" : ""}`}>{lead}</p> : null}
      {children}
    </header>
  );
}

/** A part of the context column. */
export function ContextPart({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-rule border-t pt-3 pb-8 first:border-t-0 first:pt-0">
      <h2 className="mb-2 font-sans font-semibold text-13">{title}</h2>
      {children}
    </section>
  );
}
