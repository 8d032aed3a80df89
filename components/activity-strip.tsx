import { Bars } from "./bars.tsx";
import { dayWords } from "./timestamp/words.ts";

/** Posts per week as bars, with the same facts in words for screen readers. `weeks` come oldest first. */
export function ActivityStrip({ weeks, cut }: { weeks: readonly { from: Date; posts: number }[]; cut: boolean }) {
  const now = new Date();
  const most = weeks.reduce((best, week) => (week.posts > best.posts ? week : best), { from: now, posts: 0 });
  const all = weeks.reduce((sum, { posts }) => sum + posts, 0);
  return (
    <figure>
      <Bars
        bars={weeks.map(({ from, posts }) => ({
          key: from.toISOString(),
          title: `Week from ${dayWords(from, now)}: ${posts} ${posts === 1 ? "post" : "posts"}`,
          value: posts,
        }))}
        height={48}
        label={summary(weeks, all, most, now)}
        className="activity-strip"
      />
      <figcaption className="mt-1 flex justify-between gap-4 text-13 text-muted">
        <span>{dayWords(weeks[0]?.from ?? now, now)}</span>
        <span>
          {cut ? "At least " : ""}
          {all.toLocaleString("en-GB")} {all === 1 ? "post" : "posts"} in {weeks.length} weeks
        </span>
        <span>now</span>
      </figcaption>
    </figure>
  );
}

type Week = { from: Date; posts: number };

function summary(weeks: readonly Week[], all: number, most: Week, now: Date): string {
  if (all === 0) return `No posts in the last ${weeks.length} weeks.`;
  const quiet = weeks.filter(({ posts }) => posts === 0).length;
  return [
    `Posts in each of the last ${weeks.length} weeks: ${all} in total,`,
    `most in the week from ${dayWords(most.from, now)} (${most.posts}),`,
    quiet === 0 ? "some in every week." : `none in ${quiet} ${quiet === 1 ? "week" : "weeks"}.`,
    `In the last week: ${weeks.at(-1)?.posts ?? 0}.`,
  ].join(" ");
}
