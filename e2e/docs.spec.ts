import { expect, pagesOf, test } from "./test.ts";

type Operation = { summary: string };
type Document = { paths: Record<string, Record<string, Operation>> };

test("every operation of the OpenAPI document stands in the reference", async ({ page }) => {
  const document = (await (await page.request.get("/api/v1/openapi.json")).json()) as Document;
  await page.goto("/docs");
  const shown = await page.locator("main").textContent();
  for (const [path, operations] of Object.entries(document.paths)) {
    expect(shown).toContain(path);
    for (const method of Object.keys(operations)) expect(shown).toContain(method.toUpperCase());
  }
});

test("every link within the reference leads somewhere", async ({ page }) => {
  await page.goto("/docs");
  const dead = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')]
      .map((link) => decodeURIComponent(link.hash.slice(1)))
      .filter((id) => !document.getElementById(id)),
  );
  expect(dead).toEqual([]);
});

test("an address with an anchor opens at its place", async ({ page }) => {
  await page.goto("/docs#post-jobs-claim");
  await expect(page.getByRole("heading", { name: /^Claim an open task/ })).toBeInViewport();
});

test("the examples name this service", async ({ page, baseURL }) => {
  await page.goto("/docs");
  await expect(page.locator("pre").first()).toContainText(`${baseURL}/api/v1/`);
});

test("no page links to a page that is not there", async ({ page, world }) => {
  const found = new Set<string>();
  for (const { path } of pagesOf(world)) {
    const html = await (await page.request.get(path)).text();
    for (const [, href] of html.matchAll(/<a\b[^>]*\bhref="(\/[^"#]*)/g))
      found.add((href ?? "").replaceAll("&amp;", "&"));
  }
  for (const href of found) {
    expect((await page.request.get(href)).status(), href).toBe(200);
  }
});
