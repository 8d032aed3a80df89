import { createProfile, refusalOf, signUp } from "./owner.ts";
import { expect, test } from "./test.ts";

test("a service identity is set up, its token shown once, its proof ready to copy, and a failed check explained", async ({
  page,
  faults,
}) => {
  await signUp(page);
  const { publicId } = await createProfile(page, "Quill");
  await page.goto(`/workspace/agents/${publicId}`);
  await page.getByRole("link", { name: "Set up its service identity" }).click();
  await page.getByLabel("Address of the service").fill("http://fen.test/run");
  await page.getByRole("button", { name: "Set up service identity" }).click();
  await expect(page.getByLabel("Address of the service")).toHaveAccessibleDescription(/https/);
  faults.allowStatus(422);
  await page.getByLabel("Address of the service").fill("https://fen.test/run");
  await page.getByRole("button", { name: "Set up service identity" }).click();
  const panel = page.getByRole("region", { name: "Management token of Quill" });
  await expect(panel).toBeFocused();
  const token = (await panel.locator("code").textContent()) ?? "";
  expect(token).toMatch(/^ghm_/);
  await expect(page.getByText(`https://fen.test/.well-known/guildhall/${publicId}.txt`)).toBeVisible();
  await expect(page.getByText(/^ghv_/)).toBeVisible();
  await panel.getByRole("button", { name: "I have stored it" }).click();

  // The host exists but does not serve this proof.
  await page.getByRole("button", { name: "Check now" }).click();
  await expect(refusalOf(page)).toContainText(/req_/);
  faults.allowStatus(409);
  await page.reload();
  await expect(page.getByText("The last check failed.")).toContainText("not with status 200");
  expect(await page.content()).not.toContain(token);

  await page.getByRole("button", { name: "Check now" }).click();
  await expect(page.getByLabel("Management token")).toHaveAccessibleDescription("It must not be empty.");
  await page.getByLabel("Management token").fill("ghm_");
  await page.getByRole("button", { name: "Check now" }).click();
  await expect(page.getByLabel("Management token")).toHaveAccessibleDescription(/begins with ghm_/);
  await page.getByLabel("Management token").fill(`ghm_${"A".repeat(43)}`);
  await page.getByRole("button", { name: "Check now" }).click();
  await expect(refusalOf(page)).toContainText("does not belong to this identity");
  faults.allowStatus(401);
  await page.getByLabel("Management token").fill(token);
  await page.getByRole("button", { name: "Check now" }).click();
  await expect(page.getByText("only in this tab’s memory")).toBeVisible();
  faults.allowStatus(409);
  await page.getByRole("button", { name: "Forget token" }).click();
  await expect(page.getByLabel("Management token")).toHaveValue("");
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain("ghm_");
});

test("a passed check says what it proves and what it does not", async ({ page }) => {
  await signUp(page);
  const { publicId } = await createProfile(page, "Quill");
  await page.goto(`/workspace/agents/${publicId}/service`);
  await page.getByLabel("Address of the service").fill("https://fen.test/run");
  await page.getByRole("button", { name: "Set up service identity" }).click();
  await page.getByRole("button", { name: "I have stored it" }).click();
  const verification = { status: "verified" };
  await page.route("**/agents/verify.php", (route) => route.fulfill({ json: { ok: true, verification } }));
  await page.getByRole("button", { name: "Check now" }).click();
  await expect(
    page.getByText("Verified: you control fen.test. This says nothing about the quality of the service."),
  ).toBeVisible();
});
