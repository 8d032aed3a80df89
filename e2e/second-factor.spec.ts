import { readFile } from "node:fs/promises";
import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright/test";
import { Authenticator } from "#testing/authenticator.ts";
import { query } from "#testing/query.ts";
import { expectAccessibleInBothSizes } from "./accessibility.ts";
import {
  actAsOwner,
  createProfile,
  fillSignIn,
  forgetSession,
  type Person,
  refusalOf,
  signUp,
  tabTo,
} from "./owner.ts";
import type { Administrator } from "./service/administrator.ts";
import { expect, test } from "./test.ts";

const ACCOUNT = "/workspace/account";

/** Changes rows of one owner, where a test would otherwise have to wait. */
const alter = ({ databaseUrl }: Administrator, { email }: Person, what: string) =>
  query(databaseUrl, `UPDATE ${what} WHERE owner_id = (SELECT id FROM owners WHERE email = $1)`, [email]);

/** Makes the current code valid again. */
const forgetSteps = (administrator: Administrator, person: Person) =>
  alter(administrator, person, "owner_totps SET last_step = NULL");

const letConfirmationLapse = (administrator: Administrator, person: Person) =>
  alter(administrator, person, "owner_sessions SET confirmed_at = now() - interval '6 minutes'");

const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

/** Sets up an authenticator app on the account page and confirms that the recovery codes are stored. */
async function setUpApp(page: Page): Promise<{ secret: string; recoveryCodes: string[] }> {
  await page.goto(ACCOUNT);
  await page.getByRole("button", { name: "Set up an authenticator app" }).click();
  const setUp = page.getByRole("region", { name: "Set up an authenticator app" });
  await expect(setUp).toBeFocused();
  await expect(setUp.getByRole("img", { name: "QR code with the secret" })).toBeVisible();
  const secret = ((await setUp.locator("code").textContent()) ?? "").replaceAll(" ", "");
  await setUp.getByLabel("Code", { exact: true }).fill(codeOf(secret));
  await setUp.getByRole("button", { name: "Finish" }).click();
  return { secret, recoveryCodes: await putCodesAway(page) };
}

/** An owner with an authenticator app, for tests of what it is needed for. */
async function ownerWithApp(page: Page): Promise<{ person: Person; secret: string }> {
  const person = await signUp(page);
  const { secret } = await actAsOwner<{ secret: string }>(page, "owners/totp_begin.php");
  await actAsOwner(page, "owners/totp_confirm.php", { code: codeOf(secret) });
  return { person, secret };
}

async function putCodesAway(page: Page): Promise<string[]> {
  const panel = page.getByRole("region", { name: "Your recovery codes" });
  await expect(panel).toBeFocused();
  const codes = await panel.locator("code").allTextContents();
  expect(codes).toHaveLength(10);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    panel.getByRole("button", { name: "Download" }).click(),
  ]);
  expect((await readFile(await download.path(), "utf8")).trim().split("\n")).toEqual(codes);
  await panel.getByRole("button", { name: "I have stored them" }).click();
  await expect(panel).toHaveCount(0);
  await expect(page.getByText("Dismissed. The secret cannot be shown again.")).toBeFocused();
  return codes;
}

/** Signs out, and in again with the password, up to the second step. */
async function toSecondStep(page: Page, person: Person, to = ACCOUNT): Promise<void> {
  await forgetSession(page);
  await page.goto(`/sign-in?return_to=${encodeURIComponent(to)}`);
  await fillSignIn(page, person);
  await page.waitForURL(/\/sign-in\/second-step/);
}

/** A virtual authenticator that approves every request. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByLabel("Name of the new passkey").fill(name);
  await page.getByRole("button", { name: "Add a passkey" }).click();
}

test("an authenticator app is set up, and signing in asks for its code", async ({ page, administrator, faults }) => {
  const person = await signUp(page);
  const { secret, recoveryCodes } = await setUpApp(page);
  await expect(page.getByText("10 codes are left.")).toBeVisible();
  await expectAccessibleInBothSizes(page);

  await toSecondStep(page, person, "/workspace/new");
  await expectAccessibleInBothSizes(page);
  const wrong = codeOf(secret) === "000000" ? "111111" : "000000";
  await page.getByLabel("Code", { exact: true }).fill(wrong);
  await page.getByRole("button", { name: "Continue" }).click();
  const code = page.getByLabel("Code", { exact: true });
  await expect(code).toHaveAccessibleDescription(/It is wrong, too old or already used/);
  await expect(code).toBeFocused();
  await expectAccessibleInBothSizes(page);
  faults.allowStatus(422);
  await forgetSteps(administrator, person);
  await code.fill(codeOf(secret));
  await page.keyboard.press("Enter");
  await page.waitForURL("/workspace/new");

  const [recoveryCode = ""] = recoveryCodes;
  await toSecondStep(page, person);
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await expect(page.getByLabel("Recovery code")).toBeFocused();
  await page.getByLabel("Recovery code").fill(recoveryCode.toUpperCase());
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL(ACCOUNT);
  await expect(page.getByText("9 codes are left.")).toBeVisible();

  await toSecondStep(page, person);
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await page.getByLabel("Recovery code").fill(recoveryCode);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByLabel("Recovery code")).toHaveAccessibleDescription("It is wrong or was already used.");
  faults.allowStatus(422);
});

test("a session that awaits its second step opens no page of the owner, and ends after five wrong codes", async ({
  page,
  faults,
}) => {
  const { person, secret } = await ownerWithApp(page);
  await toSecondStep(page, person);
  for (const path of ["/workspace", ACCOUNT, "/workspace/account/confirm"]) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/sign-in\?return_to=/);
    await expect(page.getByLabel("E-mail")).toBeVisible();
  }
  await page.goto("/sign-in/second-step");
  const wrong = codeOf(secret) === "000000" ? "111111" : "000000";
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    await page.getByLabel("Code", { exact: true }).fill(wrong);
    const answered = page.waitForResponse(/second_step\.php/);
    await page.getByRole("button", { name: "Continue" }).click();
    expect((await answered).status()).toBe(attempt < 5 ? 422 : 401);
    faults.allowStatus(attempt < 5 ? 422 : 401);
  }
  await page.waitForURL(/\/sign-in\?.*error=second_step_over/);
  await expect(page.getByRole("main")).toContainText("too many attempts failed");
  await page.goto("/sign-in/second-step");
  await expect(page).toHaveURL(/\/sign-in\?return_to=/);
});

test("a passkey takes the second step, and replaces the password", async ({ page }) => {
  await addAuthenticator(page);
  const person = await signUp(page);
  await page.goto(ACCOUNT);
  await addPasskey(page, "Key on my desk");
  await putCodesAway(page);
  const row = page.getByRole("listitem").filter({ hasText: "Key on my desk" });
  await expect(row).toContainText("not used yet");
  await expectAccessibleInBothSizes(page);

  await toSecondStep(page, person);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.waitForURL(ACCOUNT);
  await expect(row).toContainText("last used");

  await forgetSession(page);
  await page.goto(`/sign-in?return_to=${ACCOUNT}`);
  await tabTo(page, "button Use a passkey");
  await page.keyboard.press("Enter");
  await page.waitForURL(ACCOUNT);

  await row.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("button", { name: "Remove the passkey" }).click();
  await expect(row).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Passkeys" })).toBeFocused();
  await expect(page.getByRole("heading", { name: "Recovery codes" })).toHaveCount(0);
});

test("a browser without a suitable passkey says so, and the other ways stay available", async ({ page, baseURL }) => {
  const person = await signUp(page);
  const { options } = await actAsOwner<{ options: object }>(page, "owners/passkey_options.php");
  const passkey = new Authenticator().create(options, { origin: baseURL ?? "" });
  await actAsOwner(page, "owners/passkey_add.php", { passkey, name: "Elsewhere" });
  await addAuthenticator(page);
  await toSecondStep(page, person);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(refusalOf(page)).toContainText("No passkey was used.");
  await expect(page.getByRole("button", { name: "Use a recovery code" })).toBeVisible();
});

test("rotating a key asks for the second factor in a dialog, then completes", async ({
  page,
  administrator,
  faults,
}) => {
  const { person, secret } = await ownerWithApp(page);
  const { publicId } = await createProfile(page, "Quill");
  await forgetSteps(administrator, person);
  await letConfirmationLapse(administrator, person);
  await page.goto(`/workspace/agents/${publicId}`);
  const rotate = async () => {
    await page.getByRole("button", { name: "Rotate the key" }).click();
    await page.getByRole("button", { name: "Rotate the key of Quill" }).click();
    faults.allowStatus(403);
  };
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });

  await rotate();
  await expect(dialog).toBeVisible();
  await expectAccessibleInBothSizes(page);
  await dialog.getByRole("button", { name: "Not now" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("dialog").getByRole("alert")).toContainText("you did not confirm that it is you");
  await page.keyboard.press("Escape");

  await rotate();
  await dialog.getByLabel("Code", { exact: true }).fill(codeOf(secret));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "New community key of Quill" })).toBeFocused();
  await expect(dialog).toHaveCount(0);
});

test("an account without a second factor confirms with its password before it adds one", async ({
  page,
  administrator,
  faults,
}) => {
  const person = await signUp(page);
  await letConfirmationLapse(administrator, person);
  await page.goto(ACCOUNT);
  await page.getByRole("button", { name: "Set up an authenticator app" }).click();
  faults.allowStatus(403);
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
  await dialog.getByLabel("Your password").fill("not this one");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(dialog.getByLabel("Your password")).toHaveAccessibleDescription("It is wrong.");
  faults.allowStatus(422);
  await dialog.getByLabel("Your password").fill(person.password);
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("region", { name: "Set up an authenticator app" })).toBeVisible();
  await expectAccessibleInBothSizes(page);

  await letConfirmationLapse(administrator, person);
  await page.goto(`/workspace/account/confirm?return_to=${encodeURIComponent(ACCOUNT)}`);
  await page.getByLabel("Your password").fill(person.password);
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.waitForURL(ACCOUNT);
});
