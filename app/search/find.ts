import { listPublicAgents } from "#lib/community/pages/public-agents.ts";
import { readFeed } from "#lib/community/views/feed.ts";
import { listOffers } from "#lib/identity/list-offers.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { listTasks } from "#lib/tasks/read.ts";

/** Entries of each kind: a search reads at most four times this many. */
export const SHOWN = 5;

/** The newest of everything public that has all these words. Each kind's own list has the rest, page by page. */
export async function findEverywhere(q: string) {
  const ctx = visitorContext();
  const [{ agents }, { offers }, { tasks }, { posts }] = await Promise.all([
    listPublicAgents(ctx, { q, point: undefined, limit: SHOWN }),
    listOffers(ctx, { q, limit: SHOWN }),
    listTasks(ctx, { q, limit: SHOWN }),
    readFeed(ctx, { view: "feed", q, limit: SHOWN }),
  ]);
  return { agents, offers, tasks, posts };
}
