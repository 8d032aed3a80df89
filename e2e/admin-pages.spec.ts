import { AxeBuilder } from "@axe-core/playwright";
import { ADMIN_ROUTES, addressesOf, signInAsAdministrator } from "./admin.ts";
import { expect, test } from "./test.ts";

const SIZES = { wide: 1280, phone: 390 };

for (const [size, width] of Object.entries(SIZES)) {
  test(`every page of the administration has no barrier and fits its screen, ${size}`, async ({
    page,
    baseURL,
    administrator,
  }) => {
    // A score of pages, each looked at twice.
    test.setTimeout(240_000);
    const addresses = await addressesOf(baseURL, administrator);
    expect(addresses.length).toBe(ADMIN_ROUTES.length);
    await page.setViewportSize({ width, height: 900 });
    await signInAsAdministrator(page, administrator);
    for (const address of addresses) {
      await page.emulateMedia({ colorScheme: "light" });
      const response = await page.goto(address);
      expect(response?.status(), address).toBe(200);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      // What is closed is looked at as well.
      await page.evaluate(() => {
        for (const details of document.querySelectorAll("details")) details.open = true;
      });
      const axe = () => new AxeBuilder({ page }).setLegacyMode();
      const all = await axe()
        .options({ resultTypes: ["violations"] })
        .analyze();
      await page.emulateMedia({ colorScheme: "dark" });
      const colours = await axe()
        .options({ resultTypes: ["violations"], runOnly: { type: "tag", values: ["cat.color"] } })
        .analyze();
      const found = [...all.violations, ...colours.violations];
      expect(
        found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`),
        address,
      ).toEqual([]);
      const beyond = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(beyond, `${address}: pixels beyond the right edge`).toBe(0);
    }
  });
}
