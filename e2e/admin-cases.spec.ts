import { query } from "#testing/query.ts";
import { beginAct, signInAsAdministrator } from "./admin.ts";
import {
  disputedTask,
  failedEvent,
  failedJob,
  heldTransfer,
  reportedPost,
  settleParty,
} from "./service/admin-cases.ts";
import { expect, test } from "./test.ts";

test("a reported post is read in its thread and withdrawn, and another report dismissed, each confirmed by name", async ({
  page,
  client,
  administrator,
}) => {
  const bad = await reportedPost(client, administrator, "Cheap anchors", "It sells anchors that float.");
  const good = await reportedPost(client, administrator, "Fair winds", "I do not like wind.");
  await signInAsAdministrator(page, administrator, "/admin/reports");
  await page.getByRole("link", { name: "It sells anchors that float." }).click();
  await expect(page.getByRole("region", { name: "Post in its thread" })).toContainText("Buy now, buy all of it.");
  await expect(page.getByText("Careful Reader").first()).toBeVisible();
  const withdraw = await beginAct(page, "Withdraw the post", "An advertisement.");
  await withdraw.getByRole("button", { name: "Withdraw the post" }).click();
  const dialog = page.getByRole("dialog", { name: /Withdraw “Cheap anchors” by Loud Voice/ });
  await dialog.getByRole("button", { name: "Not now" }).click();
  await expect(withdraw.getByLabel("Reason")).toHaveValue("An advertisement.");
  await withdraw.getByRole("button", { name: "Withdraw the post" }).click();
  await dialog.getByRole("button", { name: "Withdraw this post" }).click();
  await expect(page.getByText("The post is withdrawn, and its reports are upheld.")).toBeFocused();
  await expect(page.getByText("This report is upheld.")).toBeVisible();
  expect(await (await page.request.get(`/threads/${bad.thread_id}`)).text()).not.toContain("Buy now");

  await page.goto(`/admin/reports/${good.reportId}`);
  const dismiss = await beginAct(page, "Dismiss the report", "Nothing is wrong with wind.");
  await dismiss.getByRole("button", { name: "Dismiss this report" }).click();
  await page
    .getByRole("dialog", { name: /Fair winds/ })
    .getByRole("button", { name: "Dismiss this report" })
    .click();
  await expect(page.getByText("This report is dismissed.")).toBeVisible();
  expect(await (await page.request.get(`/threads/${good.thread_id}`)).text()).toContain("Buy now");
  await page.goto("/admin/reports?state=dismissed");
  await expect(page.getByRole("link", { name: "I do not like wind." })).toBeVisible();
});

test("resolving a dispute for the requester does exactly what the page announced", async ({
  page,
  client,
  administrator,
}) => {
  const title = `Chart the shoals ${Date.now()}`;
  const dispute = await disputedTask(client, administrator, title);
  await signInAsAdministrator(page, administrator, "/admin/disputes");
  await page.getByRole("link", { name: title }).click();
  await expect(page.getByText("Low water at six.")).toBeVisible();
  await expect(page.getByRole("region", { name: "Audit trail" })).toContainText("Half of the hours");
  const act = "Resolve for the requester, Harbour Office";
  const form = await beginAct(page, act, "Half of it is missing indeed.");
  await expect(form.getByRole("listitem")).toHaveText([
    "The dispute is closed, and the audit trail records that you resolved it for the requester.",
    "The task changes from submitted to cancelled.",
    "The settlement of £10.00 (simulated) becomes void.",
    "£10.00 (simulated) becomes due to Harbour Office.",
    "£10.00 (simulated) less is held for the task.",
    "This does not move any money.",
  ]);
  await form.getByRole("button").click();
  await page
    .getByRole("dialog", { name: new RegExp(title) })
    .getByRole("button", { name: "Resolve for the requester" })
    .click();
  await expect(page.getByText("The dispute is resolved for the requester.", { exact: true })).toBeVisible();
  await page.goto(`/admin/tasks/${dispute.taskId}`);
  await expect(page.getByRole("definition").first()).toHaveText("Cancelled");
  await page.goto(`/admin/settlements/${dispute.settlementId}`);
  await expect(page.getByRole("region", { name: "Bookings" })).toContainText(/void.*refund due.*£10\.00/);
});

test("a dispute is split and a part refunded after the service has said what that does", async ({
  page,
  client,
  administrator,
  faults,
}) => {
  const title = `Sound the bay ${Date.now()}`;
  const dispute = await disputedTask(client, administrator, title);
  await signInAsAdministrator(page, administrator, "/admin/disputes");
  await page.getByRole("link", { name: title }).click();
  const split = await beginAct(page, "Split between Night Ferry and Harbour Office", "Half of it is there.");
  await split.getByLabel("The provider’s part of the gross, in pounds").fill("6");
  await split.getByRole("button").click();
  const dialog = page.getByRole("dialog", { name: new RegExp(title) });
  await expect(dialog.getByRole("listitem")).toContainText([/resolved it by a split/, /submitted to completed/]);
  await expect(dialog).toContainText("£6.00 (simulated) of it is awarded to Night Ferry");
  await dialog.getByRole("button", { name: "Split" }).click();
  await expect(page.getByText("The dispute is resolved by a split.", { exact: true })).toBeVisible();
  await page.goto(`/admin/settlements/${dispute.settlementId}`);
  const refund = await beginAct(page, "Refund", "Agreed afterwards.");
  faults.allowStatus(422);
  await refund.getByLabel("Amount in pounds").fill("90");
  await refund.getByRole("button", { name: "Refund" }).click();
  await expect(refund).toContainText("must be at most 600 (£6.00)");
  await refund.getByLabel("Amount in pounds").fill("1");
  await refund.getByRole("button", { name: "Refund" }).click();
  const question = page.getByRole("dialog", { name: new RegExp(title) });
  await expect(question).toContainText("A refund of £1.00 (simulated) to Harbour Office is recorded.");
  await question.getByRole("button", { name: "Refund" }).dblclick();
  await expect(page.getByText("The refund is ordered. Its state is listed below.")).toBeVisible();
  const ordered = page.getByRole("list", { name: "Ordered refunds, reversals and transfers" });
  await expect(ordered.getByRole("listitem")).toHaveCount(2);
  await expect(ordered).toContainText(/Refund.*£1\.00.*done/);
  // The second press of the button confirms nothing that comes later.
  const another = await beginAct(page, "Refund", "Agreed again.");
  await another.getByLabel("Amount in pounds").fill("2");
  await another.getByRole("button", { name: "Refund" }).click();
  await expect(question).toContainText("A refund of £2.00 (simulated) to Harbour Office is recorded.");
});

test("a failed job is retried and completed, and another is removed, confirmed by name", async ({
  page,
  client,
  administrator,
}) => {
  const own = await settleParty(client, administrator, "Lamp");
  await query(administrator.databaseUrl, "UPDATE identities SET domain_status = 'unverified' WHERE id = $1", [
    own.public_id,
  ]);
  const [again, away] = [await failedJob(administrator, own.public_id), await failedJob(administrator, own.public_id)];
  await signInAsAdministrator(page, administrator, "/admin/jobs?state=failed");
  await page.getByRole("link", { name: `recheck-domain ${again}` }).click();
  await expect(page.getByRole("region", { name: "Last error" })).toContainText("the lamp went out");
  await (await beginAct(page, "Retry", "The lamp burns again.")).getByRole("button").click();
  await expect(page.getByText("The job will be retried in a moment.")).toBeVisible();
  await expect(async () => {
    await page.goto(`/admin/jobs/${again}`);
    await expect(page.getByText("This job was completed or removed from the queue.")).toBeVisible({ timeout: 500 });
  }).toPass();
  await page.goto(`/admin/jobs/${away}`);
  await (await beginAct(page, "Remove", "Not needed.")).getByRole("button").click();
  await page
    .getByRole("dialog", { name: `Remove recheck-domain ${away}?` })
    .getByRole("button", { name: "Remove this job" })
    .click();
  await expect(page.getByText("The job is removed.")).toBeFocused();
  expect(
    await query(administrator.databaseUrl, "SELECT FROM graphile_worker._private_jobs WHERE id = $1", [away]),
  ).toEqual([]);
});

test("the audit trail can be filtered by actor, action, subject and day, and links to its subjects", async ({
  page,
  client,
  administrator,
}) => {
  const today = new Date().toISOString().slice(0, 10);
  const own = await settleParty(client, administrator, "Log Keeper");
  await signInAsAdministrator(page, administrator, `/admin/identities/${own.public_id}`);
  await (await beginAct(page, "Hold", "For the log.")).getByRole("button").click();
  await expect(page.getByText("Log Keeper is held.")).toBeVisible();
  await page.goto("/admin/audit");
  await page.getByLabel("Actor type").selectOption("administrator");
  await page.getByLabel("Actor: ID, e-mail or name").fill(administrator.email);
  await page.getByLabel("Action").fill("hold");
  await page.getByLabel("Subject ID").fill(own.public_id);
  await page.getByLabel("From day").fill(today);
  await page.getByRole("button", { name: "Show" }).click();
  await page.waitForURL(/subject=/);
  const rows = page.locator(".admin-row");
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("For the log.");
  await rows.getByRole("link", { name: own.public_id }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Log Keeper");
  await page.goto(`/admin/audit?subject=${own.public_id}&to=2020-01-01`);
  await expect(page.getByText("No results match.")).toBeVisible();
  await page.goto("/admin/audit?from=yesterday");
  await expect(page.getByRole("alert").filter({ hasText: "Invalid search" })).toBeVisible();
});

test("a Stripe event is processed again, with a reason, and a difference is shown with its remedy", async ({
  page,
  administrator,
}) => {
  const id = await failedEvent(administrator);
  await signInAsAdministrator(page, administrator, "/admin/events?state=failed");
  await page.getByRole("listitem").filter({ hasText: id }).getByRole("link").click();
  await page.waitForURL(`/admin/events/${id}`);
  await expect(page.getByText("Stripe: unreachable (none)")).toBeVisible();
  await (await beginAct(page, "Process the event again", "Stripe is back.")).getByRole("button").click();
  await expect(page.getByText("The event will be processed again in a moment.")).toBeFocused();
  await expect(page.getByRole("listitem").filter({ hasText: "Stripe is back." })).toContainText("Event retried");
  // Without LIVE it cannot be processed, so it stays in the queue and is retried.
  const planned = "SELECT FROM graphile_worker._private_jobs WHERE key = $1";
  expect(await query(administrator.databaseUrl, planned, [`event:${id}`])).toHaveLength(1);
  await page.goto("/admin/reconciliation");
  await expect(page.getByRole("listitem").filter({ hasText: id })).toContainText("Find out where the pound went.");
});

test("a held transfer says what holds it, and links to its settlement", async ({ page, client, administrator }) => {
  const dispute = await disputedTask(client, administrator, "Carry the lamp oil");
  await heldTransfer(administrator, dispute);
  await signInAsAdministrator(page, administrator, "/admin/transfers");
  const row = page.locator(".admin-row").filter({ hasText: dispute.settlementId });
  await expect(row).toContainText("The task has an open dispute. An administrator must resolve the dispute.");
  await row.getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Carry the lamp oil");
});
