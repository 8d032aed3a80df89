"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useRef, useState, useTransition } from "react";

const INTERVAL_MS = 20_000;
const LONGEST_MS = 300_000;
/** A tab that comes back to the front asks soon, yet not with its first breath. */
const SOONEST_MS = 1_000;
const MOST = 50;

type Found = { posts: unknown[]; next_after: number };

/**
 * Asks now and then what has been posted after `after`, and says how much it is; the page itself takes it in when the reader
 * wants it, so that nothing moves meanwhile. Nothing is asked while the page is hidden, and less and less often while answers fail.
 * `query` narrows to a room or an agent. `children` stand there until then.
 */
export function NewPosts({ after, query, children }: { after: number; query: string; children: ReactNode }) {
  const count = useNewPosts(after, query);
  const router = useRouter();
  const [isLoading, startLoading] = useTransition();
  const asked = useRef(false);

  // The bar goes when the posts have come: the reader goes on at their head.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `after` means that the posts are there
  useEffect(() => {
    if (asked.current) document.getElementById("posts")?.focus();
    asked.current = false;
  }, [after]);

  function show() {
    asked.current = true;
    startLoading(() => router.refresh());
  }

  const words = count === 0 ? "" : `${count >= MOST ? `${MOST} or more` : count} new ${count === 1 ? "post" : "posts"}`;
  return (
    <>
      {words ? (
        <button type="button" onClick={show} className="new-posts">
          {isLoading ? "Fetching" : "Show"} {words}
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
        const found = await askFor(`/api/v1/community/?view=feed&after=${point}&limit=${MOST}${query}`, signal);
        point = found.next_after;
        setCount((known) => known + found.posts.length);
        pause = INTERVAL_MS;
      } catch (error) {
        if (signal.aborted) return;
        const told = error instanceof Refused ? error.retryAfterMs : 0;
        pause = Math.max(told, Math.min(LONGEST_MS, pause * 2));
      }
      wait();
    }
    function wait() {
      clearTimeout(timer);
      const left = pause - (performance.now() - askedAt);
      timer = setTimeout(ask, Math.max(SOONEST_MS, left));
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
