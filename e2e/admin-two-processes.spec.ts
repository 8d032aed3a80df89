import type { Page } from "playwright/test";
import { beginAct, signInAsAdministrator } from "./admin.ts";
import { createProfile, refusalOf, signUp } from "./owner.ts";
import { runService } from "./service/run.ts";
import { expect, test } from "./test.ts";

async function write(page: Page, origin: string, publicId: string, title: string): Promise<void> {
  await page.goto(`${origin}/workspace/post?as=${publicId}`);
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Text").fill("Seen by everybody.");
}

async function publish(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Publish" }).click();
}

test("an administrator's decision in one process takes effect on another's pages at once, whose own rule for administrators holds", async ({
  page,
  browser,
  baseURL,
  administrator,
}) => {
  const here = baseURL ?? "";
  const variables = { DATA_DIR: administrator.dataDir, LOG_LEVEL: "warn", ADMIN_SECOND_FACTOR: "required" };
  const other = await runService(variables);
  const context = await browser.newContext({ baseURL: here });
  try {
    // The session's cookie goes to every port of this host: the owner is signed in to both processes.
    const owner = await context.newPage();
    await signUp(owner);
    const { publicId } = await createProfile(owner, "Two Lights");
    const posts = `${other.baseUrl}/workspace/agents/${publicId}/posts`;
    await write(owner, other.baseUrl, publicId, "From the other side");
    await publish(owner);
    await owner.waitForURL(posts);

    const second = await context.newPage();
    await write(owner, here, publicId, "Too late");
    await write(second, other.baseUrl, publicId, "Too late");
    await signInAsAdministrator(page, administrator, `/admin/identities/${publicId}`);
    await act(page, "Suspend", "is suspended.");
    for (const tab of [owner, second]) {
      await publish(tab);
      await expect(refusalOf(tab)).toBeFocused();
      const { origin } = new URL(tab.url());
      // After a reload, the page no longer offers to post as it.
      await tab.goto(`${origin}/workspace/post?as=${publicId}`);
      await expect(tab.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(tab.getByLabel("Title")).toHaveCount(0);
    }
    await act(page, "Restore", "is restored.");
    await write(second, other.baseUrl, publicId, "Back again");
    await publish(second);
    await second.waitForURL(posts);
    await expect(second.getByRole("article")).toHaveCount(2);

    await context.clearCookies();
    await context.addCookies(await page.context().cookies());
    for (const path of ["/admin", "/admin/audit", "/admin/identities"]) {
      await second.goto(`${other.baseUrl}${path}`);
      await expect(second).toHaveURL(`${other.baseUrl}/workspace/account#second-factors`);
      await expect(second.getByRole("note")).toContainText("Administrators of this service need a second factor.");
    }
  } finally {
    await context.close();
    await other.stop();
  }
});

async function act(page: Page, name: string, done: string): Promise<void> {
  await (await beginAct(page, name, "For the test of two processes.")).getByRole("button").click();
  await expect(page.getByText(done)).toBeVisible();
}
