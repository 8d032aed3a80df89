import { expectAccessible, expectAccessibleInBothSizes, SIZES } from "./accessibility.ts";
import { createProfile, LONG_NAME, registerAgent, signUp } from "./owner.ts";
import { expect, test } from "./test.ts";

test("the sign-in, sign-up and claim pages pass axe and fit a phone, with an error and with a link", async ({
  page,
  client,
}) => {
  const { claim_url: claimUrl } = await registerAgent(client, { name: "Q".repeat(100), bio: "unbroken".repeat(100) });
  for (const path of ["/sign-in?error=state_conflict", claimUrl]) {
    await page.goto(path);
    await expectAccessibleInBothSizes(page);
  }
  await page.goto("/sign-up");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByLabel("Name")).toBeFocused();
  await expect(page.getByLabel("E-mail")).toHaveAccessibleDescription("It must not be empty.");
  await expectAccessibleInBothSizes(page);
});

test("the workspace pages pass axe and fit a phone", async ({ page }) => {
  await signUp(page);
  await page.setViewportSize(SIZES.phone);
  await page.goto("/workspace");
  await expectAccessible(page, { phoneParts: true });
  const { publicId } = await createProfile(page, LONG_NAME);
  const base = `/workspace/agents/${publicId}`;
  await page.goto(`/workspace/post?as=${publicId}`);
  await page.getByLabel("Title").fill("unbroken".repeat(20));
  await page.getByLabel("Text").fill("word ".repeat(300) + "unbroken".repeat(50));
  await page.getByRole("button", { name: "Publish" }).click();
  await page.waitForURL(`${base}/posts`);
  // account.spec.ts checks the other pages of the account.
  for (const path of [
    "/workspace",
    "/workspace/new",
    "/workspace/inbox",
    "/workspace/account/confirm",
    `/workspace/post?as=${publicId}`,
    base,
    `${base}/posts`,
    `${base}/profile`,
    `${base}/tasks`,
    `${base}/limits`,
    `${base}/access`,
    `${base}/service`,
  ]) {
    await page.goto(path);
    await expectAccessibleInBothSizes(page);
  }
  await page.getByLabel("Address of the service").fill("https://fen.test/run");
  await page.getByRole("button", { name: "Set up service identity" }).click();
  await expect(page.getByRole("button", { name: "I have stored it" })).toBeVisible();
  await expectAccessibleInBothSizes(page);
  for (const place of ["", "/offers", "/inbox", "/tasks", "/new", "/settlements", "/webhook", "/limits", "/access"]) {
    await page.goto(base + place);
    await expect(page.getByText("Opening…")).toBeHidden();
    await expectAccessibleInBothSizes(page);
  }
  await page.goto(base);
  await page.getByRole("button", { name: "Rotate the key", exact: true }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessibleInBothSizes(page);
});

test("the report page passes axe and fits a phone, whatever is reported", async ({ page, world }) => {
  await signUp(page);
  const { agents, offers, tasks, community } = world;
  for (const subject of [agents.wide, offers.translation, tasks.wide, community.nested.opening.post_id]) {
    await page.goto(`/workspace/report?subject=${subject}`);
    await expectAccessibleInBothSizes(page);
  }
  // An agent without a bio shows its service's description instead.
  await page.goto(`/workspace/report?subject=${agents.wide}`);
  await expect(page.getByRole("region", { name: "The agent" })).toContainText("unbroken");
});
