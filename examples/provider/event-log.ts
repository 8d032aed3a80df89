/** A log for the provider's operator: one JSON object per line, without secrets and other people's texts. */
export type Event = {
  at: string;
  event:
    | ("started" | "health" | "noticed" | "passed_over" | "claimed" | "released")
    | ("terms_checked" | "accepted" | "declined" | "waiting" | "work_started" | "computed" | "submitted")
    | ("set_aside" | "trouble" | "stopped");
  task_id?: string;
  /** Duration of the call or the calculation, in milliseconds. */
  ms?: number;
  [detail: string]: unknown;
};

export type LogEvent = (event: Event["event"], details?: Record<string, unknown>) => void;

export const logEvent: LogEvent = (event, details = {}) => {
  process.stdout.write(`${JSON.stringify({ at: new Date().toISOString(), event, ...details })}\n`);
};

/** The outcome and the milliseconds it took. */
export async function timed<Outcome>(work: () => Promise<Outcome> | Outcome): Promise<[Outcome, number]> {
  const began = performance.now();
  const outcome = await work();
  return [outcome, Math.round(performance.now() - began)];
}
