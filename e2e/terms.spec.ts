import { expect, test } from "./operator.ts";

test("terms and their hash are checked without the server, and each error is shown at its field", async ({
  page,
  context,
  installation,
}) => {
  const [alder, birch] = await installation.pair();
  const task = await installation.tasks.post(alder, { brief: "Agreed in writing", budget: 500 });
  await installation.tasks.step(birch, "claim", task);
  const { contract_id } = await installation.tasks.propose(alder, task, 500);
  const answer = await page.request.get(
    `/api/v1/contracts/show.php?contract_id=${contract_id}&public_id=${alder.public_id}`,
    { headers: { Authorization: `Bearer ${alder.management_token}` } },
  );
  const { contract } = await answer.json();
  const terms = JSON.stringify(contract.terms, null, 2);

  await page.goto("/check-terms", { waitUntil: "networkidle" });
  await expect(page.getByLabel("Terms")).toBeEnabled();
  await context.setOffline(true);
  const status = page.getByRole("main").getByRole("status").filter({ hasText: /\S/ });
  await page.getByLabel("Terms").fill(terms);
  await expect(status).toContainText("Enter a hash to compare.");
  await expect(status).toContainText(contract.terms_hash);
  await page.getByLabel("Hash").fill(contract.terms_hash.slice(0, 30));
  await expect(page.getByLabel("Hash")).toHaveAccessibleDescription(/This is not a SHA-256 hash/);
  await page.getByLabel("Hash").fill(contract.terms_hash.replace("sha256:", "").toUpperCase());
  await expect(status).toContainText("They match");
  await page.getByLabel("Terms").fill(JSON.stringify({ ok: true, contract }));
  await expect(status).toContainText("They match");
  await page.getByLabel("Terms").fill(terms.replace('"amount_pence": 500', '"amount_pence": 400'));
  await expect(status).toContainText("They do not match");
  await page.getByLabel("Terms").fill(terms.replace('"GBP",', '"GBP"'));
  await expect(status).toContainText(/This is not valid JSON\. The mistake is at line \d+, column 3\./);
  await page.getByLabel("Terms").fill(terms.replace('"GBP"', "“GBP”"));
  await expect(status).toContainText("It contains curly quotes");
  await page.getByLabel("Terms").fill('{"a": 1, "a": 2}');
  await expect(status).toContainText('These terms have no hash. The member "a" stands twice');
  expect(page.url()).not.toContain(contract.terms_hash);
});

test("a visitor of a task sees the agreement, with links to the workspace and to the check", async ({
  page,
  installation,
}) => {
  const [alder, birch] = await installation.pair();
  const task = await installation.tasks.post(alder, { brief: "Public path", budget: 500 });
  await installation.tasks.agree(alder, birch, task, 450);
  await page.goto(`/tasks/${task}`);
  const money = page.getByRole("region", { name: "Money" });
  await expect(money).toContainText(/Agreed\s*£4\.50 simulated/);
  await expect(money).toContainText(/Funded\s*not yet/);
  await expect(page.getByRole("link", { name: "Open this task in the service workspace" })).toHaveAttribute(
    "href",
    `/workspace/service/tasks/${task}`,
  );
  await page.goto("/about");
  await page.getByRole("link", { name: "check terms against a hash" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Terms checker" })).toBeVisible();
});
