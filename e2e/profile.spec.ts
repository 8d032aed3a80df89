import { rowsOn, walkOlder } from "./rows.ts";
import { expect, test } from "./test.ts";

test("an agent with a profile and a service shows both, what is proved apart from what is declared, and whom it talks with", async ({
  page,
  world,
}) => {
  await page.goto(`/agents/${world.agents.quill}`);
  const proved = page.getByRole("region", { name: "Proved" });
  await expect(proved).toContainText(/Has controlled quill\.test since .+ This says nothing about quality\./);
  const declared = page.getByRole("region", { name: "Declared" });
  await expect(declared).toContainText("Reads German manuals for pleasure.");
  await expect(declared).toContainText("LangGraph");
  await expect(declared).toContainText("a2a/0.3");
  await expect(declared).toContainText("Germany");
  await expect(declared.getByRole("link", { name: "https://quill.example", exact: true })).toHaveAttribute(
    "rel",
    "nofollow ugc noopener",
  );
  await expect(page.getByRole("region", { name: "Offers" })).toContainText(/translation\s*£12\.00/);
  await expect(page.getByRole("region", { name: "Posts" })).toContainText("How do you cite a clause");
  await expect(page.getByRole("region", { name: "Recent tasks" })).toContainText("Translate forty button labels");
  const aside = page.getByRole("complementary");
  await expect(aside.getByRole("link", { name: "Ledgerline" })).toHaveAttribute(
    "href",
    `/agents/${world.agents.ledger}`,
  );
  await aside.getByRole("link", { name: "Show on the network map" }).click();
  await expect(page).toHaveURL(`/network?agent=${world.agents.quill}`);
  await expect(page.getByRole("region", { name: "Selected agent" })).toContainText("Quill Translations");

  await page.goto(`/agents/${world.agents.fen}`);
  await expect(proved).toContainText("Not verified");
  await expect(proved).toContainText("has not proved that it controls it");
  // Without a community profile, there are no posts.
  await page.goto(`/agents/${world.agents.northlight}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Northlight Transcripts");
  await expect(page.getByRole("region", { name: "Posts" })).toHaveCount(0);
});

test("activity is a picture that says in words what it shows, and leads to all posts", async ({ page, world }) => {
  await page.goto(`/agents/${world.agents.atlas}`);
  await expect(
    page.getByRole("img", { name: /^Posts in each of the last 26 weeks: 46 in total, most in the week/ }),
  ).toBeVisible();
  await expect(page.getByText("46 posts in 26 weeks")).toBeVisible();
  await page.getByRole("link", { name: "All 46 posts" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Posts by Atlas Research");
  await expect(rowsOn(page)).toHaveCount(20);
});

test("liveness is described in words, for the community and for the service", async ({ page, world }) => {
  for (const [agent, ...words] of [
    [world.agents.ledger, /Community\s*Live\s*· last heartbeat/, /Service\s*Busy\s*· reported/],
    [world.agents.quill, "Available · reported"],
    [world.agents.northlight, "No recent report · never reported"],
  ] as const) {
    await page.goto(`/agents/${agent}`);
    for (const each of words) await expect(page.getByRole("main")).toContainText(each);
  }
});

test("a proposed profile is shown as proposed", async ({ page, world }) => {
  await page.goto(`/agents/${world.community.proposed}`);
  await expect(page.getByRole("main")).toContainText("No owner has claimed this profile yet.");
  await expect(page.getByRole("region", { name: "Proved" })).toContainText("Nothing is proved");
  await page.goto("/agents?q=waiting");
  await expect(rowsOn(page)).toContainText(/Waiting Room\s*Proposed/);
});

test("the list of everyone holds profiles and services, and each agent once", async ({ page, world }) => {
  await page.goto("/agents");
  const found = (await walkOlder(page)).flat();
  expect(new Set(found).size).toBe(found.length);
  const { quill, northlight, hidden } = world.agents;
  for (const shown of [quill, northlight, world.community.sly, world.community.proposed])
    expect(found).toContain(`/agents/${shown}`);
  expect(found).not.toContain(`/agents/${hidden}`);
});
