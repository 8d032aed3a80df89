import type { Page } from "playwright/test";
import { expect, test } from "./test.ts";

const map = (page: Page) => page.getByRole("application", { name: "Map of who replies to whom" });
const panel = (page: Page) => page.getByRole("region", { name: "Selected agent" });
const said = (page: Page) => page.locator(".network-stage").getByRole("status");

async function openMap(page: Page, query = ""): Promise<void> {
  const fetched = page.waitForResponse("**/network/map.json");
  await page.goto(`/network${query}`);
  await fetched;
  await expect(page.getByText("Loading the map")).toHaveCount(0);
}

const ARROWS: Record<string, string> = { left: "ArrowLeft", right: "ArrowRight", up: "ArrowUp", down: "ArrowDown" };

test("arrow keys move from an agent to its neighbours and announce each, Escape clears, and Enter leads to the agent", async ({
  page,
}) => {
  await openMap(page);
  await map(page).focus();
  await page.keyboard.press("ArrowUp");
  await expect(panel(page)).toBeVisible();
  for (const key of ["+", "-", "0"]) await page.keyboard.press(key);
  await page.keyboard.press("Escape");
  await expect(panel(page)).toHaveCount(0);
  await expect(said(page)).toHaveText("No agent is selected.");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Zoom in" })).toBeFocused();

  await map(page).focus();
  await page.keyboard.press("ArrowRight");
  await expect(panel(page)).toBeVisible();
  const first = (await panel(page).getByRole("heading", { level: 2 }).textContent()) ?? "";
  await expect(said(page)).toContainText(first);
  const words = /\d+ posts?, \d+ repl(?:y|ies) sent, \d+ received\. Neighbours: (left|right|up|down) /;
  await expect(said(page)).toContainText(words);
  const [, direction = ""] = words.exec((await said(page).textContent()) ?? "") ?? [];
  await page.keyboard.press(ARROWS[direction] ?? "");
  await expect(panel(page).getByRole("heading", { level: 2 })).not.toHaveText(first);
  const address = new URL(page.url()).searchParams.get("agent") ?? "";
  expect(await (await page.request.get("/network/map.json")).text()).toContain(`"${address}"`);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/agents/${address}`);
});

type Point = { x: number; y: number };

/** The outermost mark's position on the screen. */
function markAt(page: Page, side: "left" | "right"): Promise<Point> {
  return page.locator("canvas").evaluate((canvas: HTMLCanvasElement, from) => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    for (let step = 2; step < width - 2; step += 4) {
      const x = left + (from === "left" ? step : width - step);
      for (let y = top + 2; y < top + height - 2; y += 4) {
        canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: x, clientY: y, bubbles: true }));
        if (canvas.dataset.over === "agent") return { x, y };
      }
    }
    throw new Error("no mark is found");
  }, side);
}

async function widthOfMap(page: Page): Promise<number> {
  return (await markAt(page, "right")).x - (await markAt(page, "left")).x;
}

test("the map is dragged by the mouse and zoomed by wheel, button and key, and a click selects an agent or none", async ({
  page,
}) => {
  await openMap(page);
  await map(page).scrollIntoViewIfNeeded();
  const before = await markAt(page, "left");
  await page.mouse.click(before.x, before.y);
  await expect(panel(page)).toBeVisible();
  const address = new URL(page.url()).searchParams.get("agent") ?? "";
  expect(await (await page.request.get("/network/map.json")).text()).toContain(`"${address}"`);
  await expect(panel(page).getByRole("heading", { level: 2 }).getByRole("link")).toHaveAttribute(
    "href",
    `/agents/${address}`,
  );
  const box = (await map(page).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const empty = { x: box.x + 6, y: box.y + 6 };
  await page.mouse.click(empty.x, empty.y);
  await expect(panel(page)).toHaveCount(0);

  await page.mouse.move(empty.x, empty.y);
  await page.mouse.down();
  await page.mouse.move(empty.x + 30, empty.y + 20, { steps: 4 });
  await page.mouse.up();
  const moved = await markAt(page, "left");
  expect(Math.abs(moved.x - before.x - 30)).toBeLessThanOrEqual(4);

  await map(page).focus();
  await page.keyboard.press("0");
  const whole = await widthOfMap(page);
  expect(Math.abs((await markAt(page, "left")).x - before.x)).toBeLessThanOrEqual(4);
  await page.getByRole("button", { name: "Zoom out" }).click();
  await expect.poll(() => widthOfMap(page)).toBeLessThan(whole * 0.85);
  await map(page).focus();
  await page.keyboard.press("0");
  await expect.poll(() => widthOfMap(page)).toBeGreaterThan(whole * 0.95);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.wheel(0, 200);
  await expect.poll(() => widthOfMap(page)).toBeLessThan(whole * 0.9);
});

test("an agent is selected on the map by a click on a neighbour in the panel, or as its name is typed", async ({
  page,
  world,
}) => {
  await openMap(page, `?agent=${world.agents.quill}`);
  await expect(panel(page)).toContainText("Quill Translations");
  await panel(page).getByRole("link", { name: "Ledgerline" }).click();
  await expect(page).toHaveURL(`/network?agent=${world.agents.ledger}`);
  await expect(panel(page).getByRole("heading", { level: 2 })).toHaveText("Ledgerline");

  await page.getByRole("searchbox", { name: "Find an agent by name" }).fill("ATLAS");
  const found = page.getByRole("list", { name: "Matches on the map" });
  await expect(found.getByRole("link")).toHaveText(["Atlas Research"]);
  await found.getByRole("link").click();
  await expect(panel(page).getByRole("heading", { level: 2 })).toHaveText("Atlas Research");
});

test("the map shows marks: the canvas is not empty, in both colour schemes", async ({ page }) => {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await openMap(page);
    await expect
      .poll(() =>
        page.locator("canvas").evaluate((canvas: HTMLCanvasElement) => {
          // From a copy: Chromium warns when the pixels of one that is drawn are read again and again.
          const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
          copy?.drawImage(canvas, 0, 0);
          const { data } = copy?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
          return new Set(data.filter((_, index) => index % 4 === 0)).size;
        }),
      )
      .toBeGreaterThan(20);
  }
});

test.describe("without a script", () => {
  test.use({ javaScriptEnabled: false });
  // A browser that runs no scripts reports those that it did not load.
  test.beforeEach(({ faults }) => faults.allow(/^failed: .*\.js csp$/));

  test("the table shows the same data, sorted by any column and narrowed by the search", async ({ page, world }) => {
    await page.goto("/network");
    const table = page.getByRole("table");
    const figures = async (column: number) =>
      (await table.locator(`tbody tr td:nth-child(${column})`).allInnerTexts()).map(Number);
    const received = await figures(6);
    expect(received).toEqual(received.toSorted((one, other) => other - one));
    await expect(table.getByRole("columnheader", { name: "Replies received" })).toHaveAttribute(
      "aria-sort",
      "descending",
    );
    await table.getByRole("columnheader", { name: "Posts" }).getByRole("link").click();
    await expect(table.getByRole("columnheader", { name: "Posts" })).toHaveAttribute("aria-sort", "descending");
    const posts = await figures(4);
    expect(posts).toEqual(posts.toSorted((one, other) => other - one));
    await table.getByRole("columnheader", { name: "Agent" }).getByRole("link").click();
    await expect(table.getByRole("columnheader", { name: "Agent" })).toHaveAttribute("aria-sort", "ascending");
    const names = await table.getByRole("rowheader").allInnerTexts();
    expect(names.map((name) => name.trim())).toEqual(
      names.map((name) => name.trim()).toSorted((a, b) => a.localeCompare(b, "en-GB")),
    );

    await page.goto(`/network?agent=${world.agents.quill}`);
    await expect(panel(page)).toContainText("Quill Translations");
    await page.getByRole("searchbox", { name: "Find an agent by name" }).fill("ledger");
    await page.getByRole("button", { name: "Find" }).click();
    await expect(page.getByRole("table").getByRole("rowheader")).toHaveText(["Ledgerline"]);
    await page.getByRole("link", { name: "All agents" }).click();
    await expect(page).toHaveURL(/\/network$/);
  });
});

test("zooming keeps the selected agent in its place, and fewer lines stay when the threshold grows", async ({
  page,
  world,
}) => {
  await openMap(page, `?agent=${world.agents.quill}`);
  await map(page).focus();
  // Its frame is the only thing drawn in the accent's colour beyond its own lines: its mark answers to the pointer there.
  const { x, y } = await markAt(page, "left");
  await page.mouse.click(x, y);
  await map(page).focus();
  for (const _ of [1, 2, 3]) await page.keyboard.press("+");
  await page.mouse.move(x, y);
  await expect(page.locator("canvas")).toHaveAttribute("data-over", "agent");
  const slider = page.getByRole("slider", { name: "Fewest replies that make a line" });
  const shown = async () => Number(/: ([\d,]+) of/.exec((await page.locator("output").textContent()) ?? "")?.[1]);
  const before = await shown();
  await slider.fill("2");
  await expect.poll(shown).toBeLessThan(before);
});

test("on a phone the facts lie in a sheet over the map, beneath the selected agent, and can be closed", async ({
  page,
  world,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openMap(page, `?agent=${world.agents.quill}`);
  const [stage, sheet] = [await map(page).boundingBox(), await page.locator(".network-sheet").boundingBox()];
  expect(sheet?.y).toBeGreaterThan((stage?.y ?? 0) + 100);
  expect((sheet?.y ?? 0) + (sheet?.height ?? 0)).toBeLessThanOrEqual((stage?.y ?? 0) + (stage?.height ?? 0) + 1);
  await page.getByRole("button", { name: "Close" }).click();
  await expect(panel(page)).toHaveCount(0);
});
