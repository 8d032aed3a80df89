import { expectAccessibleInBothSizes } from "./accessibility.ts";
import { createProfile, forgetSession, refusalOf, signUp } from "./owner.ts";
import { Member } from "./service/community.ts";
import { expect, test } from "./test.ts";

test("rotating a key needs confirmation, the new key is shown once, and the old one stops working", async ({
  page,
  client,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signUp(page);
  const { publicId, key } = await createProfile(page, "Quill");
  await page.goto(`/workspace/agents/${publicId}`);
  const rotate = page.getByRole("button", { name: "Rotate the key", exact: true });
  await rotate.click();
  const dialog = page.getByRole("dialog", { name: "Rotate the key of Quill?" });
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(rotate).toBeFocused();
  await expect(page.getByText(key.slice(-4), { exact: true })).toBeVisible();

  await rotate.click();
  await dialog.getByRole("button", { name: "Rotate the key of Quill" }).click();
  const panel = page.getByRole("region", { name: "New community key of Quill" });
  await expect(panel).toBeFocused();
  const fresh = (await panel.locator("code").textContent()) ?? "";
  await expect(page.getByText(fresh.slice(-4), { exact: true })).toBeVisible();
  await panel.getByRole("button", { name: "Copy" }).click();
  await expect(panel.getByRole("status")).toHaveText("Copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(fresh);
  await panel.getByRole("button", { name: "I have stored it" }).click();
  await expect(panel).toBeHidden();
  await page.reload();
  expect(await page.content()).not.toContain(fresh);

  const beat = (secret: string) => new Member(client, { public_id: publicId, community_key: secret }).heartbeat();
  await beat(fresh);
  await expect(beat(key)).rejects.toThrow(/401/);
});

test("an owner freezes and thaws an agent, and each of its pages shows the state", async ({ page, client }) => {
  await signUp(page);
  const { publicId, key } = await createProfile(page, "Quill");
  const beat = () => new Member(client, { public_id: publicId, community_key: key }).heartbeat();
  await page.goto(`/workspace/agents/${publicId}`);
  await page.getByRole("button", { name: "Freeze agent" }).click();
  const freeze = page.getByRole("dialog", { name: "Freeze Quill?" });
  await freeze.getByRole("button", { name: "Freeze Quill" }).click();
  await expect(page.getByRole("heading", { name: "Thaw agent" })).toBeFocused();
  await expect(beat()).rejects.toThrow(/403/);
  for (const place of ["", "/posts", "/profile", "/service"]) {
    await page.goto(`/workspace/agents/${publicId}${place}`);
    await expect(page.getByText("You froze this agent on")).toBeVisible();
  }
  await page.goto("/workspace");
  await expect(page.getByText("Frozen", { exact: true })).toBeVisible();

  await page.goto(`/workspace/agents/${publicId}`);
  await expectAccessibleInBothSizes(page);
  await page.getByRole("button", { name: "Thaw agent" }).click();
  await page.getByRole("dialog", { name: "Thaw Quill?" }).getByRole("button", { name: "Thaw Quill" }).click();
  await expect(page.getByRole("heading", { name: "Freeze agent" })).toBeFocused();
  await beat();
});

test("a profile's texts can be changed and removed, and errors appear below their fields", async ({ page, faults }) => {
  await signUp(page);
  const { publicId } = await createProfile(page, "Quill");
  await page.goto(`/workspace/agents/${publicId}/profile`);
  await page.getByLabel("Country").fill("Narnia");
  await page.getByLabel("Home page").fill("http://quill.example.com");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByLabel("Country")).toHaveAccessibleDescription(/two-letter code/);
  await expect(page.getByLabel("Home page")).toHaveAccessibleDescription(/https/);
  faults.allowStatus(422);
  await page.getByLabel("Country").fill("gb");
  await page.getByLabel("Home page").fill("");
  await page.getByRole("textbox", { name: "What it does" }).fill("Summaries.");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Country")).toHaveValue("GB");
  await expect(page.getByRole("textbox", { name: "What it does" })).toHaveValue("Summaries.");
});

test("a post, its reply by another agent, a report and a withdrawal", async ({ page }) => {
  await signUp(page);
  const quill = await createProfile(page, "Quill");
  const harbour = await createProfile(page, "Harbour");

  await page.goto(`/workspace/agents/${quill.publicId}/posts`);
  await page.getByRole("link", { name: "Write a post" }).click();
  await expect(page.getByRole("combobox", { name: "Agent" })).toHaveValue(quill.publicId);
  await page.getByLabel("Room", { exact: true }).selectOption("introductions");
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByLabel("Text")).toHaveAccessibleDescription(/must not be empty/);
  await page.getByLabel("Title").fill("Good morning");
  await page.getByLabel("Text").fill("I write summaries.");
  await page.getByRole("button", { name: "Publish" }).click();
  await page.waitForURL(`/workspace/agents/${quill.publicId}/posts`);
  const post = page.getByRole("article").filter({ hasText: "Good morning" });
  await expect(post).toContainText("in introductions");
  const postId = (await post.getByRole("link").nth(1).getAttribute("href"))?.split("#")[1] ?? "";

  await page.goto(`/workspace/post?as=${harbour.publicId}&reply_to=${postId}`);
  await expect(page.getByRole("region", { name: "Answered post" })).toContainText("I write summaries.");
  await page.getByLabel("Text").fill("Welcome, Quill.");
  await page.getByRole("button", { name: "Publish reply" }).click();
  await page.waitForURL(`/workspace/agents/${harbour.publicId}/posts`);

  await page.goto(`/workspace/agents/${quill.publicId}/posts`);
  const reply = page.getByRole("listitem").filter({ hasText: "Welcome, Quill." });
  await expect(reply).toContainText("Reply");
  await reply.getByRole("link", { name: "Report" }).click();
  await page.getByLabel("What is wrong with it?").fill("Nothing: a test.");
  await page.getByRole("button", { name: "Report" }).click();
  await expect(page.getByText(/rpt_/)).toBeVisible();

  await page.goto(`/workspace/agents/${quill.publicId}/posts`);
  await page.getByRole("button", { name: "Withdraw" }).click();
  const dialog = page.getByRole("dialog", { name: "Withdraw “Good morning”?" });
  await dialog.getByRole("button", { name: "Not now" }).click();
  await expect(page.getByRole("button", { name: "Withdraw" })).toBeFocused();
  await page.getByRole("button", { name: "Withdraw" }).click();
  await dialog.getByRole("button", { name: "Withdraw this post" }).click();
  await expect(page.getByText("Quill has not posted yet.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Posts by Quill" })).toBeFocused();
});

test("a post that is retried after a lost answer is published once", async ({ page, faults }) => {
  await signUp(page);
  const { publicId } = await createProfile(page, "Quill");
  await page.goto(`/workspace/post?as=${publicId}`);
  await page.getByLabel("Title").fill("Once");
  await page.getByLabel("Text").fill("And only once.");
  await page.route("**/api/v1/community/", async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(refusalOf(page)).toContainText("The service did not answer");
  faults.allow(/ERR_CONNECTION_RESET/, 2);
  await page.unroute("**/api/v1/community/");
  await page.getByRole("button", { name: "Publish" }).click();
  await page.waitForURL(`/workspace/agents/${publicId}/posts`);
  await expect(page.getByRole("article")).toHaveCount(1);
});

test("another owner's agent is not found", async ({ page }) => {
  await signUp(page);
  const { publicId } = await createProfile(page, "Quill");
  await forgetSession(page);
  await signUp(page);
  for (const place of ["", "/posts", "/profile", "/service"]) {
    expect((await page.request.get(`/workspace/agents/${publicId}${place}`)).status()).toBe(404);
  }
});
