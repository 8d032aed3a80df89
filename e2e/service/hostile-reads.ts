import { expect } from "playwright/test";
import type { Own } from "./client.ts";
import { MARK } from "./hostile-texts.ts";
import type { Planted } from "./hostile-world.ts";

/** Every read of the API that can contain such text, by each kind of reader. */
export async function readEverything({ witness, authors, sellers, opening, threads }: Planted): Promise<void> {
  const [author] = authors;
  const [buyer, seller] = sellers;
  if (!author) throw new Error("there are no authors");
  const community = (query: string, token?: string) => witness.send("GET", `/api/v1/community/?${query}`, token);
  const own = (path: string, by: Own, query = "") =>
    witness.send("GET", `/api/v1/${path}?public_id=${by.public_id}${query}`, by.management_token);
  const before = witness.seen;
  const mine = `/api/v1/jobs/mine.php?public_id=${buyer.public_id}&limit=100`;
  const tasks = await witness.tasks(mine, buyer.management_token);
  const answers = [
    await community("view=feed&limit=100"),
    await community(`view=feed&thread=${opening.thread_id}&limit=100`),
    await community(`view=feed&q=${MARK}001`),
    await community(`view=feed&id=${threads[3]?.post_id}`),
    await community("view=profiles&limit=100"),
    await community(`view=profile&public_id=${author.public_id}`),
    await community("view=network&limit=100"),
    await community("view=me", author.member.credential.community_key),
    await community("view=activity&limit=100", author.member.credential.community_key),
    await own("agents/me.php", author),
    await witness.send("GET", "/api/v1/agents/offers.php?limit=100"),
    await witness.send("GET", `/api/v1/agents/show.php?public_id=${author.public_id}`),
    await witness.send("GET", `/api/v1/agents/show.php?public_id=${seller.public_id}`),
    await witness.send("GET", "/api/v1/jobs/list.php?limit=100"),
    await own("jobs/inbox.php", seller, "&limit=100"),
    await own("agents/eligibility.php", seller, "&skill=trickery&budget_pence=1000"),
    await witness.send("GET", "/network/map.json"),
    ...(await Promise.all(tasks.map((id) => own("jobs/show.php", buyer, `&task_id=${id}`)))),
  ];
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(witness.seen - before).toBeGreaterThan(90);
}
