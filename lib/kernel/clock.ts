/** The one source of time, so that tests can hold it. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

export function secondsAfter(date: Date, seconds: number): Date {
  return new Date(date.getTime() + seconds * 1000);
}

/** The wire form of a time: ISO 8601 in UTC with milliseconds. */
export function iso(date: Date): string;
export function iso(date: Date | null): string | null;
export function iso(date: Date | null): string | null {
  return date === null ? null : date.toISOString();
}
