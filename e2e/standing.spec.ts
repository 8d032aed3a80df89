import type { Locator, Page } from "playwright/test";
import { TASK_STATES } from "#lib/tasks/machine.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { SIZES } from "./accessibility.ts";
import { signInAsAdministrator } from "./admin.ts";
import { MOMENTS } from "./moments.ts";
import { BASE, connect, expect, goTo, test } from "./operator.ts";
import { turn } from "./rows.ts";

type Bundle = { statements: { event: string; facts: Record<string, unknown> }[] };

/** What evidence says about a dispute and the money: the last word on each. */
function toldBy({ statements }: Bundle) {
  const last = (...events: string[]) => statements.findLast(({ event }) => events.includes(event))?.event;
  return {
    disputed: last("dispute.opened", "dispute.resolved") === "dispute.opened",
    funded: last("payment.confirmed") !== undefined,
    settlement: last("settlement.recorded", "settlement.approved", "settlement.void")?.split(".")[1],
  };
}

/** Where a party finds the task in a list; a provider that never claimed it has it in its inbox, while it is open and selected. */
function listOf({ state, parties }: TaskWire, role: string): string | undefined {
  if (role === "requester" || parties.provider) return "tasks";
  return state === "open" && parties.selected_provider ? "inbox" : undefined;
}

/** The standing that a row of a list shows for this task. */
const inRow = (page: Page, taskId: string) =>
  page.locator(`li.row:has(a[href*="${taskId}"]) [data-kind="task"]`).first();

test.describe("as the pages are sent", () => {
  // What is read here needs no scripts, and many pages are read.
  test.use({ javaScriptEnabled: false });

  test("every page and the evidence say the same about a task, at every moment of its life", async ({
    page,
    installation,
    life: { parties, moments },
    faults,
  }) => {
    faults.allow(/^failed: .*\.js csp$/);
    await signInAsAdministrator(page, await installation.administrator());
    for (const [list, said] of [
      [`/admin/tasks?q=${parties.requester.public_id}`, "inside"],
      ["/tasks", "word"],
    ] as const) {
      await page.goto(list);
      // From the newest on: tasks of other tests may have pushed them to later pages of the public list.
      for (const { name, taskId, ...words } of moments.toReversed()) {
        while (!(await inRow(page, taskId).isVisible())) await turn(page, "Older →");
        await expect(inRow(page, taskId), `${name} in ${list}`).toHaveText(words[said]);
      }
    }

    for (const { name, taskId, json, word, inside } of moments) {
      const bundle = async () => (await page.request.get(`/api/v1/jobs/evidence.php?task_id=${taskId}`)).json();
      await expect.poll(async () => (await bundle()).proofs.includes(null)).toBe(false);
      const evidence = toldBy(await bundle());
      expect(json.disputed ?? false, name).toBe(evidence.disputed);
      await page.goto(`/tasks/${taskId}`);
      await expect(page.locator('main [data-kind="task"]'), `${name} in public`).toHaveText(word);
      if (evidence.disputed) await expect(page.getByRole("region", { name: "Progress" })).toContainText("Dispute open");
      if (evidence.settlement) {
        const money = page.getByRole("region", { name: "Money" });
        await expect(money.locator('[data-kind="settlement"]'), name).toHaveAttribute(
          "data-state",
          evidence.settlement,
        );
        await expect(money, name).toContainText(evidence.funded ? /Funded\s*£/ : /Funded\s*(not|will not)/);
      }
      await page.goto(`/admin/tasks/${taskId}`);
      await expect(page.locator('main [data-kind="task"]').first(), `${name} in the administration`).toHaveText(inside);
    }
  });
});

/** Whether all of the bar can be seen without scrolling, above the bar of sections on a phone. */
const isInView = (bar: Locator) =>
  bar.evaluate((element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    const floor = document.querySelector(".bottom-bar")?.getBoundingClientRect();
    const end = floor && floor.height > 0 ? floor.top : window.innerHeight;
    return window.scrollY === 0 && top >= 0 && bottom <= end && left >= 0 && right <= window.innerWidth;
  });

for (const role of ["requester", "provider"] as const)
  test(`the ${role}'s lists say where each task stands, and its page says without scrolling what to do or whom to wait for`, async ({
    page,
    life: { parties, moments },
  }) => {
    expect(new Set(moments.map(({ json }) => json.state))).toEqual(new Set(TASK_STATES));
    await connect(page, parties[role]);
    for (const list of ["tasks", "inbox"]) {
      await goTo(page, `${BASE}/${list}`);
      for (const { name, taskId, json, inside } of moments)
        if (listOf(json, role) === list)
          await expect(inRow(page, taskId), `${name} in the list of the ${role}`).toHaveText(inside);
    }
    const bar = page.locator(".cockpit");
    // Each task is loaded in one size and then resized to the other: wide first for one role, a phone first for the other.
    const sizes = role === "requester" ? [SIZES.wide, SIZES.phone] : [SIZES.phone, SIZES.wide];
    for (const { name, asks, taskId, inside } of moments) {
      for (const size of sizes) {
        await page.setViewportSize(size);
        if (size === sizes[0]) await goTo(page, `${BASE}/tasks/${taskId}`);
        const at = `${name} for the ${role} at ${size.width}`;
        await expect(bar.locator('[data-kind="task"]'), at).toHaveText(inside);
        const button = asks[role];
        if (button) await expect(bar.getByRole("button", { name: button, exact: true }), at).toBeVisible();
        else await expect(bar.locator(".cockpit-acts > .button-primary:visible"), at).toHaveCount(0);
        const words = button ? /^Your turn: |^Waiting for / : /^Waiting for |^The task has ended/;
        await expect(bar.getByRole("status").first(), at).toContainText(words);
        await expect(bar.getByRole("button", { name: "Open a dispute" }), at).toBeHidden();
        await expect.poll(() => isInView(bar), at).toBe(true);
      }
    }
  });

test("a task that waits for a decision asks neither party for anything", async ({ page, installation }) => {
  const [requester, provider] = await installation.pair();
  const answered = MOMENTS.find(({ name }) => name === "disputed and answered");
  const task = await answered?.build(installation, requester, provider);
  await connect(page, provider, `${BASE}/tasks`);
  const row = page.locator(`li.row:has(a[href*="${task}"])`);
  await expect(row).toContainText("In dispute, waiting for the administrator");
  await expect(row).not.toContainText("statement");
  await goTo(page, BASE);
  await expect(page.getByRole("region", { name: "Set up" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Needs you now" })).toHaveCount(0);
  const visitor = await page.context().newPage();
  for (const path of ["/records", "/?show=work"]) {
    await visitor.goto(path);
    await expect(visitor.locator(`li.row:has(a[href="/tasks/${task}"])`), path).toContainText(
      "In dispute, waiting for the administrator",
    );
  }
});
