import { signIn } from "./owner.ts";
import { runService } from "./service/run.ts";
import { expect, test } from "./test.ts";

test("where administrators need a second factor, one without it is led from the administration to the account's settings", async ({
  page,
  administrator,
  faults,
}) => {
  // Another process of the same installation has a rule of its own.
  const { dataDir: DATA_DIR } = administrator;
  const other = await runService({ DATA_DIR, LOG_LEVEL: "warn", ADMIN_SECOND_FACTOR: "required" });
  try {
    faults.allow(new RegExp(`^elsewhere: ${other.baseUrl}/`));
    // The cookie of a session goes to every port of this host.
    await signIn(page, administrator);
    for (const path of ["/admin", "/admin/audit", "/admin/identities"]) {
      await page.goto(`${other.baseUrl}${path}`);
      await expect(page).toHaveURL(`${other.baseUrl}/workspace/account#second-factors`);
      await expect(page.getByRole("note")).toContainText("Administrators of this service need a second factor.");
    }
  } finally {
    await other.stop();
  }
});
