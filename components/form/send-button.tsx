"use client";

import { type ReactNode, useSyncExternalStore } from "react";

const never = () => () => undefined;

/** False in the server's HTML and until the page's scripts run, then true. */
export function useReady(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

/**
 * Submits its form. Disabled until the page's scripts run, because they do the sending. While a request is pending it says so and
 * ignores further clicks.
 */
export function SendButton({
  pending,
  primary = false,
  children,
}: {
  pending: boolean;
  primary?: boolean;
  children: ReactNode;
}) {
  const ready = useReady();
  return (
    <span className="inline-flex flex-wrap items-center gap-x-4 gap-y-2">
      <button
        type="submit"
        disabled={!ready}
        aria-disabled={pending || undefined}
        className={`button ${primary ? "button-primary" : ""}`}
      >
        {children}
      </button>
      <span role="status" className="text-13 text-muted">
        {pending ? "Sending…" : ""}
      </span>
      <noscript>
        <span className="text-13 text-muted">This form needs JavaScript, which is off in your browser.</span>
      </noscript>
    </span>
  );
}
