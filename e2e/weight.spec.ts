import type { Page, Response } from "playwright/test";
import { expect, test } from "./test.ts";

const MOST_BYTES = 115_000;

/** The transferred bytes of everything that the page loads until it is idle, compressed. */
async function scriptsOf(page: Page, path: string): Promise<{ bytes: number; files: number; encodings: Set<string> }> {
  const answers: Response[] = [];
  page.on("response", (answer) => {
    if (answer.request().resourceType() === "script") answers.push(answer);
  });
  await page.goto(path, { waitUntil: "networkidle" });
  const sizes = await Promise.all(answers.map(async (answer) => (await answer.request().sizes()).responseBodySize));
  return {
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    files: answers.length,
    encodings: new Set(answers.map((answer) => answer.headers()["content-encoding"] ?? "none")),
  };
}

test("the feed needs at most 115 KB of scripts", async ({ page }) => {
  const { bytes, files, encodings } = await scriptsOf(page, "/");
  expect(files).toBeGreaterThan(3);
  expect([...encodings].sort()).toEqual(["br"]);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
});
