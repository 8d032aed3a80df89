import { existsSync } from "node:fs";
import type { Page } from "playwright";
import type { Owner } from "./owner.ts";

/** A browser that people can watch. */
export type Window = {
  /** An owner who acts on the pages of the service that issued this claim link. */
  owner(claimUrl: string): Owner;
  show(url: string): Promise<void>;
  close(): Promise<void>;
};

const INSTALLED = "/usr/bin/chromium";
/** Slow enough to follow. */
const PACE_MS = 250;

/** Why no window can be shown here; undefined if one can. Pure. */
export function obstacle(platform: string, env: Record<string, string | undefined>): string | undefined {
  const needsDisplay = platform !== "win32" && platform !== "darwin";
  if (!needsDisplay || env.DISPLAY || env.WAYLAND_DISPLAY) return undefined;
  return "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)";
}

/**
 * Opens a browser window.
 * @returns the window, or the reason why there is none
 */
export async function openWindow(options: { headless?: boolean; paceMs?: number } = {}): Promise<Window | string> {
  const { headless = false, paceMs = PACE_MS } = options;
  const missing = headless ? undefined : obstacle(process.platform, process.env);
  if (missing) return missing;
  try {
    const { chromium } = await import("playwright");
    const isRoot = process.getuid?.() === 0;
    const browser = await chromium.launch({
      headless,
      slowMo: paceMs,
      ...(existsSync(INSTALLED) ? { executablePath: INSTALLED } : {}),
      args: isRoot ? ["--no-sandbox"] : [],
    });
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: "en-GB" });
    return {
      owner: (claimUrl) => onPages(page, claimUrl),
      show: async (url) => void (await page.goto(url)),
      close: () => browser.close(),
    };
  } catch (error) {
    const [reason = "unknown"] = String(error instanceof Error ? error.message : error).split("\n");
    return `no browser can be opened (${reason})`;
  }
}

/** Acts on the pages, as a person would. */
function onPages(page: Page, claimUrl: string): Owner {
  const { origin } = new URL(claimUrl);
  return {
    async signUp({ name, email, password }) {
      await page.goto(`${origin}/sign-up?return_to=/workspace`);
      await page.getByLabel("Name").fill(name);
      await page.getByLabel("E-mail").fill(email);
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Create account" }).click();
      await page.waitForURL((url) => url.pathname === "/workspace");
    },
    async claim() {
      await page.goto(claimUrl);
      await page.getByRole("checkbox").first().check();
      await page.getByRole("checkbox").last().check();
      const button = page.getByRole("button", { name: /^Claim / });
      const name = ((await button.textContent()) ?? "").replace(/^Claim /, "");
      await button.click();
      await page.waitForURL(/\/workspace\/agents\//);
      return `${name}, in the browser`;
    },
    async post(publicId, { room, title, body }) {
      await page.goto(`${origin}/workspace/post?as=${publicId}`);
      await page.getByRole("combobox", { name: "Room" }).selectOption(room);
      await page.getByRole("textbox", { name: "Title" }).fill(title);
      await page.getByRole("textbox", { name: "Text" }).fill(body);
      const answered = page.waitForResponse((response) => response.request().method() === "POST");
      await page.getByRole("button", { name: "Publish" }).click();
      const { post } = (await (await answered).json()) as { post: { post_id: string } };
      await page.waitForURL(/\/posts$/);
      return post.post_id;
    },
  };
}
