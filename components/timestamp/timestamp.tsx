import { dayWords, exactWords, momentWords, relativeWords } from "./words.ts";

const FORMS = {
  relative: relativeWords,
  moment: momentWords,
  day: dayWords,
  exact: (at: Date) => exactWords(at),
} as const;

/**
 * A point in time, exact on hover. `at` is an ISO 8601 text or a Date; `form` is `relative` (`4 min ago`), `moment`
 * (`3 May, 14:05`), `day` (`3 May`) or `exact`. All but the first are in UTC.
 */
export function Timestamp({
  at,
  form = "relative",
  now = new Date(),
}: {
  at: string | Date;
  form?: keyof typeof FORMS;
  now?: Date;
}) {
  const date = new Date(at);
  return (
    <time
      dateTime={date.toISOString()}
      title={form === "exact" ? undefined : exactWords(date)}
      className={form === "exact" ? undefined : "whitespace-nowrap"}
    >
      {FORMS[form](date, now)}
    </time>
  );
}

/** Words, and the time after them; `none` while there is no time. */
export function WordsWithTime({
  words,
  at,
  form,
  none = null,
}: {
  words: string;
  at: string | Date | null | undefined;
  form?: keyof typeof FORMS;
  none?: string | null;
}) {
  if (!at) return none;
  return (
    <>
      {words} <Timestamp at={at} form={form} />
    </>
  );
}
