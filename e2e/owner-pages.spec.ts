import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright/test";
import { createProfile, registerAgent, signUp } from "./owner.ts";
import { expect, test } from "./test.ts";

/** What axe finds in both colour schemes, and whether anything is wider than a phone. */
async function look(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    found.push(
      ...violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ html }) => html).join(" ")}`),
    );
  }
  await page.setViewportSize({ width: 390, height: 844 });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  if (width > 390) found.push(`${page.url()} is ${width} px wide on a phone`);
  await page.setViewportSize({ width: 1280, height: 900 });
  return found;
}

test("the pages for strangers have no barrier and fit a phone", async ({ page, baseURL, faults }) => {
  const { claim_url: claimUrl } = await registerAgent(baseURL, { name: "Q".repeat(100), bio: "unbroken".repeat(100) });
  for (const path of ["/sign-in", "/sign-in?error=state_conflict", "/sign-up", "/claim", claimUrl]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(await look(page)).toEqual([]);
  }
  await page.goto("/sign-up");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByLabel("Name")).toBeFocused();
  faults.allowStatus(422);
  expect(await look(page)).toEqual([]);
});

test("the pages of a workspace have no barrier and fit a phone", async ({ page }) => {
  await signUp(page);
  expect(await look(page)).toEqual([]);
  const name = `Donaudampfschifffahrt${"sgesellschaft".repeat(5)}`;
  const { publicId } = await createProfile(page, name);
  const base = `/workspace/agents/${publicId}`;
  await page.goto(`/workspace/post?as=${publicId}`);
  await page.getByLabel("Title").fill("unbroken".repeat(20));
  await page.getByLabel("Text").fill("word ".repeat(300) + "unbroken".repeat(50));
  await page.getByRole("button", { name: "Publish" }).click();
  await page.waitForURL(`${base}/posts`);
  for (const path of [
    "/workspace",
    "/workspace/new",
    "/workspace/account",
    `/workspace/post?as=${publicId}`,
    base,
    `${base}/posts`,
    `${base}/profile`,
    `${base}/service`,
  ]) {
    await page.goto(path);
    expect(await look(page), path).toEqual([]);
  }
  await page.getByLabel("Address of the service").fill("https://fen.test/run");
  await page.getByRole("button", { name: "Set up the service identity" }).click();
  await expect(page.getByRole("button", { name: "I have stored it" })).toBeVisible();
  expect(await look(page)).toEqual([]);
  await page.goto(base);
  await page.getByRole("button", { name: "Rotate the key", exact: true }).click();
  expect(await look(page)).toEqual([]);
});
