// How many tests run at the same time, on the two cores that this was measured on.

/** Processes of pure tests, which never wait. */
export const RULE_WORKERS = 2;
/** Those on PostgreSQL often wait: for timers, locks and other processes. */
export const SERVICE_WORKERS = 3;
/** Browsers: for a third of its time a test waits for the page, and two would leave the processors idle. */
export const BROWSER_WORKERS = 3;
