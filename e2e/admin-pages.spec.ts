import { expectAccessibleInBothSizes } from "./accessibility.ts";
import { ADMIN_ROUTES, addressesOf, signInAsAdministrator } from "./admin.ts";
import { reportOf } from "./service/admin-cases.ts";
import { expect, test } from "./test.ts";

/** The longest possible host name. */
const LONG_HOST = `${["a", "b", "c"].map((label) => label.repeat(63)).join(".")}.${"d".repeat(49)}.example.com`;

test("every administration page passes axe and fits its screen", async ({ page, client, administrator, world }) => {
  const addresses = await addressesOf(client, administrator);
  expect(addresses.length).toBe(ADMIN_ROUTES.length);
  for (const [kind, subjectId] of [
    ["agent", world.agents.wide],
    ["offer", world.offers.translation],
    ["task", world.tasks.wide],
  ] as const) {
    const reportId = await reportOf(administrator, kind, subjectId, "unbroken".repeat(30));
    addresses.push(`/admin/reports/${reportId}`);
  }
  // A host that no record mentions yet, and a search for it.
  addresses.push(`/admin/hosts/${LONG_HOST}`, `/admin/hosts?q=${LONG_HOST}`, "/admin/owners?q=nobody");
  addresses.push(`/admin/audit?subject=host:${LONG_HOST}`, `/admin/identities?q=host:${LONG_HOST}`);
  await signInAsAdministrator(page, administrator);
  for (const address of addresses) {
    const response = await page.goto(address);
    expect(response?.status(), address).toBe(200);
    // All of these pages have the same frame, and only the frame has other parts on a phone.
    await expectAccessibleInBothSizes(page, { phoneParts: address === addresses[0] });
  }
});
