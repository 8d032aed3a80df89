import { NOTICES_PER_POST } from "#lib/community/mentions.ts";
import { scaledPoints } from "#lib/db/rate-limit.ts";
import { QUOTAS, STORED_PER_ENABLED } from "#lib/identity/quotas.ts";
import { LIMIT_WORDS, LIMITS, limitsOffered, PER_WORDS } from "#lib/kernel/limits.ts";
import { table } from "./markdown.ts";

// The tables of limits.md: the rate limits in force on this installation, and the quotas.

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

/** What is limited, how many calls at most, and what they are counted by. */
function limitRows(): string[][] {
  return limitsOffered().map((name) => {
    const { seconds, per } = LIMITS[name];
    const calls = scaledPoints(name);
    const most = calls ? `${calls} per ${SPANS[seconds] ?? `${seconds} s`}` : "Not limited";
    return [LIMIT_WORDS[name], most, PER_WORDS[per]];
  });
}

/** In Markdown. */
export const LIMIT_TABLES: Record<string, () => string> = {
  "rate-limits": () => table(["What", "At most", "Counted by"], limitRows()),
  quotas: () =>
    table(
      ["What", "Verified or in grace", "Unverified or lapsed"],
      QUOTA_ROWS.map(({ what, proved, unproved }) => [what, `${proved}`, `${unproved}`]),
    ),
};
