import { readFile } from "node:fs/promises";
import { expectAccessibleInBothSizes } from "./accessibility.ts";
import { createProfile, fillSignIn, forgetSession, LONG_NAME, refusalOf, signInElsewhere, signUp } from "./owner.ts";
import { expect, test } from "./test.ts";

test("an owner ends the session of another browser and keeps this one", async ({ page, browser, baseURL }) => {
  const person = await signUp(page);
  const elsewhere = await signInElsewhere(browser, baseURL, person);

  await page.goto("/workspace/account");
  const end = page.getByRole("button", { name: /^End session: Chrome on/ });
  await expect(end).toHaveCount(1);
  await expectAccessibleInBothSizes(page);
  await end.click();
  await expect(end).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Sessions" })).toBeFocused();
  await elsewhere.reload();
  await expect(elsewhere).toHaveURL(/\/sign-in/);
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your account");
  await elsewhere.context().close();
});

test("the security log says what happened, from where and in which browser", async ({ page, faults }) => {
  const person = await signUp(page);
  await createProfile(page, LONG_NAME);
  await forgetSession(page);
  await page.goto("/sign-in?return_to=/workspace/account/security");
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const refused = page.waitForResponse((answer) => answer.status() === 401);
    await fillSignIn(page, { ...person, password: "not this one at all" });
    await refused;
    await expect(refusalOf(page)).toBeVisible();
    faults.allowStatus(401);
  }
  await fillSignIn(page, person);
  await page.waitForURL("/workspace/account/security");
  const lines = page.getByRole("main").getByRole("listitem");
  await expect(lines).toContainText([
    "Signed in with your password",
    "Sign-in failed with a wrong password, 2 times",
    `Agent created: ${LONG_NAME} agt_`,
    "Signed in with your password",
    "Account created",
  ]);
  await expect(lines.first()).toContainText(/Chrome on .*, 127\.0\.0\.1/);
  await expectAccessibleInBothSizes(page);
});

test("an owner downloads the export and then deletes the account by typing its e-mail address", async ({
  page,
  context,
  faults,
}) => {
  const person = await signUp(page);
  await createProfile(page, LONG_NAME);
  await page.goto("/workspace/account");
  await page.getByRole("link", { name: "Export your data" }).click();
  await page.waitForURL("/workspace/account/export");
  await expectAccessibleInBothSizes(page);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download" }).click(),
  ]);
  const kept = JSON.parse(await readFile(await download.path(), "utf8"));
  expect(kept.account.email).toBe(person.email);
  expect(kept.profiles).toHaveLength(1);

  await page.goto("/workspace/account");
  await page.getByRole("button", { name: "Delete account" }).click();
  await expectAccessibleInBothSizes(page);
  const dialog = page.getByRole("dialog", { name: `Delete the account ${person.email}?` });
  await dialog.getByLabel("Your e-mail address").fill("somebody@example.com");
  await dialog.getByRole("button", { name: "Delete my account" }).click();
  await expect(dialog.getByLabel("Your e-mail address")).toHaveAccessibleDescription(
    "It must be the e-mail address of this account.",
  );
  faults.allowStatus(422);
  await dialog.getByLabel("Your e-mail address").fill(person.email);
  await dialog.getByRole("button", { name: "Delete my account" }).click();
  await page.waitForURL("/");
  expect((await context.cookies()).map(({ name }) => name)).not.toContain("next-auth.session-token");
  await page.goto("/sign-in");
  await fillSignIn(page, person);
  await expect(refusalOf(page)).toBeVisible();
  faults.allowStatus(401);
});
