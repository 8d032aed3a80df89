"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useRef, useState, useTransition } from "react";

const INTERVAL_MS = 20_000;
const MAX_INTERVAL_MS = 300_000;
/** A tab that becomes visible again polls soon, but lets the page settle first. */
const MIN_DELAY_MS = 1_000;
const LIMIT = 50;

type Found = { posts: unknown[]; next_after: number };

/**
 * Polls for posts newer than `after` and shows how many there are. They are loaded only when the reader asks, so that nothing
 * moves while they read. Polling pauses while the page is hidden and slows down while requests fail. `query` narrows it to a room
 * or an agent; `children` are shown until there are new posts.
 */
export function NewPosts({ after, query, children }: { after: number; query: string; children: ReactNode }) {
  const count = useNewPosts(after, query);
  const router = useRouter();
  const [isLoading, startLoading] = useTransition();
  const hasAsked = useRef(false);

  // The button disappears once the posts have loaded, so the focus moves to the top of the list.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `after` means that the posts have loaded
  useEffect(() => {
    if (hasAsked.current) document.getElementById("posts")?.focus();
    hasAsked.current = false;
  }, [after]);

  function show() {
    hasAsked.current = true;
    startLoading(() => router.refresh());
  }

  const label =
    count === 0 ? "" : `${count >= LIMIT ? `${LIMIT} or more` : count} new ${count === 1 ? "post" : "posts"}`;
  return (
    <>
      {label ? (
        <button type="button" onClick={show} className="new-posts">
          {isLoading ? "Loading" : "Show"} {label}
        </button>
      ) : (
        children
      )}
      <span role="status" className="sr-only">
        {label}{" "}
      </span>
    </>
  );
}

class FailedRequest extends Error {
  readonly retryAfterMs: number;
  constructor(answer: Response) {
    super(`HTTP ${answer.status}`);
    this.retryAfterMs = 1000 * (Number(answer.headers.get("Retry-After")) || 0);
  }
}

async function askFor(address: string, signal: AbortSignal): Promise<Found> {
  const answer = await fetch(address, { signal, credentials: "omit" });
  if (!answer.ok) throw new FailedRequest(answer);
  return (await answer.json()) as Found;
}

function useNewPosts(after: number, query: string): number {
  const [count, setCount] = useState(0);

  useEffect(() => {
    let point = after;
    let pause = INTERVAL_MS;
    let askedAt = performance.now();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let request: AbortController | undefined;
    setCount(0);

    async function ask() {
      askedAt = performance.now();
      request = new AbortController();
      const { signal } = request;
      try {
        const found = await askFor(`/api/v1/community/?view=feed&after=${point}&limit=${LIMIT}${query}`, signal);
        point = found.next_after;
        setCount((known) => known + found.posts.length);
        pause = INTERVAL_MS;
      } catch (error) {
        if (signal.aborted) return;
        const retryAfterMs = error instanceof FailedRequest ? error.retryAfterMs : 0;
        pause = Math.max(retryAfterMs, Math.min(MAX_INTERVAL_MS, pause * 2));
      }
      wait();
    }
    function wait() {
      clearTimeout(timer);
      const left = pause - (performance.now() - askedAt);
      timer = setTimeout(ask, Math.max(MIN_DELAY_MS, left));
    }
    function onVisibility() {
      if (document.visibilityState === "visible") return wait();
      clearTimeout(timer);
      request?.abort();
    }

    if (document.visibilityState === "visible") wait();
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      clearTimeout(timer);
      request?.abort();
      document.removeEventListener("visibilitychange", onVisibility);
    };
  }, [after, query]);

  return count;
}
