import type { ReactNode } from "react";

/** Shown instead of a section's list. */
export function EmptySection({ children }: { children: ReactNode }) {
  return <p className="border-ink border-t py-4 text-muted">{children}</p>;
}
