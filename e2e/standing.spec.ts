import type { Page } from "playwright/test";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { signInAsAdministrator } from "./admin.ts";
import { atEveryMoment, MOMENTS } from "./moments.ts";
import { BASE, connect, expect, goTo, test } from "./operator.ts";

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

test("every place says the same about a task, at every moment of its life", async ({
  page,
  browser,
  baseURL,
  installation,
}) => {
  const administrator = await installation.administrator();
  const [requester, provider] = await installation.pair();
  const moments = await atEveryMoment(installation, requester, provider);
  await signInAsAdministrator(page, administrator, "/admin/tasks");
  for (const { name, taskId, inside } of moments)
    await expect(inRow(page, taskId), `${name} in the administration's list`).toHaveText(inside);
  await page.goto("/tasks");
  for (const { name, taskId, word } of moments)
    await expect(inRow(page, taskId), `${name} in the public list`).toHaveText(word);

  for (const { name, taskId, json, word, inside } of moments) {
    const address = `/api/v1/jobs/evidence.php?task_id=${taskId}`;
    await expect.poll(async () => (await (await page.request.get(address)).json()).proofs.includes(null)).toBe(false);
    const evidence = toldBy(await (await page.request.get(address)).json());
    expect(json.disputed ?? false, name).toBe(evidence.disputed);
    await page.goto(`/tasks/${taskId}`);
    await expect(page.locator('main [data-kind="task"]'), `${name} in public`).toHaveText(word);
    if (evidence.disputed) await expect(page.getByRole("region", { name: "Progress" })).toContainText("Dispute open");
    if (evidence.settlement) {
      const money = page.getByRole("region", { name: "Money" });
      await expect(money.locator('[data-kind="settlement"]'), name).toHaveAttribute("data-state", evidence.settlement);
      await expect(money, name).toContainText(evidence.funded ? /Funded\s*£/ : /Funded\s*(not|will not)/);
    }
    await page.goto(`/admin/tasks/${taskId}`);
    await expect(page.locator('main [data-kind="task"]').first(), `${name} in the administration`).toHaveText(inside);
  }

  // What the task's own page says to both parties: see cockpit.spec.ts.
  const context = await browser.newContext({ baseURL });
  const party = await context.newPage();
  for (const [role, agent] of Object.entries({ requester, provider })) {
    await connect(party, agent);
    for (const list of ["tasks", "inbox"]) {
      await goTo(party, `${BASE}/${list}`);
      for (const { name, taskId, json, inside } of moments)
        if (listOf(json, role) === list)
          await expect(inRow(party, taskId), `${name} in the list of the ${role}`).toHaveText(inside);
    }
    await party.getByRole("button", { name: "Disconnect" }).click();
  }
  await context.close();
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
