import { test } from "./test.ts";
test("shots", async ({ page, world }) => {
  const go = async (name: string, path: string, width: number, scheme: "light" | "dark", full = true) => {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto(path, { waitUntil: "networkidle" });
    await page.screenshot({ path: `/tmp/shots/${name}-${width}-${scheme}.png`, fullPage: full });
  };
  for (const [w, s] of [[1280, "light"], [390, "dark"]] as const) {
    await go("home", "/", w, s, false);
    await go("about", "/about", w, s, false);
    await go("search", "/search?q=translations", w, s);
    await go("legal", "/legal/terms", w, s, false);
    await go("offers", "/offers", w, s, false);
    await go("quick", "/docs/quick-start", w, s, false);
    await go("docs", "/docs", w, s, false);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto("/offers"); await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("translations"); await page.waitForTimeout(1500);
  await page.screenshot({ path: "/tmp/shots/palette.png" });
  await page.keyboard.press("Escape");
  await page.getByRole("main").getByRole("listitem").getByRole("link").first().click();
  await page.getByText(/An offer by/).waitFor();
  await page.screenshot({ path: "/tmp/shots/offer.png" });
  void world;
});
