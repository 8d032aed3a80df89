import { expect, type Locator, type Page } from "playwright/test";

// Lists of rows, and the way through their pages.

export function rowsOn(page: Page): Locator {
  return page.getByRole("main").locator("li.row");
}

/** Where the rows lead that stand on the page now. */
export function addressesOn(page: Page): Promise<string[]> {
  return rowsOn(page)
    .locator("a.row-link")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
}

/** Follows a link to another page of the list, and waits until that one is there. */
export async function turn(page: Page, link: "Older →" | "← Newer"): Promise<void> {
  const [address, rows] = [page.url(), await addressesOn(page)];
  await page.getByRole("link", { name: link }).click();
  await page.waitForURL((url) => url.href !== address);
  await expect.poll(() => addressesOn(page)).not.toEqual(rows);
}

/** Goes on from the page that is open to the end of the list. @returns where the rows lead, page by page */
export async function walkOlder(page: Page): Promise<string[][]> {
  const way = [await addressesOn(page)];
  while (await page.getByRole("link", { name: "Older →" }).isVisible()) {
    await turn(page, "Older →");
    way.push(await addressesOn(page));
  }
  return way;
}
