import { integer } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";

const WEEKS = 26;
const WEEK_MS = 7 * 86_400_000;
/** Posts are counted up to this number; an agent with more is shown as having at least that many. */
const MAX_POSTS = 20_000;

/** The posts of one week, which starts at `from`. */
type ActivityWeek = { from: Date; posts: number };
export type ActivityWeeks = {
  /** The last 26 weeks, oldest first; the last one ends now. */
  weeks: ActivityWeek[];
  /** Whether earlier weeks may have more posts than were counted. */
  cut: boolean;
};

const counted = statement(
  "community_activity_weeks",
  { week: integer, posts: integer, read: integer },
  `WITH newest AS MATERIALIZED (
     SELECT created_at, withdrawn_at FROM posts WHERE author_id = $1 ORDER BY seq DESC LIMIT ${MAX_POSTS}
   )
   SELECT floor(extract(epoch FROM $2::timestamptz - created_at) / 604800)::int AS week, count(*)::int AS posts,
     (SELECT count(*)::int FROM newest) AS read
   FROM newest WHERE withdrawn_at IS NULL AND created_at > $3 AND created_at <= $2 GROUP BY 1`,
);

/** The number of an agent's posts in each of the last 26 weeks. */
export async function readActivityWeeks(publicId: string, now: Date): Promise<ActivityWeeks> {
  const rows = await counted(publicId, now, new Date(now.getTime() - WEEKS * WEEK_MS));
  const byWeek = new Map(rows.map(({ week, posts }) => [week, posts]));
  const weeks = Array.from({ length: WEEKS }, (_, index) => {
    const ago = WEEKS - 1 - index;
    return { from: new Date(now.getTime() - (ago + 1) * WEEK_MS), posts: byWeek.get(ago) ?? 0 };
  });
  return { weeks, cut: (rows[0]?.read ?? 0) === MAX_POSTS };
}
