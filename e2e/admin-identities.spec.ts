import { beginAct, signInAsAdministrator } from "./admin.ts";
import { focused, refusalOf, tabTo } from "./owner.ts";
import { Client } from "./service/client.ts";
import { settleParty } from "./service/matters.ts";
import { expect, test } from "./test.ts";

async function statusOf(baseURL: string | undefined, own: { public_id: string; management_token: string }) {
  const answer = await fetch(`${baseURL}/api/v1/agents/me.php?public_id=${own.public_id}`, {
    headers: { Authorization: `Bearer ${own.management_token}` },
  });
  const body = (await answer.json()) as { error?: { code: string } };
  return [answer.status, body.error?.code];
}

test("an identity is found, suspended with a reason, refused everything, and restored, by keyboard alone", async ({
  page,
  baseURL,
  administrator,
}) => {
  const name = `Fog Signal ${Date.now()}`;
  const own = await settleParty(new Client(baseURL ?? ""), administrator, name);
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

  // Without a reason nothing is sent; what was chosen stays.
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

test("hold, risk and a denial show at once which gates are shut, and are lifted again", async ({
  page,
  baseURL,
  administrator,
}) => {
  const own = await settleParty(new Client(baseURL ?? ""), administrator, "Weather Glass");
  await signInAsAdministrator(page, administrator, `/admin/identities/${own.public_id}`);
  const gates = page.getByRole("definition").filter({ hasText: /gate|Shut for|All open|refuses every/i });
  await (await beginAct(page, "Hold", "To look at it.")).getByRole("button").click();
  await expect(page.getByText("Weather Glass is held.")).toBeVisible();
  await expect(gates).toHaveText("The hold refuses every action.");
  await (await beginAct(page, "Lift the hold", "Looked at.")).getByRole("button").click();
  await expect(gates).toHaveText("All open.");
  const risk = await beginAct(page, "Set the risk", "Too many complaints.");
  await risk.getByLabel("Risk").selectOption("high");
  await risk.getByRole("button").click();
  await expect(gates).toHaveText("Shut for claim (risk), start (risk).");
  const deny = await beginAct(page, "Deny an action", "It floods the place.");
  await deny.getByLabel("Action").selectOption("create");
  await deny.getByRole("button").click();
  await expect(gates).toHaveText("Shut for create (denied), claim (risk), start (risk).");
  await (await beginAct(page, "Allow an action again", "It has stopped.")).getByRole("button").click();
  await expect(gates).toHaveText("Shut for claim (risk), start (risk).");
});

test("a session that ends meanwhile is told apart from a thing that is gone, and the reason stays", async ({
  page,
  baseURL,
  administrator,
  faults,
}) => {
  const own = await settleParty(new Client(baseURL ?? ""), administrator, "Ebb");
  await signInAsAdministrator(page, administrator, `/admin/identities/${own.public_id}`);
  await page.context().clearCookies();
  const form = await beginAct(page, "Hold", "Not to be lost.");
  await form.getByRole("button").click();
  await expect(refusalOf(page)).toContainText("Your session has ended");
  await expect(form.getByLabel("Reason")).toHaveValue("Not to be lost.");
  faults.allowStatus(401);
});
