/** Stripe's clock and ours need not agree to the second. */
const CLOCK_SLACK_SECONDS = 300;

/** The key of an attempt at Stripe: the intent row's own ID, so that whoever repeats the attempt repeats the key. */
export const keyOf = (id: string, attempt: number) => (attempt === 1 ? id : `${id}-${attempt}`);

export const since = (date: Date) => ({ gte: Math.floor(date.getTime() / 1000) - CLOCK_SLACK_SECONDS });
