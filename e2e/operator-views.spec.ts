import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright/test";
import { BASE, connect, expect, tab, test } from "./operator.ts";
import { focused, tabTo } from "./owner.ts";
import type { Agent } from "./service/agents.ts";

/** Goes to a view as its links do, without a reload. */
function goTo(page: Page, path: string): Promise<void> {
  return page.evaluate((href) => window.history.pushState(null, "", href), path);
}

async function look(page: Page): Promise<string[]> {
  const found: string[] = [];
  // What the pointer happens to be over looks otherwise.
  await page.mouse.move(0, 0);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const axe = new AxeBuilder({ page }).setLegacyMode();
    const { violations } = await (colorScheme === "light"
      ? axe
      : axe.options({ runOnly: { type: "tag", values: ["cat.color"] } })
    ).analyze();
    found.push(
      ...violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ html }) => html).join(" ")}`),
    );
  }
  const width = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (width > 0) found.push(`${page.url()} is ${width} px too wide`);
  return found;
}

type Scene = { alder: Agent; birch: Agent; views: [path: string, shows: string | RegExp][] };

for (const viewport of [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
]) {
  test(`every view is without barriers and fits ${viewport.width} pixels, in both colour schemes`, async ({
    page,
    house,
  }) => {
    await page.setViewportSize(viewport);
    const alder = await house.agent(`Alder${"unbroken".repeat(8)}`);
    const birch = await house.agent("Birch", { skills: ["counting"], health: "available" });
    const { tasks } = house;
    const wide = "unbroken".repeat(20);
    const open = await tasks.post(alder, { brief: `${wide}\n${wide}`, provider: birch });
    const claimed = await tasks.post(alder, { brief: "To be agreed", budget: 900 });
    await tasks.step(birch, "claim", claimed);
    const proposed = await tasks.post(alder, { brief: "Proposed", budget: 900 });
    await tasks.step(birch, "claim", proposed);
    await tasks.propose(alder, proposed, 900);
    const accepted = await tasks.post(alder, { brief: "To be funded", budget: 900 });
    await tasks.agree(alder, birch, accepted, 900);
    const working = await tasks.post(alder, { brief: "At work" });
    await tasks.agree(alder, birch, working, 0);
    await tasks.step(birch, "start", working);
    const scenes: Record<string, Scene["views"]> = {
      birch: [
        [BASE, "Ready"],
        [`${BASE}/offers`, "Would I be found?"],
        [`${BASE}/inbox`, "Selected for this service"],
        [`${BASE}/tasks`, "At work"],
        [`${BASE}/settlements`, "Agreed, simulated"],
        [`${BASE}/tasks/${open}`, "Claim"],
        [`${BASE}/tasks/${proposed}`, "got the recorded hash"],
        [`${BASE}/tasks/${working}`, "Submit a result"],
      ],
      alder: [
        [`${BASE}/new`, "Post the task"],
        [`${BASE}/tasks/${claimed}`, "Propose these terms"],
        [`${BASE}/tasks/${accepted}`, "Simulate a declined card"],
      ],
    };
    for (const [agent, views] of [
      [birch, scenes.birch],
      [alder, scenes.alder],
    ] as const) {
      await connect(page, agent);
      for (const [path, shows] of views ?? []) {
        await goTo(page, path);
        await expect(page.getByRole("main")).toContainText(shows);
        await expect(page.getByText("Reading…")).toHaveCount(0);
        expect(await look(page), path).toEqual([]);
      }
      await page.getByRole("button", { name: "Disconnect" }).click();
    }
  });
}

test("everything from connecting to a confirmed step works by keyboard alone", async ({ page, house }) => {
  const agent = await house.agent("Keyed");
  const task = await house.tasks.post(agent, { brief: "By keys alone" });
  await page.goto(`${BASE}/tasks/${task}`);
  await expect(page.getByRole("button", { name: "Connect", exact: true })).toBeEnabled();
  await tabTo(page, "input Public ID");
  await page.keyboard.insertText(agent.public_id);
  await page.keyboard.press("Tab");
  expect(await focused(page)).toBe("input Management token");
  await page.keyboard.insertText(agent.management_token);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 2, name: "By keys alone" })).toBeVisible();
  await tabTo(page, "button Cancel the task");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Cancel “By keys alone”?" });
  await expect(dialog).toBeVisible();
  await tabTo(page, "button Cancel the task");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toContainText("Cancelled");
  await tabTo(page, "a Overview");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 2, name: "Health" })).toBeFocused();
});

test("of a list of ten thousand a page is held at a time, and its end is a few presses away", async ({
  page,
  house,
}) => {
  const agent = await house.agent("Busy");
  const template = await house.tasks.post(agent, { brief: "One of very many" });
  await connect(page, agent);
  await page.route("**/jobs/mine.php*", async (route) => {
    const url = new URL(route.request().url());
    const from = Number(url.searchParams.get("cursor") ?? 0);
    const answer = await page.request.get(`/api/v1/jobs/show.php?task_id=${template}`);
    const { task } = await answer.json();
    const tasks = Array.from({ length: 20 }, (_, index) => ({
      ...task,
      task_id: `tsk_${String(from + index + 1).padStart(22, "1")}`.replaceAll("0", "z"),
      title: `Task number ${from + index + 1} of 10,000`,
    }));
    const next = from + 20 < 10_000 ? String(from + 20) : null;
    await route.fulfill({ json: { ok: true, tasks, next_cursor: next } });
  });
  await tab(page, "Tasks");
  const rows = page.getByRole("main").locator("li.row");
  for (const number of [1, 21, 41, 61]) {
    await expect(rows.first()).toContainText(`Task number ${number} of`);
    await expect(rows).toHaveCount(20);
    await page.getByRole("button", { name: "Older →" }).click();
  }
  await page.getByRole("button", { name: "← Newer" }).click();
  await expect(rows.first()).toContainText("Task number 61 of");
  expect(await page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(1_500);
});
