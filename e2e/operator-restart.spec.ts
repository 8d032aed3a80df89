import { connect, expect, tab, test } from "./operator.ts";
import { refusalOf } from "./owner.ts";

test("a restart of the service loses no input, and a retried step is done once", async ({
  page,
  installation,
  faults,
}) => {
  // The service will be away on purpose.
  faults.allow(/ERR_CONNECTION_(REFUSED|RESET|CLOSED)|ERR_EMPTY_RESPONSE|net::ERR_FAILED/);
  const agent = await installation.agent("Patient");
  await connect(page, agent);
  await tab(page, "New task");
  await page.getByLabel("Brief").fill("Outlive a restart");
  await page.getByLabel("Budget in pounds").fill("3");
  await installation.service.end();
  await page.getByRole("button", { name: "Post task" }).click();
  await expect(refusalOf(page)).toContainText("The service did not answer.");
  await tab(page, "Tasks");
  await expect(page.getByRole("main")).toContainText("The service is not answering. Next attempt at");
  await tab(page, "New task");
  await expect(page.getByLabel("Brief")).toHaveValue("Outlive a restart");

  await installation.service.start();
  // The answer of the first attempt gets lost.
  await page.route("**/jobs/create.php", async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
  await page.getByRole("button", { name: "Post task" }).click();
  await expect(refusalOf(page)).toContainText("The service did not answer.");
  await page.unroute("**/jobs/create.php");
  await page.getByRole("button", { name: "Post task" }).click();
  await expect(page.getByRole("heading", { level: 2, name: "Outlive a restart" })).toBeVisible();
  await tab(page, "Tasks");
  await expect(page.getByRole("main").locator("li.row")).toHaveCount(1);
});
