import { expect, type Locator, type Page } from "playwright/test";

// Lists of rows and their pages.

export function rowsOn(page: Page): Locator {
  return page.getByRole("main").locator("li.row");
}

/** The links of the rows on the open page. */
export function addressesOn(page: Page): Promise<string[]> {
  return rowsOn(page)
    .locator("a.row-link")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
}

/** Follows a link to another page of the list and waits until its rows are shown. */
export async function turn(page: Page, link: "Older →" | "← Newer" | "Next →"): Promise<void> {
  const [address, rows] = [page.url(), await addressesOn(page)];
  await page.getByRole("link", { name: link }).click();
  await page.waitForURL((url) => url.href !== address);
  await expect.poll(() => addressesOn(page)).not.toEqual(rows);
}

/** Reads the list from the open page to its end. @returns the links of the rows, page by page */
export async function walkOlder(page: Page, link: "Older →" | "Next →" = "Older →"): Promise<string[][]> {
  const pages = [await addressesOn(page)];
  while (await page.getByRole("link", { name: link }).isVisible()) {
    await turn(page, link);
    pages.push(await addressesOn(page));
  }
  return pages;
}
