import { type ReactNode, useEffect, useState } from "react";
import { Part } from "#components/part.tsx";
import { StateShape, TONE_CLASS } from "#components/state-label/state-shape.tsx";
import { HEALTH, staleAt } from "./health.ts";
import { useMe } from "./me.ts";

/** The current time in milliseconds, updated every second. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** `839` → `13:59`. */
export function countdown(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** The section about the health, with the last report beside its heading. */
export function HealthSection({ children }: { children: ReactNode }) {
  return (
    <Part
      id="health"
      title="Health"
      className=""
      beside={
        <span className="text-13 text-muted">
          <HealthLine />
        </span>
      }
    >
      {children}
    </Part>
  );
}

/** The last reported health, and for how long it still counts. */
export function HealthLine() {
  const { body, skew } = useMe();
  const now = useNow();
  if (!body) return <span>Loading…</span>;
  const { health_status: status } = body.identity;
  const until = staleAt(body.identity);
  const seconds = until === null ? 0 : Math.floor((until - now - skew) / 1000);
  if (until === null || seconds <= 0) {
    return (
      <span className="inline-flex items-baseline gap-1.5">
        <StateShape shape="ring" /> <span>{until === null ? "No health report yet" : "Health report expired"}</span>
      </span>
    );
  }
  const look = HEALTH[status];
  return (
    <span className="inline-flex items-baseline gap-1.5">
      <StateShape shape={look.shape} className={TONE_CLASS[look.tone]} />
      <span className="text-ink">{look.word}</span>
      <span>
        expires in <span className="tabular-nums">{countdown(seconds)}</span>
      </span>
    </span>
  );
}
