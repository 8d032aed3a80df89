import type { Page } from "playwright/test";
import { expectAccessibleInBothSizes } from "./accessibility.ts";
import { BASE, connect, expect, goTo, type Installation, tab, test } from "./operator.ts";
import { focused, tabTo } from "./owner.ts";
import { type Agent, offer } from "./service/agents.ts";

/** Opens each dialog of a view that is not among those `seen` by its button, looks at it, and leaves it by Escape. */
async function lookAtDialogs(page: Page, seen: Set<string>): Promise<void> {
  const menu = page.getByRole("button", { name: "More steps" });
  const openMenu = async () => {
    if ((await menu.isVisible()) && (await menu.getAttribute("aria-expanded")) === "false") await menu.click();
  };
  await openMenu();
  if (await menu.isVisible()) await expectAccessibleInBothSizes(page, { part: ".cockpit" });
  const openers = page.getByRole("main").locator("button:has(+ dialog):visible");
  for (let at = 0; at < (await openers.count()); at += 1) {
    const opener = openers.nth(at);
    const name = (await opener.textContent()) ?? "";
    if (seen.has(name)) continue;
    seen.add(name);
    await opener.click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await expectAccessibleInBothSizes(page, { part: "dialog[open]" });
    await page.keyboard.press("Escape");
    await expect(opener).toBeFocused();
    await openMenu();
  }
}

/** The same for the dialog that opens after a long time without input. */
async function lookAtWarning(page: Page): Promise<void> {
  const warning = page.getByRole("alertdialog", { name: "Still there?", includeHidden: true });
  await warning.evaluate((dialog: HTMLDialogElement) => dialog.showModal());
  await expectAccessibleInBothSizes(page, { part: "dialog[open]" });
  await page.keyboard.press("Escape");
  await expect(warning).toBeHidden();
}

type View = {
  path: string;
  shows: string;
  /** Buttons that unfold a form in the view. */
  folds?: string[];
};

const DIALOGS = [
  "Accept the agreement",
  "Ask for changes",
  "Cancel the task",
  "Complete",
  "Decline the agreement",
  "Dismiss the provider",
  "Give back the task",
  "Give up the work",
  "Open a dispute",
  "Start work",
];

/** Two identities with something in every state, and the views of each. */
async function setScene(installation: Installation): Promise<[Agent, View[]][]> {
  const alder = await installation.agent(`Alder${"unbroken".repeat(8)}`);
  const birch = await installation.agent("Birch", { skills: ["counting"], health: "available" });
  await offer(
    installation.client,
    birch,
    { skill: "counting", description: "Counts words.", input: "A text.", output: "A number.", limits: "1 MB." },
    500,
  );
  const { tasks } = installation;
  const wide = "unbroken".repeat(20);
  const open = await tasks.post(alder, { brief: `${wide}\n${wide}`, provider: birch });
  const claimed = await tasks.post(alder, { brief: "To be agreed", budget: 900 });
  await tasks.step(birch, "claim", claimed);
  const proposed = await tasks.post(alder, { brief: "Proposed", budget: 900 });
  await tasks.step(birch, "claim", proposed);
  await tasks.propose(alder, proposed, 900);
  const accepted = await tasks.post(alder, { brief: "To be funded", budget: 900 });
  await tasks.agree(alder, birch, accepted, 900);
  const free = await tasks.post(alder, { brief: "To be begun" });
  await tasks.agree(alder, birch, free, 0);
  const working = await tasks.post(alder, { brief: "At work" });
  await tasks.begin(alder, birch, working);
  const submitted = await tasks.post(alder, { brief: wide });
  await tasks.deliver(alder, birch, submitted, wide);
  return [
    [
      birch,
      [
        { path: BASE, shows: "Ready" },
        { path: `${BASE}/offers`, shows: "Matching", folds: ["Edit the offer for counting", "New offer"] },
        { path: `${BASE}/inbox`, shows: "Selected for this service" },
        { path: `${BASE}/tasks`, shows: "At work" },
        { path: `${BASE}/settlements`, shows: "Agreed, simulated", folds: ["Show chart by month"] },
        { path: `${BASE}/tasks/${open}`, shows: "Claim" },
        { path: `${BASE}/tasks/${claimed}`, shows: "Give back the task" },
        { path: `${BASE}/tasks/${proposed}`, shows: "it matches the recorded one" },
        { path: `${BASE}/tasks/${free}`, shows: "Start work" },
        { path: `${BASE}/tasks/${working}`, shows: "Submit a result" },
      ],
    ],
    [
      alder,
      [
        { path: `${BASE}/new`, shows: "Post task", folds: ["Post task"] },
        { path: `${BASE}/tasks/${claimed}`, shows: "Propose these terms" },
        { path: `${BASE}/tasks/${accepted}`, shows: "Simulate a declined card" },
        { path: `${BASE}/tasks/${submitted}`, shows: "Ask for changes" },
      ],
    ],
  ];
}

test("every view, form and dialog has no axe findings and fits a phone and a wide screen, in both colour schemes", async ({
  page,
  installation,
}) => {
  const seen = new Set<string>();
  for (const [agent, views] of await setScene(installation)) {
    await connect(page, agent);
    for (const { path, shows, folds = [] } of views) {
      await goTo(page, path);
      await expect(page.getByRole("main")).toContainText(shows);
      await expect(page.getByText("Loading…")).toHaveCount(0);
      await expectAccessibleInBothSizes(page, { phoneParts: path === BASE });
      await lookAtDialogs(page, seen);
      for (const fold of folds) {
        await page.getByRole("button", { name: fold, exact: true }).click();
        await expectAccessibleInBothSizes(page, { part: "main" });
      }
    }
    await lookAtWarning(page);
    await page.getByRole("button", { name: "Disconnect" }).click();
  }
  expect([...seen].sort()).toEqual(DIALOGS);
});

test("everything from connecting to a confirmed step works with the keyboard only", async ({ page, installation }) => {
  const agent = await installation.agent("Keyed");
  const task = await installation.tasks.post(agent, { brief: "By keys alone" });
  await page.goto(`${BASE}/tasks/${task}`);
  await expect(page.getByRole("button", { name: "Connect", exact: true })).toBeEnabled();
  await tabTo(page, "input Public ID");
  await page.keyboard.insertText(agent.public_id);
  await page.keyboard.press("Tab");
  await expect.poll(() => focused(page)).toBe("input Management token");
  await page.keyboard.insertText(agent.management_token);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 2, name: "By keys alone" })).toBeVisible();
  await tabTo(page, "button More steps");
  await page.keyboard.press("Enter");
  await tabTo(page, "button Cancel the task");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Cancel “By keys alone”?" });
  await expect(dialog).toBeVisible();
  await tabTo(page, "button Cancel the task");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toContainText("Cancelled");
  await tabTo(page, "a Overview");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main").locator("h2:focus")).toHaveCount(1);
});

test("a list of ten thousand shows one page at a time, and its end is a few key presses away", async ({
  page,
  installation,
}) => {
  const agent = await installation.agent("Busy");
  const template = await installation.tasks.post(agent, { brief: "One of very many" });
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
