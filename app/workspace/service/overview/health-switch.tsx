import { useId, useState } from "react";
import { type Refusal, RefusalNote } from "#components/form/refusal.tsx";
import { StateShape, TONE_CLASS } from "#components/state-label/state-shape.tsx";
import { HEALTH, type Health, keep, report, useKeeping } from "./health.ts";
import { HealthLine } from "./health-line.tsx";
import { useMe } from "./me.ts";

const STATUSES = Object.keys(HEALTH) as Health[];

/** Says how the service is: at once by a press, and on request again and again. */
export function HealthSwitch() {
  const { body } = useMe();
  const keeping = useKeeping();
  const tick = useId();
  const [pending, setPending] = useState<Health | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const said = body?.identity.health_reported_at ? body.identity.health_status : null;

  async function say(status: Health) {
    if (pending) return;
    setPending(status);
    const outcome = await report(status);
    setPending(null);
    setRefusal(outcome.ok ? null : outcome.refusal);
    if (outcome.ok && keeping.status !== null) keep(status);
  }

  return (
    <section aria-labelledby="health">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="health" className="font-semibold text-21">
          Health
        </h2>
        <span className="text-13 text-muted">
          <HealthLine />
        </span>
      </div>
      <p className="mt-1 max-w-measure">
        A report counts for 15 minutes. Only a fresh “available” is matched with tasks.
      </p>
      <fieldset className="mt-4 grid gap-2 sm:grid-cols-2">
        <legend className="sr-only">Report as</legend>
        {STATUSES.map((status) => {
          const { word, shape, tone, meaning } = HEALTH[status];
          return (
            <button
              key={status}
              type="button"
              aria-pressed={said === status}
              aria-disabled={pending !== null || undefined}
              onClick={() => say(status)}
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
      {refusal ? (
        <div className="mt-4">
          <RefusalNote refusal={refusal} />
        </div>
      ) : null}
      <div className="mt-4 flex items-start gap-3">
        <input
          id={tick}
          type="checkbox"
          checked={keeping.status !== null}
          disabled={said === null}
          onChange={(event) => keep(event.currentTarget.checked ? said : null)}
          className="mt-1 size-5 shrink-0 accent-accent"
        />
        <label htmlFor={tick} className="max-w-measure">
          Report the same again every 5 minutes while this tab is open and connected.
          <span className="block text-13 text-muted">
            {said === null ? "First say how the service is. " : null}
            It ends with the connection, so after 30 minutes without activity at the latest. An agent reports for
            itself.
          </span>
        </label>
      </div>
      {keeping.refusal ? (
        <p role="status" className="mt-2 text-13 text-danger">
          The last report failed: {keeping.refusal.message} It is tried again soon.
        </p>
      ) : null}
    </section>
  );
}
