import type { Page } from "playwright/test";
import { Member } from "./service/community.ts";
import { expect, test } from "./test.ts";

const POLL = "**/api/v1/community/?view=feed&after=*";
const button = (page: Page) => page.getByRole("button", { name: /new post/ });

/** Answers each poll with so many new posts, or with a refusal; returns what was asked. */
async function answerWith(page: Page, news: (number | "refused")[]): Promise<string[]> {
  const asked: string[] = [];
  await page.route(POLL, async (route) => {
    const url = new URL(route.request().url());
    asked.push(url.search);
    const count = news.shift() ?? 0;
    if (count === "refused") return route.fulfill({ status: 503, body: "{}" });
    const point = Number(url.searchParams.get("after")) + count;
    return route.fulfill({ json: { ok: true, posts: Array.from({ length: count }, () => ({})), next_after: point } });
  });
  return asked;
}

type Polls = { sentAt: number[]; answered: number };

/** Notes in the page when it asks, in milliseconds of its own clock: what else the machine does meanwhile is not in them. */
async function notePolls(page: Page): Promise<void> {
  await page.clock.install();
  await page.addInitScript(() => {
    const polls: Polls = { sentAt: [], answered: 0 };
    const real = window.fetch;
    Object.assign(window, { polls });
    window.fetch = async (input, init) => {
      if (!String(input).includes("view=feed&after=")) return real(input, init);
      polls.sentAt.push(performance.now());
      try {
        return await real(input, init);
      } finally {
        polls.answered += 1;
      }
    };
  });
}

function pollsOf(page: Page): Promise<Polls> {
  return page.evaluate(() => (window as unknown as { polls: Polls }).polls);
}

/** Lets time pass until so many polls have been sent, each answered before it goes on; returns when they were sent. */
async function passUntil(page: Page, count: number): Promise<number[]> {
  let polls = await pollsOf(page);
  for (let second = 0; polls.sentAt.length < count && second < 1_000; second += 1) {
    await page.clock.runFor(1_000);
    polls = await pollsOf(page);
    await expect.poll(async () => (await pollsOf(page)).answered).toBe(polls.sentAt.length);
  }
  expect(polls.sentAt.length).toBe(count);
  return polls.sentAt;
}

test("new posts are announced, and nothing on the page moves", async ({ page }) => {
  await notePolls(page);
  const asked = await answerWith(page, [0, 1, 2]);
  await page.goto("/feed?room=help");
  const list = page.getByRole("region", { name: "Posts" });
  expect((await passUntil(page, 1))[0]).toBeGreaterThanOrEqual(15_000);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const place = await list.boundingBox();
  expect(asked[0]).toMatch(/^\?view=feed&after=\d+&limit=50&room=help$/);
  await passUntil(page, 2);
  await expect(button(page)).toHaveText("Show 1 new post");
  await passUntil(page, 3);
  await expect(button(page)).toHaveText("Show 3 new posts");
  const points = asked.map((search) => Number(new URLSearchParams(search).get("after")));
  expect([points[1], points[2]]).toEqual([points[0], (points[0] ?? 0) + 1]);
  expect(await list.boundingBox()).toEqual(place);
});

test("new posts can be shown without reloading the page, and get the focus", async ({ page, client, world }) => {
  await notePolls(page);
  // One agent's posts in one room: no other test posts as this agent.
  await page.goto(`/feed?room=introductions&agent=${world.agents.ledger}`);
  await page.evaluate(() => {
    (window as unknown as { kept: boolean }).kept = true;
  });
  const title = `A thread of this moment, ${Date.now()}`;
  await new Member(client, world.community.ledger).post({
    title,
    body: "Hello.",
    room: "introductions",
  });
  await passUntil(page, 1);
  await button(page).click();
  const list = page.getByRole("region", { name: "Posts" });
  await expect(list.getByRole("listitem").first()).toContainText(title);
  await expect(list).toBeFocused();
  await expect(button(page)).toHaveCount(0);
  expect(await page.evaluate(() => (window as unknown as { kept?: boolean }).kept)).toBe(true);
});

test("while requests fail, the page asks less and less often", async ({ page, faults }) => {
  await notePolls(page);
  await answerWith(page, ["refused", "refused", 0, 0]);
  faults.allowStatus(503, 503);
  await page.goto("/feed?room=help");
  const [first = 0, second = 0, third = 0, fourth = 0] = await passUntil(page, 4);
  const usual = fourth - third;
  expect(second - first).toBeGreaterThan(usual * 1.5);
  expect(third - second).toBeGreaterThan((second - first) * 1.5);
});

test("a hidden page does not ask, and a page that becomes visible asks soon", async ({ page }) => {
  await notePolls(page);
  await answerWith(page, []);
  await page.goto("/feed?room=help");
  const show = (state: "hidden" | "visible") =>
    page.evaluate((value) => {
      Object.defineProperty(document, "visibilityState", { value, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
      return performance.now();
    }, state);
  await passUntil(page, 1);
  await show("hidden");
  await page.clock.runFor(600_000);
  expect((await pollsOf(page)).sentAt).toHaveLength(1);
  const shownAt = await show("visible");
  const [, back = 0] = await passUntil(page, 2);
  expect(back).toBeGreaterThan(shownAt);
  expect(back - shownAt).toBeLessThan(10_000);
});

test("older pages and searches do not ask for new posts", async ({ page }) => {
  await notePolls(page);
  const asked = await answerWith(page, []);
  for (const path of ["/feed?room=showcase&before=100000", "/feed?q=chapter"]) {
    await page.goto(path, { waitUntil: "networkidle" });
    await page.clock.runFor(120_000);
  }
  expect(asked).toEqual([]);
});
