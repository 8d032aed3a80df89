import { expectAccessible } from "./accessibility.ts";
import { BASE, connect, expect, fillConnect, goTo, test } from "./operator.ts";
import { offer } from "./service/agents.ts";

test("what needs the operator comes first, by deadline, is counted in the tab's title, and goes when it is done", async ({
  page,
  installation,
}) => {
  const [alder, birch] = await installation.pair();
  const { tasks } = installation;
  const undated = await tasks.post(birch, { brief: "Terms wanted" });
  await tasks.step(alder, "claim", undated);
  await tasks.post(alder, { brief: "By tomorrow", provider: birch, seconds: 86_400 });
  await tasks.post(alder, { brief: "Within the hour", provider: birch, seconds: 3_600 });
  await connect(page, birch);
  const rows = page.getByRole("region", { name: "Needs you now" }).getByRole("listitem");
  await expect(rows).toHaveText([/Claim it: Within the hour/, /Claim it: By tomorrow/, /Propose .*: Terms wanted/]);
  await expect(page).toHaveTitle(/^\(3\) Overview/);
  await expectAccessible(page);
  await page.keyboard.press("n");
  await expect(page.getByRole("heading", { level: 2, name: "Within the hour" })).toBeVisible();
  await expect(page.getByRole("main")).toContainText("Your turn: claim it.");
  await page.getByRole("button", { name: "Claim task" }).click();
  await expect(page).toHaveTitle(/^\(2\) Task/);
});

test("single keys open the views and their help, do nothing while something is typed, and can be turned off", async ({
  page,
  installation,
}) => {
  await connect(page, await installation.agent("Cedar"));
  await page.keyboard.press("t");
  await expect(page).toHaveURL(`${BASE}/tasks`);
  await page.keyboard.press("c");
  await expect(page).toHaveURL(`${BASE}/new`);
  await page.getByLabel("Brief").fill("");
  await page.getByLabel("Brief").press("t");
  await expect(page.getByLabel("Brief")).toHaveValue("t");
  await expect(page).toHaveURL(`${BASE}/new`);
  await page.getByRole("button", { name: "Keyboard shortcuts" }).focus();
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(help).toBeVisible();
  await expectAccessible(page, { part: "dialog[open]" });
  await help.getByRole("checkbox").uncheck();
  await page.keyboard.press("Escape");
  await page.keyboard.press("t");
  await expect(page).toHaveURL(`${BASE}/new`);
});

test("an offer is ordered on one page, and what is typed survives connecting", async ({ page, installation }) => {
  const alder = await installation.agent("Alder");
  const dyer = await installation.agent("Dyer", { skills: ["dyeing"], health: "available" });
  const terms = { skill: "dyeing", description: "Dyes wool.", input: "Wool.", output: "Blue wool.", limits: "1 kg." };
  await offer(installation.client, dyer, terms, 1_250);
  await page.goto(`/agents/${dyer.public_id}`);
  await page.getByRole("link", { name: "Order this" }).click();
  const text = page.getByLabel("What should be done");
  await text.fill("Dye this wool blue.");
  await expect(page.getByRole("main")).toContainText(
    "the provider gets £11.25 and the platform keeps £1.25, all of it simulated",
  );
  await expectAccessible(page);
  await page.reload();
  await expect(text).toHaveValue("Dye this wool blue.");
  await fillConnect(page, alder);
  await expect(text).toHaveValue("Dye this wool blue.");
  const order = page.getByRole("button", { name: "Order for £12.50, simulated" });
  // The form of the connected page, which restores the draft once.
  await expect(page.locator("form[data-kept]").filter({ has: order })).toBeVisible();
  await text.fill("…");
  await order.click();
  await expect(text).toBeFocused();
  await expect(text).toHaveAccessibleDescription("Say what should be done.");
  await text.fill("Dye this wool blue.");
  await order.click();
  await expect(page.getByRole("heading", { level: 2, name: "Order: dyeing" })).toBeVisible();
  await expect(page.getByRole("main")).toContainText("Waiting for Dyer");
  await expect(page.getByRole("region", { name: "Prepared terms" })).toContainText("Dyes wool.");
});

test("an order has a field for each property of the offer's schema, or JSON that begins with its example", async ({
  page,
  installation,
}) => {
  const alder = await installation.agent("Alder");
  const dyer = await installation.agent("Dyer", { skills: ["dyeing"] });
  const text = { skill: "dyeing", description: "Dyes wool.", input: "Wool.", output: "Blue wool.", limits: "1 kg." };
  const publish = async (form: object) => {
    const fields = { ...text, price_pence: 0, enabled: true, ...form };
    const answer = await installation.client.post<{ offer: { offer_id: string } }>("agents/offers.php", fields, dyer);
    return `${BASE}/new?offer=${answer.offer.offer_id}`;
  };
  const properties = { colour: { enum: ["blue", "red"] }, grams: { type: "integer" } };
  const flat = await publish({ input_schema: { type: "object", required: ["grams"], properties } });
  const list = await publish({ input_schema: { type: "array" }, example_input: ["wool"] });
  await connect(page, alder);
  await goTo(page, flat);
  await page.getByRole("button", { name: "Order", exact: true }).click();
  await expect(page.getByLabel("grams")).toBeFocused();
  await page.getByLabel("grams").fill("250");
  await page.getByLabel("colour").selectOption("blue");
  await page.getByRole("button", { name: "Order", exact: true }).click();
  await expect(page.getByRole("region", { name: "Brief" })).toContainText('{"colour":"blue","grams":250}');
  await goTo(page, list);
  await page.getByRole("button", { name: "Order", exact: true }).click();
  await expect(page.getByLabel("Input, as JSON")).toBeFocused();
  await page.getByLabel("Input, as JSON").fill('["silk"]');
  await page.getByRole("button", { name: "Order", exact: true }).click();
  await expect(page.getByRole("region", { name: "Brief" })).toContainText('["silk"]');
});

test("a task is saved as a template, and another is started from it after a reload", async ({ page, installation }) => {
  const alder = await installation.agent("Alder");
  await connect(page, alder, `${BASE}/new`);
  await page.getByLabel("Brief").fill("Count the words of the weekly letter.");
  await page.getByLabel("Budget in pounds").fill("7.50");
  await page.getByText("Templates", { exact: true }).click();
  await page.getByLabel("Name of the template").fill("Weekly letter");
  await page.getByRole("button", { name: "Save as template" }).click();
  await expect(page.getByText("Saved “Weekly letter”.")).toBeVisible();
  await page.reload();
  await fillConnect(page, alder);
  await page.getByText("Templates (1)").click();
  await page.getByRole("button", { name: "Use Weekly letter" }).click();
  await expect(page.getByLabel("Brief")).toHaveValue("Count the words of the weekly letter.");
  await expect(page.getByLabel("Budget in pounds")).toHaveValue("7.50");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Remove Weekly letter" }).click();
  await expect(page.getByText("Removed “Weekly letter”.")).toBeVisible();
});
