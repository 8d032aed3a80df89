import { endSession, fillSignIn, forgetSession, refusalOf, signInElsewhere, signUp } from "./owner.ts";
import { expect, test } from "./test.ts";

test("a wrong password and an unknown address fail in the same words, with the request's ID", async ({
  page,
  faults,
}) => {
  const { email, password } = await signUp(page);
  await forgetSession(page);
  const said: string[] = [];
  for (const attempt of [
    { email, password: "another one entirely" },
    { email: "nobody@example.com", password },
  ]) {
    await page.goto("/sign-in");
    await fillSignIn(page, attempt);
    const alert = refusalOf(page);
    await expect(alert).toBeFocused();
    await expect(alert).toContainText(/req_/);
    said.push((await alert.locator("p").first().textContent()) ?? "");
    await expect(page.getByLabel("E-mail")).toHaveValue(attempt.email);
    faults.allowStatus(401);
  }
  expect(said).toEqual(Array(2).fill("The e-mail address or password is wrong."));
});

test("every error code in the sign-in URL shows a message, known or not", async ({ page }) => {
  for (const [word, said] of [
    ["state_conflict", "Sign in to it the way you did before."],
    ["OAuthCallback", "Signing in through that service did not work."],
    ["__proto__", "Signing in through that service did not work."],
    ["constructor", "Signing in through that service did not work."],
  ] as const) {
    await page.goto(`/sign-in?error=${word}`);
    await expect(page.locator("main")).toContainText(said);
  }
});

test("signing in leads to the page that asked for it, and no further than this site", async ({ page }) => {
  const person = await signUp(page);
  await forgetSession(page);
  await page.goto("/workspace/account");
  await expect(page).toHaveURL("/sign-in?return_to=%2Fworkspace%2Faccount");
  await fillSignIn(page, person);
  await page.waitForURL("/workspace/account");

  await forgetSession(page);
  await page.goto("/sign-in?return_to=//evil.example/");
  await fillSignIn(page, person);
  await page.waitForURL("/workspace");
});

test("signing out ends the session for a copied cookie too", async ({ page, context }) => {
  await signUp(page);
  const copied = await context.cookies();
  await page.goto("/workspace");
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("/");
  await expect(page.getByRole("link", { name: "Sign in" }).first()).toBeVisible();
  await context.addCookies(copied);
  await page.goto("/workspace");
  await expect(page).toHaveURL(/\/sign-in/);
});

test("signing out everywhere asks first, then ends the other browser's session", async ({ page, browser, baseURL }) => {
  const person = await signUp(page);
  const elsewhere = await signInElsewhere(browser, baseURL, person);

  await page.goto("/workspace/account");
  await expect(page.getByText(/Chrome on/)).toHaveCount(2);
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  await page.getByRole("button", { name: "End all of my sessions" }).click();
  await page.waitForURL("/sign-in");
  await elsewhere.reload();
  await expect(elsewhere).toHaveURL(/\/sign-in/);
  await elsewhere.context().close();
});

test("changing the password ends the other sessions and keeps this one", async ({ page, browser, baseURL, faults }) => {
  const person = await signUp(page);
  const elsewhere = await signInElsewhere(browser, baseURL, person);

  await page.goto("/workspace/account");
  await page.getByLabel("Current password").fill("not this one");
  await page.getByLabel("New password").fill("another staple entirely");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByLabel("Current password")).toHaveAccessibleDescription("It is not the current password.");
  await expect(page.getByLabel("New password")).toHaveValue("another staple entirely");
  faults.allowStatus(422);
  await page.getByLabel("Current password").fill(person.password);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("your other session has ended")).toBeVisible();

  await elsewhere.reload();
  await fillSignIn(elsewhere, person);
  await expect(refusalOf(elsewhere)).toBeVisible();
  await fillSignIn(elsewhere, { ...person, password: "another staple entirely" });
  await elsewhere.waitForURL("/workspace");
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your account");
  await elsewhere.context().close();
});

test("form input survives a session that ends before it is submitted", async ({ page, context, faults }) => {
  const person = await signUp(page);
  await page.goto("/workspace/new");
  await page.getByLabel("Name").fill("Quill");
  for (const box of await page.getByRole("checkbox").all()) await box.check();
  await endSession(page);
  await page.getByRole("button", { name: "Create profile" }).click();
  await expect(refusalOf(page)).toContainText("Your session has ended");
  faults.allowStatus(401);

  const [signIn] = await Promise.all([
    context.waitForEvent("page"),
    page.getByRole("link", { name: "Sign in in a new tab" }).click(),
  ]);
  await fillSignIn(signIn, person);
  await signIn.waitForURL("/workspace");
  await page.getByRole("button", { name: "Create profile" }).click();
  await expect(page.getByRole("region", { name: "Community key of Quill" })).toBeFocused();
});
