import { fillSignIn, fillSignUp, forgetSession, refusalOf, signUp, somebody } from "./owner.ts";
import { expect, test } from "./test.ts";

test("after signing up, the owner is signed in on the page that they came from", async ({ page, context }) => {
  const person = somebody();
  await page.goto("/sign-up?return_to=/about");
  await fillSignUp(page, person);
  await page.waitForURL("/about");
  await expect(page.getByText(person.name)).toBeVisible();
  await expect(page.getByRole("link", { name: "Workspace" }).first()).toBeVisible();
  const session = (await context.cookies()).find(({ name }) => name === "next-auth.session-token");
  expect(session).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/" });
  expect(await page.evaluate(() => document.cookie)).not.toContain("session-token");
});

test("errors appear below their fields, the input is kept, and the first wrong field has the focus", async ({
  page,
  faults,
}) => {
  await page.goto("/sign-up");
  await page.getByLabel("Name").fill("A");
  await page.getByLabel("E-mail").fill("ada at example");
  await page.getByLabel("Password").fill("short");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByLabel("Name")).toHaveAccessibleDescription("It must have at least 2 characters.");
  await expect(page.getByLabel("E-mail")).toHaveAccessibleDescription(/must be an e-mail address/);
  await expect(page.getByLabel("Password")).toHaveAccessibleDescription("It must have at least 12 characters.");
  await expect(page.getByLabel("Name")).toBeFocused();
  await expect(page.getByLabel("E-mail")).toHaveValue("ada at example");
  await expect(page.getByLabel("Password")).toHaveValue("short");
  await expect(refusalOf(page)).toContainText(/req_/);
  faults.allowStatus(422);
});

test("an e-mail address with an account is answered like a new one, unless the password is right", async ({
  page,
  faults,
}) => {
  const person = await signUp(page);
  await forgetSession(page);
  const answers: string[] = [];
  // Read before the page gets it, because the page then navigates away.
  await page.route("**/owners/register.php", async (route) => {
    const response = await route.fetch();
    answers.push(`${response.status()} ${await response.text()}`);
    await route.fulfill({ response });
  });

  await page.goto("/sign-up");
  await fillSignUp(page, { ...person, password: "not the one it has" });
  await expect(refusalOf(page)).toContainText("cannot be used for a new account");
  faults.allowStatus(401);
  await fillSignUp(page, person);
  await page.waitForURL("/workspace");
  expect(answers).toEqual(['200 {"ok":true}', '200 {"ok":true}']);
});

test("an owner who is signed in is not asked to sign up or in", async ({ page }) => {
  await signUp(page);
  await page.goto("/sign-up?return_to=/docs");
  await expect(page).toHaveURL("/docs");
  await page.goto("/sign-in?return_to=https://evil.example/");
  await expect(page).toHaveURL("/workspace");
});

test("a password never becomes part of an address, even if the form is sent before the scripts run", async ({
  page,
  faults,
}) => {
  const urls: string[] = [];
  page.on("request", (request) => urls.push(request.url()));
  await page.goto("/sign-in", { waitUntil: "commit" });
  await fillSignIn(page, { email: "ada@example.com", password: "correct horse battery" });
  await expect(refusalOf(page)).toBeVisible();
  expect(urls.filter((url) => /correct|horse/.test(url))).toEqual([]);
  faults.allowStatus(401);
});
