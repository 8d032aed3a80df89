import type { ReactNode } from "react";

/** Content that may be wider than a phone: it scrolls sideways, by keyboard too. */
export function Scrolling({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling content must be reachable by keyboard
    <section aria-label={label} tabIndex={0} className="scrolls-sideways">
      {children}
    </section>
  );
}
