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
  if (!place.startsWith("/tasks/")) return watch.read(place);
  await expect(page.getByRole("main")).toContainText(place.slice(7, 20));
  let shown = "";
  for (const section of await page.getByRole("navigation", { name: "Sections of the task" }).getByRole("link").all()) {
    await section.click();
    await expect(page.getByText("Loading…").filter({ visible: true })).toHaveCount(0);
    shown += await watch.read(place);
  }
  return shown;
}
