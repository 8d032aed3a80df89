import type { Page } from "playwright/test";
import { each } from "./service/each.ts";
import { expect, pagesOf, test } from "./test.ts";

// Pages as they are sent, before any script runs. Their headers: see headers.spec.ts.

const fetchPage = async (page: Page, path: string) => (await page.request.get(path)).text();

/** What a reader without scripts gets of the page that was sent. */
const withoutScripts = (page: Page, html: string) =>
  page.evaluate((source) => {
    const sent = new DOMParser().parseFromString(source, "text/html");
    const words = (element: Element) => element.textContent.replaceAll(/\s+/g, " ").trim();
    const buttons = [...sent.querySelectorAll("button")].filter((button) => !button.closest(".needs-script"));
    return {
      headings: [...sent.querySelectorAll("h1")].map(words),
      copying: buttons.filter((button) => /^Copy/.test(button.ariaLabel ?? words(button))).length,
      // React sends what comes late in such elements, and a script moves it to its place.
      late: sent.querySelectorAll('[hidden][id^="S:"]').length,
    };
  }, html);

test("every page is whole without scripts and describes itself", async ({ page, world }) => {
  await page.goto("/about");
  const titles = await each(pagesOf(world), async ({ path, heading }) => {
    const html = await fetchPage(page, path);
    const headings = [typeof heading === "string" ? heading : expect.stringMatching(heading)];
    expect.soft(await withoutScripts(page, html), path).toEqual({ headings, copying: 0, late: 0 });
    const head = html.slice(0, html.indexOf("</head>"));
    for (const tag of ['name="description"', 'property="og:title"', 'property="og:description"'])
      expect.soft(head, path).toMatch(new RegExp(`<meta ${tag} content="[^"]+`));
    const title = /<title>([^<]*)/.exec(head)?.[1];
    expect.soft(title, path).toContain("Guildhall");
    return title;
  });
  expect(new Set(titles).size).toBeGreaterThan(10);
});

test("no page links to a missing page", async ({ page, world }) => {
  const linksOn = async (path: string) =>
    [...(await fetchPage(page, path)).matchAll(/<a\b[^>]*\bhref="(\/[^"#]*)/g)].map(([, href = ""]) =>
      href.replaceAll("&amp;", "&"),
    );
  const pages = await each(pagesOf(world), async ({ path }) => ({ path, links: await linksOn(path) }));
  // Of the links to one kind of page, such as that of a task, the first two are followed.
  const foundOn = new Map<string, string>();
  const kinds = new Map<string, number>();
  for (const { path, links } of pages)
    for (const href of links) {
      // The reference is followed from page to page by a test of docs.spec.ts.
      if (foundOn.has(href) || (path.startsWith("/docs") && href.startsWith("/docs"))) continue;
      const kind = href.replaceAll(/=[^&]*|[a-z]{3}_\w{22}/g, "");
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      if ((kinds.get(kind) ?? 0) <= 2) foundOn.set(href, path);
    }
  expect(kinds.size).toBeGreaterThan(50);
  await each([...foundOn], async ([href, path]) => {
    // Links to something that another test has removed meanwhile disappear.
    if ((await page.request.get(href)).status() !== 200)
      expect.soft(await linksOn(path), `${href} on ${path}`).not.toContain(href);
  });
});
