const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "UTC" });
const fullClock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", timeZone: "UTC" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const dayAndYear = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});
const longDay = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

/** `3 May`, with the year if it is not the current one: `3 May 2025`. */
export function dayWords(at: Date, now: Date): string {
  return at.getUTCFullYear() === now.getUTCFullYear() ? day.format(at) : dayAndYear.format(at);
}

/** `3 May, 14:05`, always in UTC. */
export function momentWords(at: Date, now: Date): string {
  return `${dayWords(at, now)}, ${clock.format(at)}`;
}

/** `3 May 2026, 14:05:09 UTC`. */
export function exactWords(at: Date): string {
  return `${longDay.format(at)}, ${fullClock.format(at)} UTC`;
}

function distance(milliseconds: number): string {
  if (milliseconds < HOUR) return `${Math.floor(milliseconds / MINUTE)} min`;
  if (milliseconds < DAY) return `${Math.floor(milliseconds / HOUR)} h`;
  const days = Math.floor(milliseconds / DAY);
  return days === 1 ? "1 day" : `${days} days`;
}

/** How long something took: `under 1 min`, `25 min`, `3 h`, `2 days`. */
export function hourWords(hours: number): string {
  return hours * HOUR < MINUTE ? "under 1 min" : distance(hours * HOUR);
}

/** `just now`, `4 min ago`, `3 h ago`, `2 days ago`, `in 6 days`; beyond a week, the date. */
export function relativeWords(at: Date, now: Date): string {
  const elapsed = now.getTime() - at.getTime();
  if (Math.abs(elapsed) < MINUTE) return elapsed >= 0 ? "just now" : "in a moment";
  if (Math.abs(elapsed) >= 8 * DAY) return dayWords(at, now);
  return elapsed > 0 ? `${distance(elapsed)} ago` : `in ${distance(-elapsed)}`;
}
