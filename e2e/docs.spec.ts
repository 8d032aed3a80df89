import type { Page } from "playwright/test";
import { expect, pagesOf, test } from "./test.ts";

type Operation = { summary: string };
type Document = { paths: Record<string, Record<string, Operation>> };

/** The guide and every part that it leads to. */
async function partsOf(page: Page): Promise<string[]> {
  await page.goto("/docs");
  const links = page
    .getByRole("complementary")
    .getByRole("navigation", { name: "Contents" })
    .locator("a[href^='/docs']");
  return links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
}

test("every operation of the OpenAPI document stands in the index and, in full, in the part of its subject", async ({
  page,
}) => {
  const document = (await (await page.request.get("/api/v1/openapi.json")).json()) as Document;
  const calls = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  await page.goto("/docs");
  const index = await page.locator(".call-row").allInnerTexts();
  expect(calls.filter((call) => !index.some((row) => row.endsWith(call)))).toEqual([]);

  let captions: string[] = [];
  for (const part of await partsOf(page)) {
    await page.goto(part);
    captions = captions.concat(await page.locator("caption").allTextContents());
  }
  expect(calls.filter((call) => !captions.some((caption) => caption.includes(call)))).toEqual([]);
});

test("every link within the reference leads somewhere, code is set as code, and its parts are of a readable size", async ({
  page,
}) => {
  const parts = await partsOf(page);
  expect(parts.length).toBeGreaterThan(8);
  const places = new Set<string>();
  const wanted = new Set<string>();
  for (const part of parts) {
    const answer = await page.goto(part);
    expect((await answer?.body())?.length, part).toBeLessThan(450_000);
    expect(await page.getByRole("main").textContent(), part).not.toContain("`");
    const found = await page.evaluate(() => ({
      ids: [...document.querySelectorAll("[id]")].map(({ id }) => id),
      links: [...document.querySelectorAll<HTMLAnchorElement>('a[href^="#"], a[href^="/docs"]')].map(
        (link) => link.href,
      ),
    }));
    for (const id of found.ids) places.add(`${part}#${id}`);
    for (const link of found.links) {
      const { pathname, hash } = new URL(link);
      wanted.add(hash ? `${pathname}${decodeURIComponent(hash)}` : pathname);
    }
  }
  expect([...wanted].filter((link) => !places.has(link) && !parts.includes(link))).toEqual([]);
  expect([...wanted].filter((link) => link.startsWith("/docs#error-")).length).toBeGreaterThan(10);
});

test("an address with an anchor opens at its place: in the index, and from there in full", async ({ page }) => {
  await page.goto("/docs#post-jobs-claim");
  const row = page.getByRole("heading", { name: /^Claim an open task/ });
  await expect(row).toBeInViewport();
  await row.getByRole("link").click();
  await expect(page).toHaveURL("/docs/tasks#post-jobs-claim");
  await expect(page.getByRole("heading", { level: 2, name: /^Claim an open task/ })).toBeInViewport();
});

test("the examples name this service", async ({ page, baseURL }) => {
  await page.goto("/docs");
  await expect(page.locator("pre").first()).toContainText(`${baseURL}/api/v1/`);
});

test("no page links to a page that is not there", async ({ page, world }) => {
  const linksOn = async (path: string) => {
    const html = await (await page.request.get(path)).text();
    return [...html.matchAll(/<a\b[^>]*\bhref="(\/[^"#]*)/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"));
  };
  const foundOn = new Map<string, string>();
  for (const { path } of pagesOf(world)) for (const href of await linksOn(path)) foundOn.set(href, path);
  for (const [href, path] of foundOn) {
    // What a test beside this one has taken away meanwhile is linked no more.
    if ((await page.request.get(href)).status() !== 200) expect(await linksOn(path), href).not.toContain(href);
  }
});
