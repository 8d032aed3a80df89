import { beginAct, ownerOf, signInAsAdministrator } from "./admin.ts";
import { fillSignIn, signUp, somebody } from "./owner.ts";
import { settleParty } from "./service/admin-cases.ts";
import { expect, test } from "./test.ts";

test("an administrator finds an owner, promotes them with a new password that is shown once, and demotes them again", async ({
  page,
  browser,
  baseURL,
  administrator,
}) => {
  const person = { ...somebody(), name: `Grace ${Date.now()}` };
  const context = await browser.newContext({ baseURL: baseURL ?? "" });
  try {
    const theirs = await context.newPage();
    await signUp(theirs, person);
    await signInAsAdministrator(page, administrator, "/admin/owners");
    await page.getByLabel("E-mail address, name or owner ID").fill(person.email);
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("link", { name: person.name }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(person.name);
    const promote = await beginAct(page, "Make administrator", "She runs the place with me.");
    await promote.getByRole("button").click();
    const dialog = page.getByRole("dialog", { name: new RegExp(person.email) });
    await dialog.getByRole("button", { name: "Make administrator" }).click();
    const secret = page.getByRole("region", { name: "New password" });
    await expect(secret).toBeFocused();
    const password = (await secret.getByRole("code").textContent()) ?? "";
    expect(password.length).toBeGreaterThanOrEqual(20);
    await secret.getByRole("button", { name: "I have stored it" }).click();
    expect(await page.content()).not.toContain(password);
    await expect(page.getByRole("listitem").filter({ hasText: "She runs the place with me." })).toContainText(
      "Promoted to administrator",
    );

    // Her session has ended, her old password no longer works, and the new one opens the administration pages.
    await theirs.goto("/workspace");
    await expect(theirs).toHaveURL(/\/sign-in/);
    await fillSignIn(theirs, person);
    await expect(theirs.getByRole("alert").filter({ hasText: /wrong/ })).toBeVisible();
    await signInAsAdministrator(theirs, { ...administrator, ...person, password });
    await expect(theirs.getByRole("heading", { level: 1 })).toHaveText("Administration");

    const demote = await beginAct(page, "Demote to owner", "She has left.");
    await demote.getByRole("button").click();
    await page.getByRole("dialog").getByRole("button", { name: "Demote to owner" }).click();
    await expect(page.getByText(`${person.name} is no longer an administrator.`)).toBeFocused();
    expect((await theirs.request.get("/admin")).status()).toBe(404);
  } finally {
    await context.close();
  }
});

test("an administrator cannot decide about their own account or agent, and the page says why", async ({
  page,
  administrator,
}) => {
  const own = await ownerOf(administrator, administrator.email);
  await signInAsAdministrator(page, administrator, `/admin/owners/${own}`);
  const decide = page.getByRole("region", { name: "Decisions" });
  await expect(decide).toContainText("You cannot decide this");
  await expect(decide.locator("summary")).toHaveCount(0);
  await expect(
    page
      .getByRole("definition")
      .filter({ hasText: /^Administrator$/ })
      .first(),
  ).toBeVisible();
});

test("a host is held from an identity's page, which shows it, and the host's own page lifts it", async ({
  page,
  client,
  administrator,
}) => {
  const { public_id: id, host } = await settleParty(client, administrator, "Lee Shore");
  await signInAsAdministrator(page, administrator, `/admin/identities/${id}`);
  const hold = await beginAct(page, "Hold the host", "Too many from there.");
  await hold.getByRole("button").click();
  await page
    .getByRole("dialog", { name: `Hold ${host}?` })
    .getByRole("button", { name: "Hold this host" })
    .click();
  await expect(page.getByText(`${host} is held.`)).toBeFocused();
  await expect(page.getByText("All, because of the hold on its host")).toBeVisible();
  await page.goto(`/admin/hosts?q=${host}`);
  await page.getByRole("link", { name: host }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Too many from there." })).toContainText("Held");
  const lift = await beginAct(page, "Lift the hold on the host", "Sorted out.");
  await lift.getByRole("button").click();
  await expect(page.getByText(`The hold on ${host} is lifted.`)).toBeFocused();
});

test("an owner reports an offer, an agent and a task from their pages, and the administrator finds them in the queue", async ({
  page,
  browser,
  baseURL,
  administrator,
  world,
}) => {
  const context = await browser.newContext({ baseURL: baseURL ?? "" });
  const why = `Not right ${Date.now()}`;
  try {
    const owner = await context.newPage();
    await owner.goto("/offers");
    await expect(owner.getByRole("link", { name: "Report this offer" })).toHaveCount(0);
    await signUp(owner);
    for (const [path, word] of [
      ["/offers", "offer"],
      [`/agents/${world.agents.quill}`, "agent"],
      [`/tasks/${world.tasks.open}`, "task"],
    ] as const) {
      await owner.goto(path);
      if (word === "offer") await owner.getByRole("main").locator(".row-link").first().click();
      await owner
        .getByRole("link", { name: `Report this ${word}` })
        .first()
        .click();
      await expect(owner.getByRole("heading", { level: 1 })).toHaveText(new RegExp(`^Report an? ${word}$`));
      await owner.getByLabel("What is wrong with it?").fill(`${why} ${word}`);
      await owner.getByRole("button", { name: "Report" }).click();
      await expect(owner.getByRole("status").filter({ hasText: /rpt_/ })).toBeFocused();
    }
  } finally {
    await context.close();
  }
  await signInAsAdministrator(page, administrator, "/admin/reports?kind=task");
  await page.getByRole("link", { name: `${why} task` }).click();
  await expect(page.locator("summary", { hasText: "Hold the task" })).toBeVisible();
  const uphold = await beginAct(page, "Uphold the report", "It is indeed.");
  await uphold.getByRole("button").click();
  await page.getByRole("dialog").getByRole("button", { name: "Uphold this report" }).click();
  await expect(page.getByText("This report is upheld.")).toBeVisible();
});
