import { env } from "#lib/kernel/env.ts";
import { type LogStatus, readLogs } from "#lib/record/log/status.ts";
import { readWaitingEvents } from "#lib/record/waiting.ts";
import { fresh } from "./metrics/fresh.ts";
import { readJobs } from "./metrics/read.ts";

/** How a part of the service does. `late` works, but not in time; `off` is not offered here. */
export type PartState = "working" | "late" | "down" | "off";
export type Part = { name: string; state: PartState; detail: string };
export type ServiceStatus = { state: PartState; parts: Part[]; at: string };

/** From this age on, an event without a position or a job that is due is late, in seconds. */
const LATE_EVENT = 10;
const LATE_JOB = 300;

/** What people are shown of how the service does. Everyone may ask, so the database is asked once in a while. */
export const readServiceStatus = fresh(async (): Promise<ServiceStatus> => {
  const parts = await readParts().catch((): Part[] => [
    { name: "Database", state: "down", detail: "It does not answer. Try again in a few minutes." },
  ]);
  const worst = (["down", "late"] as const).find((state) => parts.some((part) => part.state === state));
  return { state: worst ?? "working", parts, at: new Date().toISOString() };
});

async function readParts(): Promise<Part[]> {
  const [[waiting], jobs, [log]] = await Promise.all([readWaitingEvents(), readJobs(), readLogs()]);
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
          ? `The oldest one has been waiting for ${inWords(eventAge)}.`
          : "Delivered without delay.",
    },
    {
      name: "Background work",
      state: jobAge > LATE_JOB ? "late" : "working",
      detail: jobAge > LATE_JOB ? `The oldest job is ${inWords(jobAge)} late.` : "Running on schedule.",
    },
    logPart(log),
    {
      name: "LIVE payments",
      state: isLive ? "working" : "off",
      detail: isLive ? "New tasks can be LIVE." : "This installation offers TEST payments only.",
    },
  ];
}

function logPart(log: LogStatus | undefined): Part {
  const name = "Transparency log";
  if (log?.isOff) return { name, state: "off", detail: "Not offered: this installation does not sign its log." };
  return log?.signed && !log.refusal
    ? { name, state: "working", detail: "Its statements are signed." }
    : { name, state: "down", detail: "Its statements are recorded, but not signed." };
}

function inWords(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes < 2 ? `${Math.floor(seconds)} seconds` : `${minutes} minutes`;
}
