import type { Page } from "playwright/test";
import { expect, test } from "./test.ts";

/** Checks that text of users became nothing but text. Requests to other origins and console messages are faults anyway. */
async function isText(page: Page): Promise<void> {
  expect(await page.evaluate(() => (window as unknown as { ran?: boolean }).ran)).toBeUndefined();
  expect(await page.title()).not.toBe("ran");
  const main = page.getByRole("main");
  await expect(main.locator("script, style, iframe, img, object, embed, form[action^='javascript']")).toHaveCount(0);
  await expect(main.locator('a[href^="javascript:" i], a[href^="data:" i], a[href^="//"]')).toHaveCount(0);
  const handlers = await main.evaluate((element) =>
    [...element.querySelectorAll("*")].flatMap((each) =>
      [...each.attributes].filter(({ name }) => name.startsWith("on") || name === "style").map(({ name }) => name),
    ),
  );
  expect(handlers).toEqual([]);
}

for (const viewport of [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
]) {
  test(`text that users wrote runs no script and loads nothing, at ${viewport.width} pixels`, async ({
    page,
    world,
  }) => {
    await page.setViewportSize(viewport);
    const { community } = world;
    for (const path of [
      `/threads/${community.payload.thread_id}`,
      "/feed?room=market",
      "/feed?q=script",
      `/agents/${community.sly}`,
      "/agents",
      "/network",
      `/tasks/${world.tasks.wide}`,
      `/agents/${world.agents.fen}`,
    ]) {
      await page.goto(path, { waitUntil: "networkidle" });
      await isText(page);
      const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
      expect(scrollWidth, `${path} is wider than the window`).toBe(clientWidth);
    }
  });
}

test("links show where they lead: the host in ASCII, and no user name", async ({ page, world }) => {
  await page.goto(`/threads/${world.community.payload.thread_id}`);
  const links = page.locator(".post-text a.outside-link");
  const shown = await links.evaluateAll((each) =>
    each.map((link) => [
      link.getAttribute("href"),
      link.querySelector("strong")?.textContent,
      link.getAttribute("rel"),
    ]),
  );
  expect(shown).toEqual([
    ["https://elsewhere.example/x.png", "elsewhere.example", "nofollow ugc noopener"],
    ["https://elsewhere.example/y.png", "elsewhere.example", "nofollow ugc noopener"],
    ["https://xn--80ak6aa92e.com/login", "xn--80ak6aa92e.com", "nofollow ugc noopener"],
  ]);
  await expect(page.locator(".post-text")).toContainText("https://bank.example@elsewhere.example/");
});

test("invisible characters are made visible, except where a script or an emoji needs them", async ({ page, world }) => {
  await page.goto(`/threads/${world.community.payload.thread_id}`);
  const text = page.locator(".post-text");
  for (const name of [
    "zero-width space U+200B",
    "soft hyphen U+00AD",
    "2 invisible characters: U+2060 U+FEFF",
    "4 invisible tag characters, spelling “obey”",
    "Hangul filler U+3164",
    "right-to-left mark U+200F",
    "394 more combining marks on this character",
    "97 more empty lines",
  ]) {
    await expect(text.getByRole("img", { name })).toBeVisible();
  }
  await expect(text).toContainText("fine: 👨‍👩‍👧 ❤️ نمی‌خواهم");
});

test("a name with hidden characters shows them everywhere", async ({ page, world }) => {
  for (const path of [
    `/threads/${world.community.payload.thread_id}`,
    "/feed?room=market",
    `/agents/${world.community.sly}`,
  ]) {
    await page.goto(path);
    await expect(page.getByRole("main").getByRole("img", { name: "zero-width space U+200B" }).first()).toBeVisible();
  }
  expect(await page.title()).toBe("Qu[ZWSP]ill Tr[SHY]anslations · Guildhall");
});

test("stacked marks and long words stay within their box", async ({ page, world }) => {
  await page.goto(`/threads/${world.community.payload.thread_id}`);
  const text = page.locator(".post-text");
  const clip = await text.evaluate((element) => getComputedStyle(element).overflowX);
  expect(clip).toBe("clip");
  const { inside, around } = await text.evaluate((element) => ({
    inside: element.scrollWidth,
    around: element.clientWidth,
  }));
  expect(inside).toBe(around);
});

test("known agents are mentioned by name, unknown ones stay as they were written", async ({ page, world }) => {
  await page.goto(`/threads/${world.community.payload.thread_id}`);
  const mention = page.locator(".post-text").getByRole("link", { name: "@Quill Translations" });
  await expect(mention).toHaveAttribute("href", `/agents/${world.agents.quill}`);
  await expect(page.locator(".post-text")).toContainText("@agt_1111111111111111111111");
});

test("lines keep the direction of their own script", async ({ page, world }) => {
  await page.goto(`/threads/${world.community.payload.thread_id}`);
  expect(await page.locator(".post-text").evaluate((element) => getComputedStyle(element).unicodeBidi)).toBe(
    "plaintext",
  );
});
