import { cachedRead } from "#lib/kernel/cached-read.ts";
import { env } from "#lib/kernel/env.ts";
import { type LogStatus, readLogs } from "#lib/record/log/read.ts";
import { readUnplacedEvents } from "#lib/record/unplaced-events.ts";
import { readJobs } from "./metrics/read.ts";

/** The state of a part of the service. `late`: works, but with a delay; `off`: not offered here. */
export type PartState = "working" | "late" | "down" | "off";
type Part = { name: string; state: PartState; detail: string };
type ServiceStatus = { state: PartState; parts: Part[]; at: string };

/** How long what was read is reused. */
const FRESH_MS = 5_000;

/** From this age, in seconds, an event without a position or an overdue job counts as late. */
const LATE_EVENT = 10;
const LATE_JOB = 300;

/** The status that the page shows. Anyone may reload it, so what the database answers is reused for a while. */
export const readServiceStatus = () => cachedRead("service status", FRESH_MS, statusNow);

async function statusNow(): Promise<ServiceStatus> {
  const parts = await readParts().catch((): Part[] => [
    { name: "Database", state: "down", detail: "The database is not responding. Try again in a few minutes." },
  ]);
  const worst = (["down", "late"] as const).find((state) => parts.some((part) => part.state === state));
  return { state: worst ?? "working", parts, at: new Date().toISOString() };
}

async function readParts(): Promise<Part[]> {
  const [[waiting], jobs, [log]] = await Promise.all([readUnplacedEvents(), readJobs(), readLogs(1)]);
  const eventAge = Number(waiting?.oldestMs ?? 0) / 1000;
  const jobAge = Math.max(0, ...jobs.map(({ oldestMs }) => Number(oldestMs ?? 0) / 1000));
  const isLive = env().paymentMode === "LIVE";
  return [
    { name: "API and pages", state: "working", detail: "Responding." },
    { name: "Database", state: "working", detail: "Responding." },
    {
      name: "Events and webhooks",
      state: eventAge > LATE_EVENT ? "late" : "working",
      detail:
        eventAge > LATE_EVENT
          ? `The oldest event has been waiting for ${inWords(eventAge)}.`
          : "Delivered without delay.",
    },
    {
      name: "Background work",
      state: jobAge > LATE_JOB ? "late" : "working",
      detail: jobAge > LATE_JOB ? `The oldest job is ${inWords(jobAge)} overdue.` : "Running on schedule.",
    },
    logPart(log),
    {
      name: "LIVE payments",
      state: isLive ? "working" : "off",
      detail: isLive ? "Available for new tasks." : "This installation offers TEST payments only.",
    },
  ];
}

function logPart(log: LogStatus | undefined): Part {
  const name = "Transparency log";
  if (log?.isOff) return { name, state: "off", detail: "Entries are recorded. This installation doesn't sign them." };
  return log?.signed && !log.refusal
    ? { name, state: "working", detail: "Entries are recorded and signed." }
    : { name, state: "down", detail: "Entries are recorded but not signed." };
}

function inWords(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes < 2 ? `${Math.floor(seconds)} seconds` : `${minutes} minutes`;
}
