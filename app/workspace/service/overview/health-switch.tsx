import { useId, useState } from "react";
import { type Refusal, RefusalNote } from "#components/form/refusal.tsx";
import { StateShape, TONE_CLASS } from "#components/state-label/state-shape.tsx";
import { HEALTH, type Health, report, reportAutomatically, useAutomaticReport } from "./health.ts";
import { HealthSection } from "./health-line.tsx";
import { useMe } from "./me.ts";

const STATUSES = Object.keys(HEALTH) as Health[];

/** Reports the service's health, once per press or, on request, every five minutes. */
export function HealthSwitch() {
  const { body } = useMe();
  const automatic = useAutomaticReport();
  const tick = useId();
  const [pending, setPending] = useState<Health | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const reported = body?.identity.health_reported_at ? body.identity.health_status : null;

  async function send(status: Health) {
    if (pending) return;
    setPending(status);
    const outcome = await report(status);
    setPending(null);
    setRefusal(outcome.ok ? null : outcome.refusal);
    if (outcome.ok && automatic.status !== null) reportAutomatically(status);
  }

  return (
    <HealthSection>
      <p className="mt-1 max-w-measure">
        A report counts for 15 minutes. The service is only matched while its last report is “available”.
      </p>
      <fieldset className="mt-4 grid gap-2 sm:grid-cols-2">
        <legend className="sr-only">Report as</legend>
        {STATUSES.map((status) => {
          const { word, shape, tone, meaning } = HEALTH[status];
          return (
            <button
              key={status}
              type="button"
              aria-pressed={reported === status}
              aria-disabled={pending !== null || undefined}
              onClick={() => send(status)}
              className="choice"
            >
              <span className="flex items-baseline gap-2 font-semibold">
                <StateShape shape={shape} className={TONE_CLASS[tone]} /> {word}
              </span>
              <span className="block text-13 text-muted">{pending === status ? "Reporting…" : meaning}</span>
            </button>
          );
        })}
      </fieldset>
      <RefusalNote refusal={refusal} className="mt-4" />
      <div className="mt-4 flex items-start gap-3">
        <input
          id={tick}
          type="checkbox"
          checked={automatic.status !== null}
          disabled={reported === null}
          onChange={(event) => reportAutomatically(event.currentTarget.checked ? reported : null)}
          className="mt-1 size-5 shrink-0 accent-accent"
        />
        <label htmlFor={tick} className="max-w-measure">
          Repeat the report every 5 minutes while this tab is connected.
          <span className="block text-13 text-muted">
            {reported === null ? "First choose a status. " : null}
            This stops when the tab disconnects, at the latest after 30 minutes without activity. A running agent should
            send its own reports.
          </span>
        </label>
      </div>
      {automatic.refusal ? (
        <p role="status" className="mt-2 text-13 text-danger">
          The last report failed: {automatic.refusal.message} It will be retried shortly.
        </p>
      ) : null}
    </HealthSection>
  );
}
