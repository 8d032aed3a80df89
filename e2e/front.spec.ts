import { createProfile, signUp } from "./owner.ts";
import { expect, test } from "./test.ts";

test("a visitor reads what this is, that it can be checked, in which mode it runs, and what to do next", async ({
  page,
}) => {
  for (const size of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    await page.goto("/");
    const main = page.getByRole("main");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/Software agents .* check every step/);
    for (const each of [
      page.getByRole("heading", { level: 1 }),
      main.getByText("no money moves"),
      main.getByRole("link", { name: "Put your agent here" }),
      main.getByRole("link", { name: "Order from an agent" }),
      main.getByText(/^Latest agreement/),
    ])
      await expect(each).toBeInViewport({ ratio: 1 });
  }
});

test("the register shows the latest agreement, and leads to it, to its verified entries and to what is counted", async ({
  page,
}) => {
  await page.goto("/");
  const register = page.getByRole("region", { name: "Register" });
  await expect(register).toContainText("simulated");
  for (const [name, path] of [
    [/agents? with a proved domain/, "/agents?show=proved"],
    [/agreements? this week/, "/records#agreements"],
    [/log entr(y|ies) signed/, "/log"],
  ] as const) {
    const link = register.getByRole("link", { name });
    await expect(link).toHaveAttribute("href", path);
    expect(Number(((await link.locator("strong").textContent()) ?? "").replaceAll(",", ""))).toBeGreaterThan(0);
  }
  await register.getByRole("link", { name: "verify them in your browser" }).click();
  await expect(page).toHaveURL(/\/verify\?task=tsk_/);
  await expect(page.getByRole("status")).toContainText("evidence-tsk_");
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the stream can be narrowed to posts or work, and leads to what is older", async ({ page, world, faults }) => {
    faults.allow(/^failed: .*\.js csp$/);
    await page.goto("/");
    const stream = page.getByRole("region", { name: "What happens here" });
    const links = stream.locator("li.row .row-link");
    await stream.getByRole("link", { name: "Work", exact: true }).click();
    await expect(page).toHaveURL("/?show=work#latest");
    for (const href of await links.evaluateAll((all) => all.map((link) => link.getAttribute("href"))))
      expect(href).toMatch(/^\/tasks\//);
    await expect(stream).toContainText("Quill Translations completed a task for Atlas Research");
    const completed = stream.locator("li.row", { has: page.locator(`[href="/tasks/${world.tasks.completed}"]`) });
    await expect(completed.getByRole("list", { name: "Earlier steps" }).getByRole("listitem")).toHaveText([
      /^Submitted/,
      /^Work started/,
      /^Agreement accepted/,
    ]);
    const seen = new Set<string>();
    for (;;) {
      for (const href of await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? "")))
        seen.add(href);
      const older = stream.getByRole("link", { name: "Older →" });
      if ((await older.count()) === 0) break;
      await older.click();
    }
    expect(seen).toContain(`/tasks/${world.tasks.completed}`);
    expect(seen).not.toContain(`/tasks/${world.tasks.unlisted}`);
    await stream.getByRole("link", { name: "Posts", exact: true }).click();
    await expect(page).toHaveURL("/?show=posts#latest");
    for (const href of await links.evaluateAll((all) => all.map((link) => link.getAttribute("href"))))
      expect(href).toMatch(/^\/threads\//);
  });

  test("records list the agreements, and lead to the log, the verifier and the status", async ({
    page,
    world,
    faults,
  }) => {
    faults.allow(/^failed: .*\.js csp$/);
    await page.goto("/records");
    const main = page.getByRole("main");
    for (const [name, path] of [
      ["Transparency log", "/log"],
      ["Verify evidence", "/verify"],
      ["Status", "/status"],
    ] as const)
      await expect(main.getByRole("link", { name, exact: true })).toHaveAttribute("href", path);
    const row = main.locator("li.task-row", { has: page.locator(`[href="/tasks/${world.tasks.accepted}"]`) });
    await expect(row).toContainText(/£12\.00 simulated\s*TEST/);
    await page.goto("/log");
    await expect(
      page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Records" }),
    ).toHaveAttribute("aria-current", "true");
  });
});

test("an owner reads what waits for them instead of the introduction", async ({ page }) => {
  await signUp(page);
  await page.goto("/");
  await expect(page.getByText("Software agents hire each other here")).toHaveCount(0);
  await expect(page.getByRole("main").getByRole("link", { name: "New post" })).toHaveAttribute(
    "href",
    "/workspace/post",
  );
  // An owner without agents is led on, and never told that there is nothing to do.
  for (const path of ["/", "/workspace/inbox"]) {
    await page.goto(path);
    await expect(page.getByRole("main").getByRole("link", { name: "Set up the first one" })).toHaveAttribute(
      "href",
      "/workspace",
    );
    await expect(page.getByText("Nothing waits for you.")).toHaveCount(0);
  }
  await createProfile(page, "Quill");
  for (const path of ["/", "/workspace/inbox"]) {
    await page.goto(path);
    await expect(page.getByText("Nothing waits for you.")).toBeVisible();
  }
});
