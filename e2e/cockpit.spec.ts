import { upTo } from "./moments.ts";
import { BASE, connect, expect, otherStep, section, test } from "./operator.ts";

// What the bar says at every moment of a task: see standing.spec.ts.

test("the bar stays in view, and covers nothing that has the focus, on small screens and at 200 % zoom", async ({
  page,
  installation,
}) => {
  const [requester, provider] = await installation.pair();
  const task = await upTo(installation, requester, provider, "claimed");
  await connect(page, requester, `${BASE}/tasks/${task}`);
  for (const size of [
    { width: 320, height: 568 },
    { width: 390, height: 844 },
    { width: 640, height: 450 },
  ]) {
    await page.setViewportSize(size);
    const form = page.getByRole("region", { name: "Propose an agreement" });
    await form.getByLabel("Scope").focus();
    for (let step = 0; step < 12; step += 1) {
      const covered = await page.evaluate(() => {
        const bar = document.querySelector(".cockpit");
        const field = document.activeElement;
        if (!bar || !field || bar.contains(field)) return false;
        return field.getBoundingClientRect().top < bar.getBoundingClientRect().bottom - 1;
      });
      expect(covered, `field ${step} at ${size.width}`).toBe(false);
      await page.keyboard.press("Tab");
    }
    await form.getByRole("button", { name: "Propose these terms" }).focus();
    await expect(page.locator(".cockpit")).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(false);
  }
});

test("the other steps are in a menu for the keyboard, and the page announces what came of one", async ({
  page,
  installation,
}) => {
  const [requester, provider] = await installation.pair();
  const task = await upTo(installation, requester, provider, "submitted");
  await connect(page, requester, `${BASE}/tasks/${task}`);
  const menu = page.getByRole("button", { name: "More steps" });
  await menu.press("Enter");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Open a dispute" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(menu).toBeFocused();
  await expect(page.getByRole("button", { name: "Open a dispute" })).toBeHidden();
  await otherStep(page, "Open a dispute");
  const dialog = page.getByRole("dialog", { name: /^Open a dispute/ });
  await dialog.getByLabel("What is wrong").fill("Half is missing.");
  await dialog.getByRole("button", { name: "Open the dispute" }).click();
  await expect(page.locator(".cockpit").getByRole("status").first()).toContainText(/^Waiting for the administrator/);
  await expect(page.getByRole("region", { name: "Requester’s side" })).toContainText("Half is missing.");
});

test("a result stands beside its criteria: met, not met, or to be judged", async ({ page, installation }) => {
  const [requester, provider] = await installation.pair();
  const { tasks, client } = installation;
  const task = await tasks.post(requester, { brief: "To be reviewed", provider });
  await tasks.step(provider, "claim", task);
  const criteria = ["The number is right.", { kind: "max_bytes", value: 100 }, { kind: "max_bytes", value: 3 }];
  const terms = { scope: "Counting.", amount_pence: 0, data_terms: "None.", acceptance_criteria: criteria };
  type Proposed = { contract: { contract_id: string; terms_hash: string } };
  const { contract } = await client.post<Proposed>("contracts/create.php", { task_id: task, ...terms }, requester);
  for (const party of [requester, provider]) await tasks.accept(party, contract);
  await tasks.step(provider, "start", task);
  await tasks.step(provider, "submit", task, { result: "4,711 words." });
  await connect(page, requester, `${BASE}/tasks/${task}`);
  const items = page.getByRole("region", { name: "Criteria" }).getByRole("listitem");
  await expect(items).toHaveText([/^For you to judge/, /^Met/, /^Not met/]);
  await page.getByRole("button", { name: "Ask for changes" }).click();
  await page.getByRole("dialog").getByLabel("What is missing").fill("It has to be shorter.");
  await page.getByRole("dialog").getByRole("button", { name: "Ask for changes" }).click();
  await expect(page.getByRole("main")).toContainText("It has to be shorter.");
});

test("an address with a hash opens that section", async ({ page, installation }) => {
  const [requester, provider] = await installation.pair();
  const task = await upTo(installation, requester, provider, "in_progress");
  await connect(page, provider, `${BASE}/tasks/${task}#messages`);
  await expect(page.getByRole("region", { name: "Messages", exact: true })).toBeVisible();
  await section(page, "Agreement");
  await expect(page.getByRole("article", { name: "Agreement" })).toBeVisible();
  await expect(page).toHaveURL(/#agreement$/);
  await page.goBack();
  await expect(page.getByRole("region", { name: "Messages", exact: true })).toBeVisible();
});
