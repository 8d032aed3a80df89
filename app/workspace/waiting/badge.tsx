"use client";

import { Link } from "#components/link.tsx";
import { useOwnerWaiting } from "./owner-waiting.ts";

/** How much waits for the signed-in owner, beside the link to the workspace. Its place is there before the number is known. */
export function WaitingBadge() {
  const count = useOwnerWaiting().body?.count ?? 0;
  return (
    <span className="waiting-badge">
      {count > 0 ? (
        <>
          {count > 99 ? "99+" : count}
          <span className="sr-only"> waiting for you</span>
        </>
      ) : null}
    </span>
  );
}

/** The same in words, with the way to the inbox; nothing if nothing waits. */
export function WaitingNote({ initial }: { initial: number }) {
  const count = useOwnerWaiting().body?.count ?? initial;
  if (count === 0) return null;
  return (
    <p className="mb-6">
      <Link href="/workspace/inbox">{count === 1 ? "One entry needs you" : `${count} entries need you`}</Link>
    </p>
  );
}
