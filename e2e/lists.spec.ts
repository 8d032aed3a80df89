import type { Page } from "playwright/test";
import { addressesOn, rowsOn, turn, walkOlder } from "./rows.ts";
import { FLEET } from "./service/world.ts";
import { expect, test } from "./test.ts";

async function search(page: Page): Promise<void> {
  const before = page.url();
  await page.getByRole("button", { name: "Search" }).click();
  await page.waitForURL((url) => url.href !== before);
}

test('"older" and "newer" lead through the whole filtered list and back', async ({ page }) => {
  // Filters that match only the fleet, so that tests running at the same time do not change these lists.
  for (const path of ["/tasks?skill=counting", "/agents?q=fleet", "/agents?skill=counting", "/offers?skill=counting"]) {
    await page.goto(path);
    const way = await walkOlder(page);
    expect(way.length, path).toBeGreaterThan(1);
    expect(new Set(way.flat()).size, path).toBe(FLEET);
    for (const expected of way.toReversed().slice(1)) {
      await turn(page, "← Newer");
      await expect.poll(() => addressesOn(page)).toEqual(expected);
    }
    expect(page.url().endsWith(path)).toBe(true);
  }
});

test("agents can be narrowed to those with a proved domain, and the list says so", async ({ page, world }) => {
  const listed: string[] = [];
  await page.goto("/agents?show=proved");
  await expect(page.getByText("Only agents with a proved domain")).toBeVisible();
  for (const addresses of await walkOlder(page)) listed.push(...addresses);
  expect(listed).toContain(`/agents/${world.agents.quill}`);
  for (const unproved of [world.agents.fen, world.community.proposed, world.community.sly])
    expect(listed).not.toContain(`/agents/${unproved}`);
});

test("agents can be listed by name and by what they completed, but only as a whole list", async ({ page, world }) => {
  await page.goto("/agents");
  await page.getByLabel("Show").selectOption("By name");
  await search(page);
  const byName = (await walkOlder(page, "Next →")).flat();
  const [atlas, ledger, quill] = [world.agents.atlas, world.agents.ledger, world.agents.quill].map(
    (id) => `/agents/${id}`,
  );
  expect(byName.filter((address) => [atlas, ledger, quill].includes(address))).toEqual([atlas, ledger, quill]);
  await page.goto("/agents?show=record");
  await expect.poll(() => addressesOn(page)).toContain(quill);
  await page.getByRole("navigation", { name: "Offered most" }).getByRole("link", { name: "counting" }).click();
  await expect(rowsOn(page).first()).toContainText("Fleet");
  await page.goto("/agents?show=name&skill=counting");
  await expect(page.getByText("This order is for the whole list. Clear the other filters.")).toBeVisible();
});

test("the page lists the same tasks as the API, without unlisted ones", async ({ page, world }) => {
  const answer = await page.request.get("/api/v1/jobs/list.php?skill=counting");
  const { tasks } = (await answer.json()) as { tasks: { task_id: string }[] };
  expect(tasks.length).toBeGreaterThan(10);
  await page.goto("/tasks?skill=counting");
  await expect.poll(() => addressesOn(page)).toEqual(tasks.map(({ task_id }) => `/tasks/${task_id}`));
  await page.goto("/tasks?q=between");
  expect(await addressesOn(page)).not.toContain(`/tasks/${world.tasks.unlisted}`);
});

test("tasks can be filtered by state, skill, mode and words", async ({ page, world }) => {
  await page.goto("/tasks");
  await page.getByLabel("State").selectOption("submitted");
  await search(page);
  await expect.poll(() => addressesOn(page)).toEqual([`/tasks/${world.tasks.submitted}`]);

  await page.getByRole("link", { name: "Clear" }).click();
  await expect(page).toHaveURL(/\/tasks$/);
  await page.getByLabel("Skill").fill("transcription");
  await search(page);
  await expect.poll(() => addressesOn(page)).toEqual([`/tasks/${world.tasks.selected}`]);

  await page.goto("/tasks?payment_mode=LIVE");
  await expect(page.getByText("No public tasks match.")).toBeVisible();

  await page.goto("/tasks");
  await page.getByRole("searchbox").fill("water clock");
  await page.keyboard.press("Enter");
  await expect(rowsOn(page)).toHaveCount(1);
  await expect.poll(() => addressesOn(page)).toEqual([`/tasks/${world.tasks.open}`]);
});

test("agents can be filtered by availability", async ({ page, world }) => {
  await page.goto("/agents");
  await expect(rowsOn(page).first()).toBeVisible();
  await page.getByLabel("Available now").check();
  await search(page);
  await expect.poll(() => addressesOn(page)).toContain(`/agents/${world.agents.quill}`);
  expect(await addressesOn(page)).not.toContain(`/agents/${world.agents.ledger}`);
});

test("offers can be filtered by skill and price in pounds, next to the agents that are available now", async ({
  page,
  world,
}) => {
  await page.goto("/offers");
  await page.getByLabel("Skill").fill("translation");
  await page.getByLabel("Maximum price").fill("12.00");
  await search(page);
  await expect.poll(() => addressesOn(page)).toEqual([`/offers/${world.offers.translation}`]);
  const aside = page.getByRole("complementary");
  await expect(aside.getByRole("link", { name: "Quill Translations" })).toBeVisible();

  await page.getByLabel("Maximum price").fill("11.99");
  await search(page);
  await expect(page.getByText("No offers match.")).toBeVisible();
  await expect(aside.getByText("No agent that offers translation at that price is available now.")).toBeVisible();
});

test("an offer leads to its place on the agent's profile", async ({ page, world }) => {
  await page.goto("/offers?skill=translation");
  await rowsOn(page)
    .first()
    .click({ position: { x: 300, y: 60 } });
  await expect(page).toHaveURL(`/offers/${world.offers.translation}`);
  await expect(page.locator(`#${world.offers.translation}`)).toContainText("£12.00");
});

test("an invalid search shows what is wrong instead of the list", async ({ page }) => {
  for (const [path, field, sentence] of [
    ["/tasks?state=bad", "State", "Choose one of the options."],
    ["/tasks?skill=UPPER", "Skill", "It must be 1 to 50"],
    ["/agents?available=yes", null, "available must be 1"],
    ["/offers?max_price=cheap", "Maximum price", "Enter an amount in pounds"],
    ["/tasks?cursor=stale", null, "cursor must be a next_cursor"],
    ["/tasks?q=a&q=b", null, "q must be given once"],
    ["/feed?room=cellar", null, "room must be general or introductions"],
    ["/feed?before=soon", null, "before"],
  ] as const) {
    const response = await page.goto(path);
    expect(response?.status()).toBe(200);
    await expect(page.getByRole("main").getByRole("alert"), path).toContainText("Invalid search");
    await expect(page.getByRole("main"), path).toContainText(sentence);
    if (field) await expect(page.getByLabel(field)).toHaveAttribute("aria-invalid", "true");
    await expect(rowsOn(page)).toHaveCount(0);
  }
});

test("a token in a search is refused and not shown again", async ({ page }) => {
  const token = `ghm_${"A".repeat(43)}`;
  await page.goto(`/tasks?q=${token}`);
  await expect(page.getByRole("main").getByRole("alert")).toContainText("must not contain a token or key");
  expect(await page.getByRole("main").innerHTML()).not.toContain(token);
});

test("on a phone a list begins in view, its filters are folded, and what scrolls sideways shows that", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of [
    "/agents",
    "/offers",
    "/tasks",
    "/feed",
    "/feed?room=help",
    "/threads",
    "/records",
    "/search?q=count",
  ]) {
    await page.goto(path);
    const first = page
      .getByRole("main")
      .locator(path === "/records" ? "li.task-row" : "li.row")
      .first();
    expect((await first.boundingBox())?.y, path).toBeLessThanOrEqual(320);
  }
  await page.goto("/tasks");
  await expect(page.getByLabel("State")).toBeHidden();
  await page.getByText("Filters").click();
  await page.getByLabel("State").selectOption("completed");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page).toHaveURL(/state=completed/);
  await expect(page.getByLabel("State")).toHaveValue("completed");
});

test("offers can be sorted by price and narrowed to a skill, and simulated prices say so", async ({ page, world }) => {
  await page.goto("/offers");
  await page.getByLabel("Sort").selectOption("price");
  await search(page);
  await expect(page).toHaveURL(/sort=price/);
  const prices = async () =>
    await rowsOn(page)
      .locator("data")
      .evaluateAll((all) => all.map((price) => Number(price.getAttribute("value"))));
  const shown = await prices();
  expect(shown).toEqual(shown.toSorted((one, other) => one - other));
  expect(shown.length).toBeGreaterThan(5);
  await page.getByRole("navigation", { name: "Offered most" }).getByRole("link", { name: "translation" }).click();
  await expect(page).toHaveURL("/offers?sort=price&skill=translation");
  await expect.poll(() => addressesOn(page)).toEqual([`/offers/${world.offers.translation}`]);
  await expect(rowsOn(page).first()).toContainText("£12.00 simulated");
  await page.goto(`/offers/${world.offers.translation}`);
  await expect(page.getByRole("main")).toContainText("£12.00 simulated");
});

test("available agents come first, and only good news of their health is shown", async ({ page, world }) => {
  await page.goto("/agents");
  await expect(rowsOn(page).first()).toContainText(/Available|Live/);
  expect(await addressesOn(page)).toContain(`/agents/${world.agents.quill}`);
  await expect(page.getByRole("main")).not.toContainText("No recent report");
  await expect(page.getByRole("main")).not.toContainText("Not live");
});
