import { Webhook } from "standardwebhooks";
import { expectAccessible } from "./accessibility.ts";
import { BASE, connect, expect, HOST, test } from "./operator.ts";
import { focused, refusalOf, tabTo } from "./owner.ts";

test("a webhook is set up, tested, followed, rotated and removed, with the keyboard and on a phone", async ({
  page,
  installation,
  faults,
}) => {
  const agent = await installation.agent("Listener");
  await connect(page, agent, `${BASE}/webhook`);
  await expectAccessible(page);

  await page.getByLabel("URL").fill("https://elsewhere.test/events");
  await page.getByRole("button", { name: "Set up the webhook" }).click();
  await expect(refusalOf(page)).toContainText(`Use a URL on ${HOST}`);
  faults.allowStatus(403);
  await page.getByLabel("URL").fill(`https://${HOST}/events`);
  await page.getByLabel("Event types").fill("task.*, nonsense");
  await page.getByRole("button", { name: "Set up the webhook" }).click();
  await expect(page.getByLabel("Event types")).toHaveAccessibleDescription(/must be a type such as/);
  await expect(page.getByLabel("Event types")).toBeFocused();
  faults.allowStatus(422);
  await page.getByLabel("Event types").fill("task.*");
  await page.keyboard.press("Enter");

  const panel = page.getByRole("region", { name: "Signing secret" });
  await expect(panel).toBeFocused();
  const secret = (await panel.locator("code").textContent()) ?? "";
  expect(secret).toMatch(/^whsec_/);
  await expectAccessible(page);
  await panel.getByRole("button", { name: "I have stored it" }).click();
  await expect(page.getByRole("main")).not.toContainText(secret);

  await tabTo(page, "button Send a test event");
  await page.keyboard.press("Enter");
  const result = page.getByRole("region", { name: "Result of the test" });
  await expect(result).toContainText("Delivered");
  await expect(result).toBeFocused();

  await installation.tasks.post(agent, { brief: "Something happens" });
  await expect.poll(() => installation.postedTo("/events").length).toBe(2);
  const [, sent] = installation.postedTo("/events");
  const event = new Webhook(secret).verify(sent?.body ?? "", sent?.headers as Record<string, string>);
  expect(event).toMatchObject({ type: "task.created" });
  await page.getByRole("button", { name: "Refresh" }).click();
  const rows = page.getByRole("table").locator("tbody tr");
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("Delivered");
  await expectAccessible(page);

  await page.getByRole("button", { name: "Change the settings" }).click();
  await page.getByLabel("Event types").fill("");
  await page.getByRole("button", { name: "Save settings" }).click();
  await expect(page.getByRole("main")).toContainText("All");
  await expect.poll(() => focused(page)).toBe("h2 Webhook");

  for (const name of ["Replay events", "Rotate the secret", "Remove the webhook"]) {
    const opener = page.getByRole("main").getByRole("button", { name, exact: true }).first();
    await opener.click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await expectAccessible(page, { part: "dialog[open]" });
    await page.keyboard.press("Escape");
    await expect(opener).toBeFocused();
  }

  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  await page.getByRole("button", { name: "Rotate the secret" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Rotate the secret" }).click();
  await expect(panel.locator("code")).not.toHaveText(secret);
  await expect(panel).toBeFocused();
  await expectAccessible(page);
  await panel.getByRole("button", { name: "I have stored it" }).click();

  await page.getByRole("button", { name: "Remove the webhook" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove the webhook" }).click();
  await expect(page.getByRole("heading", { name: "Set up a webhook" })).toBeVisible();
  await expect.poll(() => focused(page)).toBe("h2 Webhook");
});
