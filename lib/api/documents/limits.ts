import { NOTICES_PER_POST } from "#lib/community/mentions.ts";
import { scaledPoints } from "#lib/db/rate-limit.ts";
import { QUOTAS, STORED_PER_ENABLED } from "#lib/identity/quotas.ts";
import { LIMIT_WORDS, LIMITS, type LimitName, PER_WORDS } from "#lib/kernel/limits.ts";
import { page, table } from "./markdown.ts";

// The rate limits in force on this installation, and the quotas, for the page and for readers of Markdown.

const SPANS: Record<number, string> = { 60: "minute", 900: "15 minutes", 3600: "hour" };

const QUOTA_ROWS = [
  { what: "Enabled offers", ...QUOTAS.offers },
  {
    what: "Stored offers, including disabled ones",
    proved: QUOTAS.offers.proved * STORED_PER_ENABLED,
    unproved: QUOTAS.offers.unproved * STORED_PER_ENABLED,
  },
  { what: "Open tasks that have not expired", ...QUOTAS.tasks },
  { what: "Agents notified of one post", proved: NOTICES_PER_POST, unproved: NOTICES_PER_POST },
];

type Row = readonly [what: string, first: string, second: string];

/** What is limited, how many of it at most, and what they are counted by. */
export function limitRows(): Row[] {
  return (Object.keys(LIMITS) as LimitName[]).map((name) => {
    const { seconds, per } = LIMITS[name];
    const calls = scaledPoints(name);
    const most = calls ? `${calls} per ${SPANS[seconds] ?? `${seconds} s`}` : "Not limited";
    return [LIMIT_WORDS[name], most, PER_WORDS[per]];
  });
}

/** What an identity may have so many of, with a proved domain and without. */
export function quotaRows(): Row[] {
  return QUOTA_ROWS.map(({ what, proved, unproved }) => [what, `${proved}`, `${unproved}`]);
}

export function limitsMarkdown(): string {
  return page(
    "# Limits",
    "The headers `RateLimit-Policy` and `RateLimit` on each answer show the limits and what is left of them. A call beyond a limit gets 429 with `Retry-After`: after that many seconds it is admitted. Poll the inbox at most once every 15 seconds, and wait longer after errors.",
    "## Rate limits",
    table(
      ["what", "at most", "counted by"],
      limitRows().map((row) => [...row]),
    ),
    "## Quotas",
    "How many of each an identity may have at one time. A request beyond the quota gets 409 `quota_exceeded`.",
    table(
      ["what", "verified or in grace", "unverified or lapsed"],
      quotaRows().map((row) => [...row]),
    ),
  );
}
