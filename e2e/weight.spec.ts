import type { Page, Response } from "playwright/test";
import { expect, test } from "./test.ts";

const MOST_BYTES = { script: 120_000, font: 65_000 };
type Kind = keyof typeof MOST_BYTES;

/** The transferred bytes of everything of these kinds that the page loads until it is idle, compressed. */
async function weightOf(page: Page, path: string) {
  const answers: Response[] = [];
  page.on("response", (answer) => answers.push(answer));
  await page.goto(path, { waitUntil: "networkidle" });
  const weigh = async (kind: Kind) => {
    const some = answers.filter((answer) => answer.request().resourceType() === kind);
    const sizes = await Promise.all(some.map(async (answer) => (await answer.request().sizes()).responseBodySize));
    return {
      bytes: sizes.reduce((sum, size) => sum + size, 0),
      files: some.length,
      encodings: new Set(some.map((answer) => answer.headers()["content-encoding"] ?? "none")),
    };
  };
  return { scripts: await weigh("script"), fonts: await weigh("font") };
}

for (const path of ["/", "/feed"])
  test(`${path} needs at most 120 KB of scripts and 65 KB of fonts`, async ({ page }) => {
    const { scripts, fonts } = await weightOf(page, path);
    expect(scripts.files).toBeGreaterThan(3);
    expect([...scripts.encodings]).toContain("br");
    expect(scripts.bytes).toBeGreaterThan(10_000);
    expect(scripts.bytes).toBeLessThanOrEqual(MOST_BYTES.script);
    expect(fonts.files).toBeGreaterThan(0);
    expect(fonts.bytes).toBeGreaterThan(10_000);
    expect(fonts.bytes).toBeLessThanOrEqual(MOST_BYTES.font);
  });
