import { BASE, connect, expect, fillConnect, tab, test } from "./operator.ts";
import { refusalOf } from "./owner.ts";
import { offer } from "./service/agents.ts";

const OFFER = { description: "Counts.", input: "A text.", output: "A number.", limits: "1 MB." };

test("connection errors appear below their fields, and no secret is sent to find them", async ({
  page,
  installation,
  faults,
}) => {
  const agent = await installation.agent("Wrong");
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.url()));
  await page.goto(BASE);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page.getByLabel("Public ID")).toBeFocused();
  await expect(page.getByLabel("Management token")).toHaveAccessibleDescription("It must not be empty.");
  await fillConnect(page, { ...agent, management_token: "ghm_" });
  await expect(page.getByLabel("Management token")).toHaveAccessibleDescription(/begins with ghm_/);
  await page.getByLabel("Management token").fill("");
  await fillConnect(page, { ...agent, public_id: agent.management_token, management_token: agent.public_id });
  await expect(page.getByLabel("Public ID")).toHaveAccessibleDescription(/Swap the two values/);
  expect(sent.filter((url) => url.includes("/api/v1/"))).toEqual([]);

  await page.getByLabel("Management token").fill("");
  await fillConnect(page, { ...agent, management_token: `ghm_${"A".repeat(43)}` });
  await expect(refusalOf(page)).toContainText("do not match");
  await expect(refusalOf(page)).toContainText(/req_/);
  faults.allowStatus(401);
  await expect(page.getByLabel("Management token")).toHaveAttribute("autocomplete", "off");
  await page.getByLabel("Management token").fill("");
  await fillConnect(page, agent);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(agent.name);
});

test("a view has an address that leads back to it, and going back keeps the connection", async ({
  page,
  installation,
}) => {
  const [alder, birch] = await installation.pair();
  const task = await installation.tasks.post(alder, { brief: "Lead here", provider: birch });
  await page.goto(`${BASE}/tasks/${task}`);
  await fillConnect(page, birch);
  await expect(page.getByRole("heading", { level: 2, name: "Lead here" })).toBeVisible();
  await page.getByRole("link", { name: "Tasks", exact: true }).last().click();
  await expect(page).toHaveURL(`${BASE}/tasks`);
  await page.goBack();
  await expect(page.getByRole("heading", { level: 2, name: "Lead here" })).toBeVisible();
  await page.goForward();
  await expect(page.getByText("You have no tasks yet.")).toBeVisible();
  // Through a page of the service and back, without a reload.
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "About" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "About" })).toBeVisible();
  await page.getByRole("link", { name: "Service workspace" }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: birch.name })).toBeVisible();
  expect((await page.request.get(`${BASE}/nowhere`)).status()).toBe(404);
});

test("health is reported at once and kept up, and counts down until it is stale", async ({ page, installation }) => {
  await page.clock.install();
  const agent = await installation.agent("Healthy", { skills: ["counting"] });
  await connect(page, agent);
  await expect(page.getByRole("main")).toContainText("No health report yet");
  await page.getByRole("button", { name: /^Busy/ }).click();
  await expect(page.getByRole("button", { name: /^Busy/ })).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("region", { name: "Readiness" })).toContainText("says busy");
  await page.getByRole("button", { name: /^Available/ }).click();
  await expect(page.getByRole("region", { name: "Health" })).toContainText(/expires in 1[45]:\d\d/);
  // Only the page's clock moves: an answer of the service, whose clock does not, would restart the fifteen minutes.
  await page.route("**/agents/me.php*", () => undefined);
  await page.clock.fastForward("10:00");
  await expect(page.getByRole("region", { name: "Health" })).toContainText(/expires in 0?[45]:\d\d/);
  await page.getByLabel(/Repeat the report every/).check();
  const beat = page.waitForRequest("**/agents/heartbeat.php");
  await page.clock.fastForward("05:00");
  expect((await beat).postDataJSON()).toEqual({ public_id: agent.public_id, health_status: "available" });
});

test("an offer is published, changed, disabled and enabled, and the page says why it is or is not matched", async ({
  page,
  installation,
  faults,
}) => {
  const agent = await installation.agent("Offering");
  await connect(page, agent);
  await tab(page, "Skills and offers");
  await page.getByRole("textbox", { name: "Skills" }).fill("counting, Not A Skill!");
  await page.getByRole("button", { name: "Save skills" }).click();
  await expect(page.getByRole("textbox", { name: "Skills" })).toHaveAccessibleDescription(/a-z, 0-9 and -/);
  faults.allowStatus(422);
  await page.getByRole("textbox", { name: "Skills" }).fill("counting, sorting");
  await page.getByRole("button", { name: "Save skills" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();

  await page.getByRole("button", { name: "New offer" }).click();
  const form = page.getByRole("form", { name: "New offer" });
  await expect(form.getByLabel("Skill")).toBeFocused();
  await form.getByLabel("Price in pounds").fill("cheap");
  await form.getByRole("button", { name: "Publish offer" }).click();
  await expect(form.getByLabel("Description")).toHaveAccessibleDescription(/must not be empty/);
  await expect(form.getByRole("alert")).toHaveCount(0);
  for (const label of ["Description", "Input", "Output", "Limits"])
    await form.getByLabel(label, { exact: true }).fill("Something.");
  await expect(form.getByLabel("Description")).toHaveAccessibleDescription("");
  await form.getByRole("button", { name: "Publish offer" }).click();
  await expect(form.getByLabel("Price in pounds")).toHaveAccessibleDescription(/Enter an amount in pounds/);
  await form.getByLabel("Price in pounds").fill("4.99");
  await expect(form).toContainText("Of £4.99 the provider gets £4.49 and the platform keeps £0.50.");
  // What was typed outlives a look at another view.
  await form.getByLabel("Description").fill("Counts words.");
  await tab(page, "Tasks");
  await tab(page, "Skills and offers");
  await page.getByRole("button", { name: "New offer" }).click();
  await expect(form.getByLabel("Price in pounds")).toHaveValue("4.99");
  await expect(form.getByLabel("Description")).toHaveValue("Counts words.");
  for (const label of ["Input", "Output", "Limits"]) await form.getByLabel(label, { exact: true }).fill("Something.");
  await form.getByRole("button", { name: "Publish offer" }).click();
  await page.getByRole("button", { name: "Edit the offer for counting" }).click();
  await page.getByRole("form", { name: "Offer for counting" }).getByLabel("Price in pounds").fill("6");
  await page.getByRole("button", { name: "Save offer" }).click();
  await expect(page.getByRole("button", { name: "Edit the offer for counting" })).toBeFocused();
  await expect(page.getByRole("region", { name: "Offers" })).toContainText("£6.00");

  const found = page.getByRole("region", { name: "Matching" });
  await found.getByLabel("Wanted skill").fill("counting");
  await found.getByLabel("Budget in pounds").fill("5");
  await found.getByRole("button", { name: "Check" }).click();
  await expect(found).toContainText("This service does not match now.");
  await expect(found).toContainText("The lowest price is £6.00, the budget £5.00.");
  await expect(found).toContainText("There is no health report yet.");
  await tab(page, "Overview");
  await page.getByRole("button", { name: /^Available/ }).click();
  await expect(page.getByRole("button", { name: /^Available/ })).toHaveAttribute("aria-pressed", "true");
  await tab(page, "Skills and offers");
  await found.getByLabel("Wanted skill").fill("counting");
  await found.getByLabel("Budget in pounds").fill("6");
  await found.getByRole("button", { name: "Check" }).click();
  await expect(found).toContainText("This service matches now.");

  await page.getByRole("button", { name: "Disable the offer for counting" }).click();
  await expect(page.getByRole("region", { name: "Offers" })).toContainText("Disabled");
  await page.getByRole("button", { name: "Disconnect" }).click();
  await fillConnect(page, agent);
  await page.getByRole("button", { name: "Enable the offer for counting" }).click();
  await expect(page.getByRole("button", { name: "Disable the offer for counting" })).toBeVisible();
});

test("settlements are summed per mode, charted, and can be downloaded", async ({ page, installation }) => {
  const alder = await installation.agent("Alder");
  const birch = await installation.agent("Birch", { skills: ["counting"] });
  await offer(installation.client, birch, { skill: "counting", ...OFFER }, 500);
  for (const pence of [1_999, 501]) {
    const task = await installation.tasks.post(alder, { brief: "Sum this", budget: pence });
    await installation.tasks.agree(alder, birch, task, pence);
  }
  await connect(page, birch, `${BASE}/settlements`);
  await expect(page.getByRole("row", { name: /^TEST/ }).first()).toContainText(/2\s*£25\.00\s*£2\.51\s*£22\.49/);
  await page.getByRole("button", { name: "Show chart by month" }).click();
  await expect(page.getByRole("img", { name: /Earned and spent per month in TEST/ })).toBeVisible();
  await expect(page.getByRole("figure").first()).toContainText("£22.49");
  for (const [button, name, lines] of [
    ["Export CSV", `settlements-${birch.public_id}.csv`, 3],
    ["Export JSON Lines", `settlements-${birch.public_id}.jsonl`, 2],
  ] as const) {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: button }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(name);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString().trim().split("\n")).toHaveLength(lines);
  }
});
