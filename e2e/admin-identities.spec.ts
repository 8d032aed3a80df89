import { query } from "#testing/query.ts";
import { beginAct, signInAsAdministrator } from "./admin.ts";
import { endSession, focused, refusalOf, tabTo } from "./owner.ts";
import { settleParty } from "./service/admin-cases.ts";
import { expect, test } from "./test.ts";

async function statusOf(baseURL: string | undefined, own: { public_id: string; management_token: string }) {
  const answer = await fetch(`${baseURL}/api/v1/agents/me.php?public_id=${own.public_id}`, {
    headers: { Authorization: `Bearer ${own.management_token}` },
  });
  const body = (await answer.json()) as { error?: { code: string } };
  return [answer.status, body.error?.code];
}

test("with the keyboard only, an identity is found, suspended with a reason, and restored", async ({
  page,
  client,
  baseURL,
  administrator,
}) => {
  const name = `Fog Signal ${Date.now()}`;
  const own = await settleParty(client, administrator, name);
  const post = `/agents/${own.public_id}`;
  await signInAsAdministrator(page, administrator, "/admin/identities");
  await page.getByRole("link", { name: "Skip to content" }).press("Enter");
  await tabTo(page, "input Name, host");
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\?q=/);
  await expect(page.locator(".admin-row")).toHaveCount(1);
  await page.getByRole("link", { name: "Skip to content" }).press("Enter");
  await tabTo(page, `a ${name}`);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);

  // Without a reason nothing is sent, and the form keeps its input.
  await page.getByRole("link", { name: "Skip to content" }).press("Enter");
  await tabTo(page, "summary Suspend");
  await page.keyboard.press("Enter");
  await tabTo(page, "button Suspend");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Reason").first()).toBeFocused();
  await expect(page.getByLabel("Reason").first()).toHaveAccessibleDescription(/must not be empty/);
  await page.keyboard.type("Its operator lost the token.");
  await tabTo(page, "button Suspend");
  await page.keyboard.press("Enter");
  await expect(page.getByText(`${name} is suspended.`)).toBeFocused();
  await expect(page.getByText("Suspended: everything is refused")).toBeVisible();
  expect(await statusOf(baseURL, own)).toEqual([403, "identity_suspended"]);
  expect((await page.request.get(post)).status()).toBe(404);
  await expect(page.getByRole("listitem").filter({ hasText: "Its operator lost the token." })).toContainText(
    "Administrator, administrator",
  );

  await tabTo(page, "summary Restore");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect.poll(() => focused(page)).toBe("textarea Reason");
  await page.keyboard.type("The operator has a new one.");
  await tabTo(page, "button Restore");
  await page.keyboard.press("Enter");
  await expect(page.getByText(`${name} is restored.`)).toBeFocused();
  expect(await statusOf(baseURL, own)).toEqual([200, undefined]);
  expect((await page.request.get(post)).status()).toBe(200);
});

test("a hold, the risk and a denial show at once which actions they block, and can be lifted", async ({
  page,
  client,
  administrator,
}) => {
  const own = await settleParty(client, administrator, "Weather Glass");
  await signInAsAdministrator(page, administrator, `/admin/identities/${own.public_id}`);
  const blocked = page.locator("dt", { hasText: /^Blocked actions$/ }).locator("+ dd");
  await (await beginAct(page, "Hold", "To look at it.")).getByRole("button").click();
  await expect(page.getByText("Weather Glass is held.")).toBeVisible();
  await expect(blocked).toHaveText("All, because of the hold");
  await (await beginAct(page, "Lift the hold", "Looked at.")).getByRole("button").click();
  await expect(blocked).toHaveText("None");
  const risk = await beginAct(page, "Set the risk", "Too many complaints.");
  await risk.getByLabel("Risk").selectOption("high");
  await risk.getByRole("button").click();
  await expect(blocked).toHaveText("claim (risk), start (risk)");
  const deny = await beginAct(page, "Deny an action", "It floods the place.");
  await deny.getByLabel("Action").selectOption("create");
  await deny.getByRole("button").click();
  await expect(blocked).toHaveText("create (denied), claim (risk), start (risk)");
  await (await beginAct(page, "Allow an action again", "It has stopped.")).getByRole("button").click();
  await expect(blocked).toHaveText("claim (risk), start (risk)");
});

test("a new management token is issued after a hold and a domain check, and shown once", async ({
  page,
  client,
  baseURL,
  administrator,
}) => {
  const own = await settleParty(client, administrator, "Slack Water");
  await signInAsAdministrator(page, administrator, `/admin/identities/${own.public_id}`);
  await expect(page.locator("summary", { hasText: "Issue a new management token" })).toHaveCount(0);
  await (await beginAct(page, "Hold", "Its operator lost the token.")).getByRole("button").click();
  await expect(page.getByText("Slack Water is held.")).toBeVisible();
  // The host does not exist, so a passed check is written into the database.
  await query(administrator.databaseUrl, "UPDATE identities SET domain_checked_at = now() WHERE id = $1", [
    own.public_id,
  ]);
  const issue = await beginAct(page, "Issue a new management token", "The operator controls the domain.");
  await issue.getByRole("button").click();
  const dialog = page.getByRole("dialog", { name: "Issue a new management token for Slack Water?" });
  await dialog.getByRole("button", { name: "Issue a new token" }).click();
  const secret = page.getByRole("region", { name: "New management token" });
  await expect(secret).toBeFocused();
  const token = (await secret.getByRole("code").textContent()) ?? "";
  expect(await statusOf(baseURL, own)).toEqual([401, "invalid_credential"]);
  expect(await statusOf(baseURL, { ...own, management_token: token })).toEqual([200, undefined]);
  await secret.getByRole("button", { name: "I have stored it" }).click();
  expect(await page.content()).not.toContain(token);
});

test("an act in an ended session asks to sign in again and keeps the reason", async ({
  page,
  client,
  administrator,
  faults,
}) => {
  const own = await settleParty(client, administrator, "Ebb");
  await signInAsAdministrator(page, administrator, `/admin/identities/${own.public_id}`);
  await endSession(page);
  const form = await beginAct(page, "Hold", "Not to be lost.");
  await form.getByRole("button").click();
  await expect(refusalOf(page)).toContainText("Your session has ended");
  await expect(form.getByLabel("Reason")).toHaveValue("Not to be lost.");
  faults.allowStatus(401);
});
