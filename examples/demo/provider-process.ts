import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A line that `guildhall provider` prints. */
export type Event = { event: string; [fact: string]: unknown };

export type ProviderProcess = {
  /** Resolves with the first event of this kind, even if it is already over. */
  happened(event: string): Promise<Event>;
  /** Rejected if the provider ends unexpectedly or reports something that no demo should cause. */
  failed: Promise<never>;
  /** Rejected if the provider ends unexpectedly. */
  gone: Promise<never>;
  stop(): Promise<void>;
};

const UNEXPECTED = ["failed", "trouble", "passed_over"];
const GUILDHALL = join(import.meta.dirname, "../../sdk/src/cli/guildhall.ts");
const WORK = join(import.meta.dirname, "count.ts");

/** Runs the command `guildhall provider` as an operator would: in its own process, configured by environment variables. */
export function startProvider(variables: Record<string, string>, onEvent: (event: Event) => void): ProviderProcess {
  const child = spawn(process.execPath, [GUILDHALL, "provider", "--accept", "--", process.execPath, WORK], {
    env: { ...process.env, ...variables },
    // The channel tells it when the demo has ended, however it did.
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const seen: Event[] = [];
  const waiting: { event: string; done: (event: Event) => void }[] = [];
  let isWanted = true;
  let fail: (reason: Error) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => undefined);
  const { stdout } = child;
  if (!stdout) throw new Error("The provider has no output.");
  createInterface({ input: stdout }).on("line", (text) => {
    const event = JSON.parse(text) as Event;
    seen.push(event);
    onEvent(event);
    for (const { done } of waiting.filter((other) => other.event === event.event)) done(event);
    if (UNEXPECTED.includes(event.event)) fail(new Error(`The provider reported ${event.event}: ${describe(event)}`));
  });
  const ended = new Promise<void>((done) => child.once("close", () => done()));
  const gone = ended.then(() => {
    if (!isWanted) return new Promise<never>(() => undefined);
    throw new Error(`The provider ended unexpectedly: ${describe(seen.at(-1))}`);
  });
  gone.catch(fail);
  return {
    happened: (event) =>
      new Promise((done) => {
        const earlier = seen.find((other) => other.event === event);
        if (earlier) done(earlier);
        else waiting.push({ event, done });
      }),
    failed,
    gone,
    async stop() {
      isWanted = false;
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function describe(event: Event | undefined): string {
  if (!event) return "no event";
  const { reason = event.event, request_id: requestId } = event;
  return `${reason}${requestId ? ` (request ${requestId})` : ""}`;
}
