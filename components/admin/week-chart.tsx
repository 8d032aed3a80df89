import { dayWords } from "../timestamp/words.ts";

const BAR = 8;
const GAP = 2;
const HEIGHT = 64;

/**
 * A figure per week as bars, with the same facts in words for screen readers. `weeks` come oldest first. `simulated` uses another
 * colour; the title must then say so in words.
 */
export function WeekChart({
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
  const width = weeks.length * (BAR + GAP) - GAP;
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
      <svg
        viewBox={`0 0 ${width} ${HEIGHT + 1}`}
        role="img"
        aria-label={words}
        preserveAspectRatio="none"
        className={`chart ${simulated ? "chart-simulated" : ""}`}
      >
        {weeks.map((week, index) => {
          const value = values[index] ?? 0;
          const height = value === 0 ? 0 : Math.max(2, (value / most) * HEIGHT);
          return (
            <rect key={week.toISOString()} x={index * (BAR + GAP)} y={HEIGHT - height} width={BAR} height={height + 1}>
              <title>{`Week from ${dayWords(week, now)}: ${format(value)}`}</title>
            </rect>
          );
        })}
      </svg>
      <p className="mt-1 flex justify-between gap-4 text-13 text-muted">
        <span>{dayWords(weeks[0] ?? now, now)}</span>
        <span>this week</span>
      </p>
    </figure>
  );
}
