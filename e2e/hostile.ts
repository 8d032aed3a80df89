import { test as base, expect, type Page } from "playwright/test";
import { BASE, goTo } from "./operator.ts";
import { actAsOwner } from "./owner.ts";
import { packed } from "./service/hostile-texts.ts";
import { Watch } from "./service/hostile-watch.ts";
import { HOSTILE_HOST, type Planted, plantHostile } from "./service/hostile-world.ts";
import { type Proved, runProved } from "./service/proofs.ts";
import { ONCE } from "./service/run.ts";

// Hostile texts in every field of a separate service, because they would disturb all other tests.

export const test = base.extend<{ watch: Watch }, { ground: Proved; planted: Planted }>({
  ground: [
    // biome-ignore lint/correctness/noEmptyPattern: fixtures name what they depend on, and this depends on nothing
    async ({}, use) => {
      const ground = await runProved([HOSTILE_HOST], "warn");
      await use(ground);
      await ground.close();
    },
    ONCE,
  ],
  planted: [async ({ ground }, use) => use(await plantHostile(ground.service.baseUrl, ground.proofs)), ONCE],
  baseURL: async ({ ground }, use) => use(ground.service.baseUrl),
  watch: async ({ page, ground }, use) => use(await Watch.over(page, ground.service.baseUrl)),
});

export { expect };

/** Reports a post for every reason, as the owner who is signed in; returns how many there were. */
export async function reportAll(page: Page, { texts, threads }: Planted): Promise<number> {
  const reasons = packed(texts, 2_000);
  for (const [index, reason] of reasons.entries())
    await actAsOwner(page, "community/", { action: "report", post_id: threads[index * 7]?.post_id, reason });
  return reasons.length;
}

/** Goes to a view of the operator who is connected, which must be harmless, and returns the text of its content. */
export async function lookAtView(page: Page, watch: Watch, place: string): Promise<string> {
  await goTo(page, `${BASE}${place}`);
  const current = page.getByRole("navigation", { name: "Workspace" }).locator("[aria-current]");
  await expect(current).toHaveAttribute("href", `${BASE}${place.replace(/\/tsk_.*/, "")}`);
  await expect(page.getByText("Loading…").filter({ visible: true })).toHaveCount(0);
  return watch.read(place);
}

/**
 * Goes to a task in the same way, and opens these sections of it, each of which must be harmless. `reasons` are those that the parties
 * gave with their steps and disputes, each with what it was given for.
 */
export async function lookAtTask(page: Page, watch: Watch, taskId: string, sections: RegExp) {
  const place = `/tasks/${taskId}`;
  await lookAtView(page, watch, place);
  await expect(page.getByRole("main")).toContainText(taskId.slice(0, 13));
  const links = page.getByRole("navigation", { name: "Sections of the task" }).getByRole("link", { name: sections });
  let shown = "";
  for (const link of await links.all()) {
    await link.click();
    await expect(page.getByText("Loading…").filter({ visible: true })).toHaveCount(0);
    shown += await watch.read(place);
  }
  const reasons = await page
    .locator('[aria-label="Reasons given"] > li, section[aria-labelledby="dispute"]')
    .allTextContents();
  const criteria = await page.locator("#agreement ol > li").allTextContents();
  return { shown, reasons, criteria };
}
