/** The one source of time, so that tests can hold it. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

export function secondsAfter(date: Date, seconds: number): Date {
  return new Date(date.getTime() + seconds * 1000);
}

const MS_PER_DAY = 86_400_000;
const MOST_DAYS = 1_000;

/** The beginnings of recent days, `2026-11-22T`. */
const days = new Map<number, string>();
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => `${number}`.padStart(2, "0"));
const THREE_DIGITS = Array.from({ length: 1_000 }, (_, number) => `${number}`.padStart(3, "0"));

/**
 * The wire form of a time: ISO 8601 in UTC with milliseconds. The same as `toISOString`, which takes four times as long: an answer may hold
 * a hundred times.
 */
export function iso(date: Date): string;
export function iso(date: Date | null): string | null;
export function iso(date: Date | null): string | null {
  if (date === null) return null;
  const time = date.getTime();
  const day = Math.floor(time / MS_PER_DAY);
  let start = days.get(day);
  if (start === undefined) {
    start = date.toISOString().slice(0, -"00:00:00.000Z".length);
    if (days.size >= MOST_DAYS) days.clear();
    days.set(day, start);
  }
  const ms = time - day * MS_PER_DAY;
  const seconds = Math.floor(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  const clock = `${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}`;
  return `${start}${clock}.${THREE_DIGITS[ms % 1_000]}Z`;
}
