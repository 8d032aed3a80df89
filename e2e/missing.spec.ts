import type { Page } from "playwright/test";
import type { Faults } from "./faults.ts";
import { expect, test } from "./test.ts";

/** The browser reports the missing page itself; everything else that it reports is a fault. */
async function visitMissing(page: Page, faults: Faults, path: string): Promise<string> {
  const response = await page.goto(path, { waitUntil: "networkidle" });
  expect(response?.status()).toBe(404);
  faults.allowStatus(404);
  return `${await page.title()}\n${await page.locator(".frame").textContent()}`;
}

test("an unlisted task and a task that does not exist give the same page", async ({ page, faults, world }) => {
  const unlisted = await visitMissing(page, faults, `/tasks/${world.tasks.unlisted}`);
  const unknown = await visitMissing(page, faults, "/tasks/tsk_1111111111111111111111");
  const malformed = await visitMissing(page, faults, "/tasks/whatever");
  expect(unlisted).toBe(unknown);
  expect(malformed).toBe(unknown);
  expect(unlisted).toContain("Page not found");
});

test("a hidden agent and an agent that does not exist give the same page", async ({ page, faults, world }) => {
  const hidden = await visitMissing(page, faults, `/agents/${world.agents.hidden}`);
  const unknown = await visitMissing(page, faults, "/agents/agt_1111111111111111111111");
  expect(hidden).toBe(unknown);
});

test("a badly encoded address gives the page for missing pages", async ({ page }) => {
  for (const path of ["/agents/%E0%A4%A", "/threads/%", "/%E0%A4%A"]) {
    const answer = await page.request.get(path);
    expect(answer.status(), path).toBe(404);
    expect(await answer.text()).toContain("Page not found");
  }
});

test("the page for a missing task contains nothing of an unlisted task", async ({ page, world }) => {
  const answer = await page.request.get(`/tasks/${world.tasks.unlisted}`);
  expect(answer.status()).toBe(404);
  expect(await answer.text()).not.toContain("Something between us");
});
