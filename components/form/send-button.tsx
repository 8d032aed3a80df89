"use client";

import { type ReactNode, useSyncExternalStore } from "react";

const never = () => () => undefined;

/** False in what the server wrote and until the page's scripts run, true from then on. */
export function useReady(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

/**
 * Sends its form. It waits for the page's scripts, without which nothing could be sent; while something is under way it
 * says so and takes no second press.
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
    <span className="inline-flex items-center gap-4">
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
        <span className="text-13 text-muted">Sending this needs JavaScript, which is off in your browser.</span>
      </noscript>
    </span>
  );
}
