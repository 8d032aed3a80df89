import { expectAccessibleInBothSizes } from "./accessibility.ts";
import { expect, test } from "./operator.ts";

test("evidence is downloaded from the task's page and verified offline, and one changed letter is caught", async ({
  page,
  context,
  installation,
}) => {
  const [alder, birch] = await installation.pair();
  const task = await installation.tasks.post(alder, { brief: "Proved in a browser", budget: 500 });
  await installation.tasks.agree(alder, birch, task, 450);
  await page.goto("/log");
  await expect(page.getByRole("heading", { level: 1, name: "Transparency log" })).toBeVisible();
  const key = await (await page.request.get("/log/key")).text();

  const address = `/api/v1/jobs/evidence.php?task_id=${task}`;
  await expect.poll(async () => (await (await page.request.get(address)).json()).proofs.includes(null)).toBe(false);
  await page.goto(`/tasks/${task}`);
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download the evidence" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe(`evidence-${task}.json`);
  const file = Buffer.from(await (await page.request.get(address)).body());

  await page.goto("/verify", { waitUntil: "networkidle" });
  await expect(page.getByLabel("Evidence file")).toBeEnabled();
  await context.setOffline(true);
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.url()));
  const report = page.getByRole("main").getByRole("status").filter({ hasText: /\S/ });
  await page.getByLabel("Evidence file").setInputFiles({ name: "e.json", mimeType: "application/json", buffer: file });
  await expect(report).toContainText("Consistent only");
  await page.getByLabel("Key of the log").fill("not a key");
  await expect(page.getByLabel("Key of the log")).toHaveAccessibleDescription(/not a log’s verifier key/);
  await page.getByLabel("Key of the log").fill(key);
  await expect(report).toContainText("Proved");
  await expect(report).toContainText(`Proved: all`);
  const bent = Buffer.from(file.toString().replace('"task.claimed"', '"task.claimee"'));
  await page.getByLabel("Evidence file").setInputFiles({ name: "b.json", mimeType: "application/json", buffer: bent });
  await expect(report).toContainText("Broken");
  await expect(report.getByRole("listitem").filter({ hasText: "Broken: changed" })).toHaveCount(1);
  await page
    .getByLabel("Evidence file")
    .setInputFiles({ name: "n.txt", mimeType: "text/plain", buffer: Buffer.from("no") });
  await expect(report).toContainText("Unreadable");

  // Made to be misread: names that every object has, markup, and more entries than a page can show.
  const [first, ...others] = JSON.parse(file.toString()).statements as { n: number; facts: object }[];
  const hostile = {
    ...JSON.parse(file.toString()),
    statements: [{ ...first, event: "constructor" }, ...others],
    chain: "<img src=x onerror='document.title=1'>",
  };
  const many = Array.from({ length: 20_000 }, (_, at) => ({ ...first, n: (at % 3) + 1 }));
  for (const [value, text] of [
    [hostile, "<img src=x"],
    [{ ...hostile, statements: many, proofs: many.map(() => null) }, "19,000 more are not shown."],
  ] as const) {
    const buffer = Buffer.from(JSON.stringify(value));
    await page.getByLabel("Evidence file").setInputFiles({ name: "h.json", mimeType: "application/json", buffer });
    await expect(report).toContainText(text);
    await expect(report).toContainText("Broken");
    expect(await report.getByRole("listitem").count()).toBeLessThan(2_100);
  }
  await expect(page).toHaveTitle(/Verify evidence/);
  await expect(report.getByRole("img", { name: "x" })).toHaveCount(0);
  expect(sent).toEqual([]);
});

test("evidence from a task's page shows names and sum, and this installation's key is offered with a warning", async ({
  page,
  installation,
}) => {
  const [alder, birch] = await installation.pair();
  const task = await installation.tasks.post(alder, { title: "Sound the harbour", brief: "Every corner", budget: 500 });
  await installation.tasks.agree(alder, birch, task, 450);
  const report = page.getByRole("main").getByRole("status").filter({ hasText: /\S/ });
  // The log is signed every two seconds.
  await expect(async () => {
    await page.goto(`/verify?task=${task}`);
    await expect(report.getByRole("listitem").first()).toHaveText(
      /^Alder [\d-]+ created a task \(listed, TEST\) with a budget of £5\.00 simulatedGood: in the log · \d+ \w+ 20\d\d, [\d:]+ UTC$/,
      { timeout: 2_000 },
    );
  }).toPass({ intervals: [1_000] });
  for (const shown of ["Sound the harbour", "Alder", "Birch", "£4.50 simulated"])
    await expect(report).toContainText(shown);
  await page.getByRole("button", { name: "Use this installation’s key" }).click();
  await expect(page.getByText("This key comes from the website that you are reading.")).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await expect(page.getByLabel("Evidence file")).toBeHidden();
  await expect(report).toBeVisible();
});

test("a sample can be tried without any file, whole and changed, on a phone too", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/verify");
  const report = page.getByRole("main").getByRole("status").filter({ hasText: /\S/ });
  await page.getByRole("button", { name: "Try with a sample" }).click();
  await expect(report.getByRole("heading", { name: "Proved", exact: true }).first()).toBeVisible();
  await report.getByText("Log, key and tree").click();
  await expectAccessibleInBothSizes(page);
  await page.getByRole("button", { name: "A sample with a changed word" }).click();
  await expect(report.getByRole("heading", { name: "Broken" })).toBeVisible();
  await expect(report.getByRole("listitem").filter({ hasText: "Broken: changed" })).toHaveCount(1);
});
