import { Bars } from "#components/bars.tsx";
import { liveMoney, ModeBadge } from "#components/mode-badge.tsx";
import { Part } from "#components/part.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { ColumnHeads, Scrolling } from "#components/table.tsx";
import { dayWords } from "#components/timestamp/words.ts";
import { type PlatformNumbers, readNumbers } from "#lib/admin/page-reads/numbers.ts";
import { env } from "#lib/kernel/env.ts";
import { formatPence } from "#lib/kernel/money.ts";
import { TASK_STATES } from "#lib/tasks/machine.ts";
import { AdminPage, adminMetadata, requireAdministrator } from "../admin-page.tsx";

export const generateMetadata = adminMetadata("Numbers");

const COUNTED = [
  ["registrations", "Registrations"],
  ["verified", "Domains verified"],
  ["posts", "Posts"],
  ["tasks", "Tasks posted"],
  ["completions", "Completions"],
] as const;

export default async function NumbersPage() {
  const { clock } = await requireAdministrator();
  const now = clock.now();
  const numbers = await readNumbers(now);
  return (
    <AdminPage
      at="/admin/numbers"
      title="Numbers"
      lead="The last 26 weeks, including this one. Weeks begin on Monday, in UTC."
    >
      <Part ruled id="counted" title="Activity">
        <div className="grid gap-x-12 gap-y-8 sm:grid-cols-2 lg:grid-cols-3">
          {COUNTED.map(([name, title]) => (
            <WeekChart key={name} title={title} weeks={numbers.weeks} values={numbers[name]} now={now} />
          ))}
        </div>
      </Part>
      <Part ruled id="money" title="Settled money">
        <p className="mb-5 max-w-measure text-13 text-muted">
          Settlements approved in each week. <ModeBadge mode="TEST" /> amounts are simulated: no money moved.{" "}
          <ModeBadge mode="LIVE" /> amounts were agreed for {liveMoney(env().stripe?.rehearsal)}; each settlement shows
          whether it was paid.
        </p>
        <div className="grid gap-x-12 gap-y-8 sm:grid-cols-2">
          <MoneyCharts numbers={numbers} mode="TEST" now={now} />
          <MoneyCharts numbers={numbers} mode="LIVE" now={now} />
        </div>
      </Part>
      <Part ruled id="states" title="Tasks by state">
        <StateTable states={numbers.taskStates} />
      </Part>
      <Part ruled id="table" title="Numbers per week">
        <WeekTable numbers={numbers} now={now} />
      </Part>
    </AdminPage>
  );
}

type Mode = "TEST" | "LIVE";

function MoneyCharts({ numbers, mode, now }: { numbers: PlatformNumbers; mode: Mode; now: Date }) {
  const { gross, fee } = numbers.settled[mode];
  const note = mode === "TEST" ? ", simulated" : "";
  const shared = { weeks: numbers.weeks, format: formatPence, simulated: mode === "TEST", now };
  return (
    <>
      <WeekChart title={`${mode} gross${note}`} values={gross} {...shared} />
      <WeekChart title={`${mode} fee${note}`} values={fee} {...shared} />
    </>
  );
}

function StateTable({ states }: { states: PlatformNumbers["taskStates"] }) {
  const most = Math.max(1, ...Object.values(states));
  return (
    <table className="numbers max-w-column">
      <ColumnHeads
        names={[
          "State",
          "Tasks",
          <span key="share" className="sr-only">
            Share
          </span>,
        ]}
      />
      <tbody>
        {TASK_STATES.map((state) => (
          <tr key={state}>
            <th scope="row">
              <StateLabel kind="task" state={state} />
            </th>
            <td>{states[state].toLocaleString("en-GB")}</td>
            <td className="w-1/2">
              <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" className="h-2 w-full fill-accent">
                <rect width={(100 * states[state]) / most} height={8} />
              </svg>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function WeekTable({ numbers, now }: { numbers: PlatformNumbers; now: Date }) {
  const money = (["TEST", "LIVE"] as const).flatMap((mode) =>
    (["gross", "fee"] as const).map((kind) => ({
      key: `${mode} ${kind}`,
      title: `${mode} ${kind}${mode === "TEST" ? " (simulated)" : ""}`,
      values: numbers.settled[mode][kind],
    })),
  );
  return (
    <Scrolling label="Table of the numbers per week">
      <table className="numbers">
        <ColumnHeads names={["Week from", ...COUNTED.map(([, title]) => title), ...money.map(({ title }) => title)]} />
        <tbody>
          {numbers.weeks.map((week, place) => (
            <tr key={week.toISOString()}>
              <th scope="row">
                <time dateTime={week.toISOString().slice(0, 10)}>{dayWords(week, now)}</time>
              </th>
              {COUNTED.map(([name]) => (
                <td key={name}>{(numbers[name][place] ?? 0).toLocaleString("en-GB")}</td>
              ))}
              {money.map(({ key, values }) => (
                <td key={key}>{formatPence(values[place] ?? 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

/**
 * A figure per week as bars, with the same facts in words for screen readers. `weeks` come oldest first. `simulated` uses another
 * colour; the title must then say so in words.
 */
function WeekChart({
  title,
  weeks,
  values,
  format = (value) => value.toLocaleString("en-GB"),
  simulated = false,
  now,
}: {
  title: string;
  weeks: readonly Date[];
  values: readonly number[];
  format?: (value: number) => string;
  simulated?: boolean;
  now: Date;
}) {
  const most = Math.max(...values);
  const all = values.reduce((sum, value) => sum + value, 0);
  const best = weeks[values.indexOf(most)] ?? now;
  const words =
    all === 0
      ? `${title}: none in ${weeks.length} weeks.`
      : `${title}: ${format(all)} in ${weeks.length} weeks, most in the week from ${dayWords(best, now)} (${format(most)}), ${format(values.at(-1) ?? 0)} this week.`;
  return (
    <figure>
      <figcaption className="mb-1 flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-semibold">{title}</span>
        <span className="text-13 text-muted tabular-nums">{format(all)}</span>
      </figcaption>
      <Bars
        bars={weeks.map((week, index) => ({
          key: week.toISOString(),
          title: `Week from ${dayWords(week, now)}: ${format(values[index] ?? 0)}`,
          value: values[index] ?? 0,
        }))}
        height={64}
        label={words}
        className={`chart ${simulated ? "chart-simulated" : ""}`}
      />
      <p className="mt-1 flex justify-between gap-4 text-13 text-muted">
        <span>{dayWords(weeks[0] ?? now, now)}</span>
        <span>this week</span>
      </p>
    </figure>
  );
}
