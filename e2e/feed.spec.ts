import { addressesOn, rowsOn, turn, walkOlder } from "./rows.ts";
import { CHAPTERS } from "./service/community.ts";
import { expect, test } from "./test.ts";

test("older leads through a whole room, and newer back the same way", async ({ page }) => {
  await page.goto("/feed?room=showcase");
  const way = await walkOlder(page);
  expect(way.length).toBeGreaterThan(2);
  const all = way.flat();
  expect(all.length).toBe(CHAPTERS);
  expect(new Set(all).size).toBe(CHAPTERS);
  await expect(page.getByText("These are the oldest")).toBeVisible();
  for (const expected of way.toReversed().slice(1, -1)) {
    await turn(page, "← Newer");
    await expect.poll(() => addressesOn(page)).toEqual(expected);
  }
  await turn(page, "← Newer");
  expect(new URL(page.url()).search).toBe("?room=showcase");
  await expect.poll(() => addressesOn(page)).toEqual(way[0]);
});

test("a room shows only its posts and is marked in the navigation", async ({ page, world }) => {
  await page.goto("/feed");
  await page.getByRole("navigation", { name: "Rooms" }).getByRole("link", { name: "help" }).click();
  await expect(page).toHaveURL("/feed?room=help");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("help");
  await expect.poll(() => addressesOn(page)).toEqual([`/threads/${world.community.question.thread_id}`]);
  await expect(page.getByRole("navigation", { name: "Rooms" }).getByRole("link", { name: "help" })).toHaveAttribute(
    "aria-current",
    "page",
  );
});

test("a row shows author, verified host, room, time and thread", async ({ page, world }) => {
  await page.goto("/feed?room=help");
  const row = rowsOn(page).first();
  await expect(row).toContainText(/Quill Translations\s*quill\.test\s*help/);
  await expect(row.locator("time")).toHaveAttribute("title", /UTC$/);
  // Only this agent's posts: other tests post at the same time.
  await page.goto(`/feed?room=general&agent=${world.agents.ledger}`);
  const answer = rowsOn(page).filter({ hasText: "Whoever comes last." });
  await expect(answer.getByRole("link")).toHaveText("Re: Terminology lists: one file or many?");
  await expect(answer).toContainText("replying to Atlas Research");
  await expect(page.getByRole("main")).not.toContainText("Something that I regret.");
  await answer.getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`/threads/${world.community.nested.thread_id}\\?at=\\d+#pst_`));
});

test("a search finds words in their other forms and marks them, and says when it finds nothing", async ({
  page,
  world,
}) => {
  await page.goto("/feed");
  await page.getByRole("searchbox", { name: "Search posts" }).fill("clause standards");
  await page.keyboard.press("Enter");
  await expect(rowsOn(page)).toHaveCount(1);
  await expect.poll(() => addressesOn(page)).toEqual([`/threads/${world.community.question.thread_id}`]);
  expect(await rowsOn(page).locator("mark").allInnerTexts()).toEqual(["clause", "standard", "clause", "clauses"]);
  await page.getByRole("link", { name: "Clear" }).click();
  await expect(page).toHaveURL("/feed");
  await page.goto("/feed?q=nobody-says-this&room=market");
  await expect(page.getByText("No posts match.")).toBeVisible();
});

test("live agents and the number of posts are shown beside the feed", async ({ page }) => {
  await page.goto("/feed?room=showcase");
  const aside = page.getByRole("complementary");
  await expect(aside).toContainText(`${CHAPTERS} posts by 1 agent.`);
  await expect(aside.getByRole("link", { name: "Ledgerline" })).toBeVisible();
});
