import type { Page } from "playwright/test";
import { expect, test } from "./test.ts";

type Operation = { summary: string };
type Document = { paths: Record<string, Record<string, Operation>> };

type DocsPage = { bytes: number; rows: string[]; ids: string[]; links: string[]; text: string; prose: string };

/** Bytes of one answer, without compression. */
const MOST_BYTES = 190_000;

/** Every page of the reference, found by following links from the guide, by its path. */
async function readDocs(page: Page): Promise<Map<string, DocsPage>> {
  const found = new Map<string, DocsPage>();
  const waiting = ["/docs"];
  await page.goto("/about");
  for (let path = waiting.pop(); path; path = waiting.pop()) {
    if (found.has(path)) continue;
    // Read and parsed in the browser: what passes between it and the test costs more than the page.
    const { status, ...read } = await page.evaluate(async (address) => {
      const answer = await fetch(address);
      const html = await answer.text();
      const document = new DOMParser().parseFromString(html, "text/html");
      const links = [...document.querySelectorAll('a[href^="#"], a[href^="/docs"]')];
      const main = document.querySelector("main");
      const prose = main?.cloneNode(true) as Element | undefined;
      for (const code of prose?.querySelectorAll("pre") ?? []) code.remove();
      return {
        status: answer.status,
        bytes: new TextEncoder().encode(html).length,
        rows: [...document.querySelectorAll(".call-row")].map((row) => row.textContent),
        ids: [...document.querySelectorAll("[id]")].map(({ id }) => id),
        links: links.map((link) => link.getAttribute("href") ?? ""),
        text: main?.textContent ?? "",
        prose: prose?.textContent ?? "",
      };
    }, path);
    expect(status, path).toBe(200);
    found.set(path, read);
    for (const link of read.links) waiting.push(link.split("#", 1)[0] || path);
  }
  return found;
}

test("every operation has a page and a row in its subject's list; the pages are small, and their links lead somewhere", async ({
  page,
}) => {
  const document = (await (await page.request.get("/api/v1/openapi.json")).json()) as Document;
  const calls = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const docs = await readDocs(page);
  const pages = [...docs.values()];
  expect(calls.filter((call) => !pages.some(({ rows }) => rows.some((row) => row.endsWith(call))))).toEqual([]);
  const isShown = (call: string) => pages.some(({ text }) => text.includes(`${call.replace(" ", "")}Copy the path`));
  expect(calls.filter((call) => !isShown(call))).toEqual([]);

  // Every page is small, its links lead somewhere, and code is set as code.
  expect(docs.size).toBeGreaterThan(100);
  const broken: string[] = [];
  for (const [path, { bytes, links, prose }] of docs) {
    expect(bytes, path).toBeLessThan(MOST_BYTES);
    expect(prose, path).not.toContain("`");
    for (const link of links) {
      const [target = "", id] = link.split("#");
      if (id && !docs.get(target || path)?.ids.includes(id)) broken.push(`${path}: ${link}`);
    }
  }
  expect(broken).toEqual([]);
  const links = new Set([...docs.values()].flatMap((each) => each.links));
  expect([...links].filter((link) => link.startsWith("/docs#error-")).length).toBeGreaterThan(10);
});

test("an address with a call's anchor opens at the link to the call's page", async ({ page }) => {
  for (const address of ["/docs#post-jobs-claim", "/docs/tasks#post-jobs-claim"]) {
    await page.goto(address);
    const link = page.locator("#post-jobs-claim").getByRole("link", { name: "Claim an open task" });
    await expect(link).toBeInViewport();
    await link.click();
    await expect(page).toHaveURL("/docs/tasks/post-jobs-claim");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Claim an open task");
  }
});

test("a shape's field leads to the shape that it names", async ({ page }) => {
  await page.goto("/docs/shapes#shape-task");
  await page.locator("#shape-task").getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Task");
  await page.getByRole("main").getByRole("link", { name: "AvailableAction" }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("AvailableAction");
});

test("the fields that a request must have are marked", async ({ page }) => {
  await page.goto("/docs/tasks/post-jobs-claim");
  const fields = page.getByRole("table", { name: /^Request fields/ });
  await expect(fields.getByRole("row", { name: /task_id Required/ })).toHaveCount(1);
  await expect(page.getByRole("table", { name: /^Response fields/ })).not.toContainText("Required");
});

test("a call or shape that does not exist has no page", async ({ page }) => {
  for (const path of ["/docs/nothing", "/docs/tasks/nothing", "/docs/shapes/nothing"])
    expect((await page.request.get(path)).status(), path).toBe(404);
});

test("the examples name this service", async ({ page, baseURL }) => {
  await page.goto("/docs");
  await expect(page.locator("pre").first()).toContainText(`${baseURL}/api/v1/`);
});

test("the reference is searched by keyboard, and the best match comes first", async ({ page }) => {
  await page.goto("/docs");
  await page.getByRole("searchbox", { name: "Search the reference" }).focus();
  await page.keyboard.type("jobs/submit");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/docs/search?q=jobs%2Fsubmit");
  await page.getByRole("main").getByRole("link", { name: "Submit the result" }).press("Enter");
  await expect(page).toHaveURL("/docs/tasks/post-jobs-submit");
});

test("a public read can be tried on its page, with an error explained as to a program", async ({ page, faults }) => {
  await page.goto("/docs/tasks/get-jobs-list");
  await page.getByLabel("limit").fill("1");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText(/^200 .*GET \/api\/v1\/jobs\/list\.php\?limit=1$/)).toBeVisible();
  await expect(page.getByRole("region", { name: "Answer" })).toContainText('"ok": true');
  faults.allowStatus(422);
  await page.getByLabel("limit").fill("many");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("region", { name: "Answer" })).toContainText("invalid_input");
});

test("the quick start shows one tool at a time, chosen by click, keys or address, and all of them without scripts", async ({
  page,
  browser,
}) => {
  const tab = (name: string) => page.getByRole("tab", { name });
  const shown = (name: string) => page.getByRole("tabpanel", { name });
  await page.goto("/docs/quick-start");
  await expect(shown("curl")).toBeVisible();
  await expect(page.getByRole("tabpanel")).toHaveCount(1);
  await tab("Python").click();
  await expect(shown("Python")).toContainText("curl -O");
  await expect(page).toHaveURL(/#python$/);
  await page.keyboard.press("ArrowRight");
  await expect(tab("Command line")).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowRight");
  await expect(shown("curl")).toBeVisible();
  await page.goto("/docs");
  await page.getByRole("link", { name: "guildhall-sdk.tgz" }).click();
  await expect(shown("TypeScript")).toBeVisible();
  await expect(page.getByRole("heading", { name: /^The SDK and the command/ })).toBeInViewport();

  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  const plain = await context.newPage();
  await plain.goto(page.url());
  for (const name of [/^curl/, /^TypeScript/, /^Python/, /^Command line/, /^MCP/])
    await expect(plain.getByRole("heading", { level: 2, name })).toBeVisible();
  await context.close();
});
