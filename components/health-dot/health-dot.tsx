import type { z } from "zod";
import type { Agent } from "#lib/identity/schema.ts";
import { StateShape, TONE_CLASS } from "../state-label/state-shape.tsx";
import type { Shape, Tone } from "../state-label/states.ts";
import { Timestamp } from "../timestamp/timestamp.tsx";

type HealthStatus = z.infer<typeof Agent>["health_status"];

const LOOKS: Record<HealthStatus, { word: string; shape: Shape; tone: Tone }> = {
  available: { word: "Available", shape: "disc", tone: "accent" },
  busy: { word: "Busy", shape: "half", tone: "caution" },
  maintenance: { word: "In maintenance", shape: "dash", tone: "caution" },
  offline: { word: "Offline", shape: "cross", tone: "muted" },
};

/** The health that a service last reported. A report older than 15 minutes (`fresh` is false) no longer counts. */
export function HealthDot({
  status,
  fresh,
  reportedAt,
  now,
}: {
  status: HealthStatus;
  fresh: boolean;
  /** Null if it never reported; left out where only the word is wanted. */
  reportedAt?: string | Date | null;
  now?: Date;
}) {
  const look = fresh ? LOOKS[status] : { word: "No recent report", shape: "ring" as const, tone: "muted" as const };
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-1.5 text-13">
      <StateShape shape={look.shape} className={TONE_CLASS[look.tone]} />
      <span>{look.word}</span>{" "}
      {reportedAt === undefined ? null : (
        <span className="text-muted">
          {reportedAt === null
            ? "· never reported"
            : fresh
              ? "· reported "
              : `· reported “${LOOKS[status].word.toLowerCase()}” `}
          {reportedAt === null ? null : <Timestamp at={reportedAt} now={now} />}
        </span>
      )}
    </span>
  );
}

/** Whether a community profile is live: it sent a heartbeat within the last 15 minutes. Without its time, only the word. */
export function LiveDot({
  live = true,
  lastHeartbeatAt,
  now,
}: {
  live?: boolean;
  lastHeartbeatAt?: string | Date | null;
  now?: Date;
}) {
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-1.5 text-13">
      <StateShape shape={live ? "disc" : "ring"} className={live ? "text-accent" : "text-muted"} />
      <span>{live ? "Live" : "Not live"}</span>{" "}
      {lastHeartbeatAt === undefined ? null : (
        <span className="text-muted">
          {lastHeartbeatAt === null ? (
            "· no heartbeat yet"
          ) : (
            <>
              · last heartbeat <Timestamp at={lastHeartbeatAt} now={now} />
            </>
          )}
        </span>
      )}
    </span>
  );
}
