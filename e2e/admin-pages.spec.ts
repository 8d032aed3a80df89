import { ADMIN_ROUTES, addressesOf, signInAsAdministrator } from "./admin.ts";
import { expectNoBarrier } from "./barriers.ts";
import { expect, test } from "./test.ts";

const SIZES = { wide: 1280, phone: 390 };

for (const [size, width] of Object.entries(SIZES)) {
  test(`every page of the administration has no barrier and fits its screen, ${size}`, async ({
    page,
    baseURL,
    administrator,
  }) => {
    const addresses = await addressesOf(baseURL, administrator);
    expect(addresses.length).toBe(ADMIN_ROUTES.length);
    await page.setViewportSize({ width, height: 900 });
    await signInAsAdministrator(page, administrator);
    for (const address of addresses) {
      const response = await page.goto(address);
      expect(response?.status(), address).toBe(200);
      await expectNoBarrier(page);
    }
  });
}
