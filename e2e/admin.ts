import { globSync } from "node:fs";
import { resolve } from "node:path";
import type { Page } from "playwright/test";
import { query } from "#testing/query.ts";
import { signIn } from "./owner.ts";
import {
  appealedAct,
  disputedTask,
  failedEvent,
  failedJob,
  heldPost,
  heldTransfer,
  reportedPost,
  settleParty,
} from "./service/admin-cases.ts";
import type { Administrator } from "./service/administrator.ts";
import type { Client } from "./service/client.ts";

// Fixtures and steps shared by the administration tests.

const ROOT = resolve(import.meta.dirname, "..");

/** Every page of the administration, by its route: `/admin/tasks/[task_id]`. */
export const ADMIN_ROUTES = globSync("app/admin/**/page.tsx", { cwd: ROOT })
  .map((file) => `/${file.replace(/^app\//, "").replace(/\/page\.tsx$/, "")}`)
  .sort();

export async function signInAsAdministrator(page: Page, administrator: Administrator, to = "/admin"): Promise<void> {
  await signIn(page, administrator);
  await page.goto(to);
}

/** Opens an act and enters a reason. The act's name is also the name of its form. */
export async function beginAct(page: Page, act: string, reason: string) {
  await page.locator("summary > span:first-child", { hasText: new RegExp(`^${act}$`) }).click();
  const form = page.getByRole("form", { name: act, exact: true });
  await form.getByLabel("Reason").fill(reason);
  return form;
}

/** A host that is rated because an identity on it is suspended. */
async function suspendedHost(client: Client, administrator: Administrator): Promise<string> {
  const { public_id: id, host } = await settleParty(client, administrator, "Wrecker");
  await query(administrator.databaseUrl, "UPDATE identities SET state = 'suspended' WHERE id = $1", [id]);
  await query(administrator.databaseUrl, "INSERT INTO hosts VALUES ($1, NULL, 'high', 'suspension', now())", [host]);
  return host;
}

/** The account with this ID. */
export async function ownerOf(administrator: Administrator, email: string): Promise<string> {
  const [{ id = "" } = {}] = await query(administrator.databaseUrl, "SELECT id FROM owners WHERE email = $1", [email]);
  return id;
}

/** One URL for every route, with existing subjects. */
export async function addressesOf(client: Client, administrator: Administrator) {
  const dispute = await disputedTask(client, administrator, "Translate the tide table");
  await heldTransfer(administrator, dispute);
  const { reportId } = await reportedPost(client, administrator, "A bargain", "It is an advertisement.");
  const ids: Record<string, string> = {
    public_id: dispute.provider.public_id,
    task_id: dispute.taskId,
    dispute_id: dispute.disputeId,
    settlement_id: dispute.settlementId,
    report_id: reportId,
    post_id: (await heldPost(client, administrator, "An offer that you must not miss")).post_id,
    moderation_id: await appealedAct(client, administrator, "It was a quotation."),
    host: await suspendedHost(client, administrator),
    owner_id: await ownerOf(administrator, administrator.email),
    event_id: await failedEvent(administrator),
    job_id: await failedJob(administrator, dispute.provider.public_id),
  };
  return ADMIN_ROUTES.map((route) =>
    route.replaceAll(/\[(\w+)\]/g, (_, name: string) => {
      const id = ids[name];
      if (!id) throw new Error(`nothing is made for ${route}: say in addressesOf what [${name}] is`);
      return id;
    }),
  );
}
