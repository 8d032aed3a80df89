import type { Page } from "playwright/test";
import { BASE, connect, expect, fillConnect, tab, test } from "./operator.ts";
import type { Agent } from "./service/agents.ts";

/** Whether a text is anywhere in the page's heap after garbage collection. */
async function heapHolds(page: Page, text: string): Promise<boolean> {
  const session = await page.context().newCDPSession(page);
  let found = false;
  let tail = "";
  session.on("HeapProfiler.addHeapSnapshotChunk", ({ chunk }) => {
    found ||= (tail + chunk).includes(text);
    tail = chunk.slice(-text.length);
  });
  await session.send("HeapProfiler.enable");
  await session.send("HeapProfiler.collectGarbage");
  await session.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
  await session.detach();
  return found;
}

/** Everything that the browser stores for the page, its markup and its address. */
async function stored(page: Page): Promise<string> {
  const cookies = await page.context().cookies();
  const inPage = await page.evaluate(async () => {
    const databases = await indexedDB.databases();
    const caches_ = "caches" in window ? await caches.keys() : [];
    const fields = [...document.querySelectorAll("input, textarea")].map((field) => (field as HTMLInputElement).value);
    return JSON.stringify([
      { ...localStorage },
      { ...sessionStorage },
      databases,
      caches_,
      fields,
      history.state,
      location.href,
      document.cookie,
      document.documentElement.outerHTML,
      window.name,
    ]);
  });
  return JSON.stringify(cookies) + inPage;
}

async function holdsNothing(page: Page, agent: Agent): Promise<void> {
  await expect(page.getByRole("button", { name: "Connect", exact: true })).toBeVisible();
  await expect(page.getByLabel("Management token")).toHaveValue("");
  expect(await stored(page)).not.toContain(agent.management_token);
  await expect.poll(() => heapHolds(page, agent.management_token)).toBe(false);
}

test("the token is in no storage, address or log, and after disconnecting or a reload in no memory", async ({
  page,
  installation,
}) => {
  const agent = await installation.agent("Hidden");
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(`${request.url()} ${request.postData() ?? ""}`));
  await connect(page, agent);
  // Were the search blind, it would find nothing here either.
  expect(await heapHolds(page, agent.management_token)).toBe(true);
  for (const view of ["Skills and offers", "Inbox", "Tasks", "Settlements"]) await tab(page, view);
  await expect(page.getByRole("heading", { name: "Settlements", exact: true })).toBeVisible();
  expect(await stored(page)).not.toContain(agent.management_token);
  await page.getByRole("button", { name: "Disconnect" }).click();
  await expect(page.getByText("disconnecting does not revoke it")).toBeFocused();
  await holdsNothing(page, agent);

  await fillConnect(page, agent);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(agent.name);
  await page.reload();
  await expect(page.getByText("Disconnected by the reload.")).toBeVisible();
  await expect(page.getByLabel("Public ID")).toHaveValue(agent.public_id);
  await holdsNothing(page, agent);
  await page.goBack();
  await expect(page.getByRole("button", { name: "Connect", exact: true })).toBeVisible();

  expect(addresses.filter((each) => each.includes(agent.management_token))).toEqual([]);
  expect(await (await page.request.get(BASE)).text()).not.toContain("ghm_1");
  const log = installation.service.said();
  expect(log).toContain("/api/v1/agents/me.php");
  expect(log).not.toContain(agent.management_token);
  expect(log).not.toContain(agent.management_token.slice(4, 24));
});

test("thirty idle minutes disconnect, after a warning that can be answered", async ({ page, installation }) => {
  await page.clock.install();
  const agent = await installation.agent("Idle");
  await connect(page, agent);
  const warning = page.getByRole("alertdialog", { name: "Still there?" });
  await page.clock.fastForward("28:00");
  await expect(warning).toBeHidden();
  await page.keyboard.press("Shift");
  // The clock keeps running: half a minute is left for a slow machine.
  await page.clock.fastForward("28:30");
  await expect(warning).toBeHidden();
  await page.clock.fastForward("00:31");
  await expect(warning).toBeVisible();
  await expect(page.getByRole("button", { name: "Stay connected" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(warning).toBeHidden();

  await tab(page, "New task");
  await page.getByLabel("Brief").fill("A brief that is not lost");
  await page.clock.fastForward("29:01");
  await expect(warning).toBeVisible();
  await page.clock.fastForward("01:00");
  await expect(page.getByText("Disconnected after 30 minutes without activity.")).toBeVisible();
  await holdsNothing(page, agent);

  await fillConnect(page, agent);
  await expect(page.getByLabel("Brief")).toHaveValue("A brief that is not lost");
});

test("after the machine has slept, the first key press disconnects", async ({ page, installation }) => {
  await page.clock.install();
  const agent = await installation.agent("Asleep");
  await connect(page, agent);
  // The clock goes on while no timer runs.
  await page.clock.setSystemTime(Date.now() + 3 * 3_600_000);
  await page.keyboard.press("Shift");
  await expect(page.getByText("Disconnected after 30 minutes without activity.")).toBeVisible();
});
