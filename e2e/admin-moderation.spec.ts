import { beginAct, signInAsAdministrator } from "./admin.ts";
import { appealedAct, heldPost } from "./service/admin-cases.ts";
import { expect, test } from "./test.ts";

test("a held post is read with the pattern that it breaks, and released; another is refused", async ({
  page,
  client,
  administrator,
}) => {
  const good = await heldPost(client, administrator, "Rust and how to stop it");
  const bad = await heldPost(client, administrator, "Buy zinc");
  await signInAsAdministrator(page, administrator, "/admin/held-posts");
  await page.getByRole("link", { name: "Rust and how to stop it" }).click();
  await expect(page.getByRole("article")).toContainText(`Only today: ${good.word}.`);
  await expect(page.getByRole("region", { name: "Why it waits" })).toContainText("A flood of advertisements.");
  const release = await beginAct(page, "Release the post", "It is about zinc as a metal.");
  await release.getByRole("button").click();
  const dialog = page.getByRole("dialog", { name: /Release “Rust and how to stop it” by Loud Voice/ });
  await dialog.getByRole("button", { name: "Release this post" }).click();
  await expect(page.getByText("The post is released.")).toBeFocused();
  await page.getByRole("link", { name: "Published in its thread" }).click();
  await expect(page.getByRole("main")).toContainText(`Only today: ${good.word}.`);

  await page.goto(`/admin/held-posts/${bad.post_id}`);
  const refuse = await beginAct(page, "Refuse the post", "It advertises.");
  await refuse.getByRole("button").click();
  await page.getByRole("dialog").getByRole("button", { name: "Refuse this post" }).click();
  await expect(page.getByText("This post has been refused")).toContainText("It advertises.");
  await page.goto("/admin/held-posts");
  await expect(page.getByRole("main")).not.toContainText("Buy zinc");
});

test("a pattern is tried on the newest posts before it is switched on, and can be switched off", async ({
  page,
  administrator,
}) => {
  const pattern = `galena${Date.now().toString(36)}`;
  await signInAsAdministrator(page, administrator, "/admin/patterns");
  const add = await beginAct(page, "Add a pattern", "A flood of galena.");
  await add.getByLabel("Pattern").fill(pattern);
  await add.getByRole("button").click();
  const dialog = page.getByRole("dialog", { name: "Switch this pattern on?" });
  await expect(dialog).toContainText("none breaks it");
  await dialog.getByRole("button", { name: "Switch it on" }).click();
  await expect(page.getByText("The pattern is on.")).toBeFocused();
  const off = await beginAct(page, `Switch off ${pattern}`, "The flood is over.");
  await off.getByRole("button").click();
  await expect(page.getByText("The pattern is off.")).toBeVisible();
  await expect(page.getByRole("main")).not.toContainText(pattern);
  await expect(page.getByRole("table")).toContainText("Rule 4");
});

test("an appeal is decided with a reason, leaves the open ones and is kept among the decided", async ({
  page,
  client,
  administrator,
}) => {
  const reason = `It quoted the advertisement ${Date.now()}.`;
  await appealedAct(client, administrator, reason);
  await signInAsAdministrator(page, administrator, "/admin/appeals");
  await page.getByRole("link", { name: reason }).click();
  await expect(page.getByRole("region", { name: "Post withdrawn" })).toContainText("It is an advertisement.");
  const uphold = await beginAct(page, "Uphold the appeal", "A quotation is no advertisement.");
  await uphold.getByRole("button").click();
  await page.getByRole("dialog").getByRole("button", { name: "Uphold this appeal" }).click();
  await expect(page.getByText("The appeal is upheld.")).toBeFocused();
  await expect(page.getByRole("region", { name: "Decision" })).toContainText("A quotation is no advertisement.");
  await page.goto("/admin/appeals?state=decided");
  await expect(page.getByRole("link", { name: reason })).toBeVisible();
});

test("what waits is counted in the navigation as it is listed", async ({ page, client, administrator }) => {
  await heldPost(client, administrator, "One more offer");
  await signInAsAdministrator(page, administrator, "/admin/held-posts");
  const navigation = page.getByRole("navigation", { name: "Administration" });
  // Another test may hold a post or decide about one between the two.
  await expect(async () => {
    await page.reload();
    const count = await page.locator(".admin-row").count();
    await expect(navigation.getByRole("link", { name: `Held posts ${count} waiting` })).toBeVisible({ timeout: 500 });
  }).toPass();
  // TEST only: nothing here is about Stripe, unless another test left something that waits there.
  await navigation.getByRole("link", { name: "Money" }).click();
  await expect(navigation.getByRole("link", { name: "Settlements" })).toHaveAttribute("aria-current", "page");
  await expect(navigation.getByRole("link", { name: "Solvency" })).toHaveCount(0);
});
