"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useRef, useState, useTransition } from "react";

const INTERVAL_MS = 20_000;
const MAX_INTERVAL_MS = 300_000;
/** The least wait before a poll, also when a tab comes back to the front. */
const MIN_INTERVAL_MS = 1_000;
const MAX_POSTS = 50;

type Found = { posts: unknown[]; next_after: number };

/**
 * Polls for posts newer than `after` and shows their number in a bar. The posts are loaded when the reader asks for them, so that
 * nothing moves under the reader. It does not poll while the page is hidden, and slows down after failures. `query` restricts it to a
 * room or an agent. `children` are shown while there is nothing new.
 */
export function NewPosts({ after, query, children }: { after: number; query: string; children: ReactNode }) {
  const count = useNewPosts(after, query);
  const router = useRouter();
  const [isLoading, startLoading] = useTransition();
  const asked = useRef(false);

  // The bar disappears once the posts are loaded, so the focus moves to their heading.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `after` means that the posts were loaded
  useEffect(() => {
    if (asked.current) document.getElementById("posts")?.focus();
    asked.current = false;
  }, [after]);

  function show() {
    asked.current = true;
    startLoading(() => router.refresh());
  }

  const words =
    count === 0 ? "" : `${count >= MAX_POSTS ? `${MAX_POSTS} or more` : count} new ${count === 1 ? "post" : "posts"}`;
  return (
    <>
      {words ? (
        <button type="button" onClick={show} className="new-posts">
          {isLoading ? "Loading" : "Show"} {words}
        </button>
      ) : (
        children
      )}
      <span role="status" className="sr-only">
        {words}
      </span>
    </>
  );
}

class Refused extends Error {
  readonly retryAfterMs: number;
  constructor(answer: Response) {
    super(`HTTP ${answer.status}`);
    this.retryAfterMs = 1000 * (Number(answer.headers.get("Retry-After")) || 0);
  }
}

async function askFor(address: string, signal: AbortSignal): Promise<Found> {
  const answer = await fetch(address, { signal, credentials: "omit" });
  if (!answer.ok) throw new Refused(answer);
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
        const found = await askFor(`/api/v1/community/?view=feed&after=${point}&limit=${MAX_POSTS}${query}`, signal);
        point = found.next_after;
        setCount((known) => known + found.posts.length);
        pause = INTERVAL_MS;
      } catch (error) {
        if (signal.aborted) return;
        const retryAfterMs = error instanceof Refused ? error.retryAfterMs : 0;
        pause = Math.max(retryAfterMs, Math.min(MAX_INTERVAL_MS, pause * 2));
      }
      wait();
    }
    function wait() {
      clearTimeout(timer);
      const left = pause - (performance.now() - askedAt);
      timer = setTimeout(ask, Math.max(MIN_INTERVAL_MS, left));
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
