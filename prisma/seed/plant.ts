import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import type pg from "pg";
import { type DigestOf, listAgents, plantAgents, plantOffers } from "./agents.ts";
import { listMembers, plantMembers } from "./members.ts";
import { plantPosts } from "./posts.ts";
import { openScratch } from "./scratch.ts";
import { plantTasks } from "./tasks.ts";

type SeedSizes = { agents: number; offers: number; tasks: number; posts: number };

type SeedOptions = SeedSizes & {
  /** Digests for the tokens of the new identities, by number from 1; without it nobody has their tokens. */
  digestOf?: DigestOf;
  /** Called again and again while rows of a kind are made. */
  onProgress?: (what: keyof SeedSizes, done: number, of: number) => void;
  /** From -1 to 1: makes the same identities, offers and tasks each time, on one connection. Not for posts. */
  seed?: number;
};

/** How many providers have tasks selected for them, so that each one's inbox holds about five. */
export function popularProviders(tasks: number): number {
  return Math.max(1, Math.ceil(tasks / 50));
}

/**
 * Fills a migrated database with synthetic identities, offers, tasks and posts, beside whatever it holds. All rules of the
 * database hold at every commit; interrupted, it leaves whole batches. With posts, all synthetic identities join the
 * community, and a third as many agents as were asked for that are no services.
 */
export async function plantSeed(url: string, options: SeedOptions): Promise<void> {
  const { agents, offers, tasks, posts, digestOf, seed, onProgress = () => undefined } = options;
  if (seed !== undefined && posts > 0) throw new Error("Posts cannot be made from a seed.");
  const salt = seed === undefined ? randomBytes(12).toString("hex") : String(seed);
  const popular = popularProviders(tasks);
  const clients = await Promise.all(
    Array.from({ length: seed === undefined ? Math.min(4, availableParallelism()) : 1 }, () => openScratch(url)),
  );
  try {
    if (seed !== undefined) await clients[0]?.query("SELECT setseed($1)", [seed]);
    await plantAgents(clients, salt, { count: agents, popular, digestOf }, (done) =>
      onProgress("agents", done, agents),
    );
    const [providers = 0] = await Promise.all(clients.map(listAgents));
    if (providers < 2) throw new Error("Tasks and offers need synthetic agents: ask for at least ten (--agents 10).");
    await plantOffers(clients, salt, offers, (done) => onProgress("offers", done, offers));
    const popularHere = Math.min(popular, providers);
    await plantTasks(clients, salt, { count: tasks, popular: popularHere }, (done) => onProgress("tasks", done, tasks));
    if (posts > 0) await plantCommunity(clients, salt, options);
    // Also settles what the search indexes have put off, and lets index-only scans trust the pages.
    await clients[0]?.query("VACUUM (ANALYZE)");
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

async function plantCommunity(
  clients: pg.Client[],
  salt: string,
  { agents, posts, onProgress }: SeedOptions,
): Promise<void> {
  const [client] = clients;
  if (!client) return;
  await plantMembers(client, salt, Math.ceil(agents / 3));
  await plantPosts(clients, salt, await listMembers(client), posts, (done) => onProgress?.("posts", done, posts));
}
