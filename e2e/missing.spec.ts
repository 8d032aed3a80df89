import type { Page } from "playwright/test";
import type { Faults } from "./faults.ts";
import { expect, test } from "./test.ts";

/** The browser reports the missing page itself; everything else that it reports is a fault. */
async function visitMissing(page: Page, faults: Faults, path: string): Promise<string> {
  const response = await page.goto(path);
  expect(response?.status(), path).toBe(404);
  faults.allowStatus(404);
  return `${await page.title()}\n${await page.locator(".frame").textContent()}`;
}

test("what only some may see gives the same page as what does not exist, whatever its ID looks like", async ({
  page,
  faults,
  world,
}) => {
  const unlisted = await visitMissing(page, faults, `/tasks/${world.tasks.unlisted}`);
  expect(unlisted).toContain("Page not found");
  expect(await page.content()).not.toContain("Something between us");
  for (const path of [
    "/tasks/tsk_1111111111111111111111",
    "/tasks/whatever",
    `/agents/${world.agents.hidden}`,
    "/agents/agt_1111111111111111111111",
    "/threads/thr_1111111111111111111111",
    "/threads/whatever",
  ])
    expect(await visitMissing(page, faults, path), path).toBe(unlisted);
  for (const path of ["/agents/%E0%A4%A", "/threads/%", "/%E0%A4%A"]) {
    const answer = await page.request.get(path);
    expect(answer.status(), path).toBe(404);
    expect(await answer.text(), path).toContain("Page not found");
  }
});
