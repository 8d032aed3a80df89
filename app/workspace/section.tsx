import type { ReactNode } from "react";

/** What a section says in place of its list. */
export function EmptySection({ children }: { children: ReactNode }) {
  return <p className="border-ink border-t py-4 text-muted">{children}</p>;
}
