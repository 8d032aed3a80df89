import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright";
import { runProgram } from "./run-program.ts";

const INSTALLED = "/usr/bin/chromium";

/**
 * Sees to it that there is a Chromium: the system's, else Playwright's own, which is fetched if it is missing; and where
 * that cannot be had, or does not run, the Debian package. playwright.config.ts prefers them in the same order.
 * @throws Error with what was tried and what came of it
 */
export async function ensureBrowser(log: (line: string) => void): Promise<void> {
  if ((await canLaunch(INSTALLED)) || (await canLaunch(chromium.executablePath()))) return;
  const tried: string[] = [];
  log("fetching a browser for Playwright");
  const cli = join(createRequire(import.meta.url).resolve("playwright/package.json"), "../cli.js");
  const fetched = await runProgram(process.execPath, [cli, "install", "chromium"]);
  tried.push(fetched.output);
  if (await canLaunch(chromium.executablePath())) return;
  if (process.getuid?.() === 0 && existsSync("/etc/debian_version")) {
    log("installing the Debian package chromium");
    for (const args of [["update"], ["install", "-y", "--no-install-recommends", "chromium"]])
      tried.push((await runProgram("apt-get", args, { DEBIAN_FRONTEND: "noninteractive" })).output);
    if (await canLaunch(INSTALLED)) return;
  }
  throw new Error(`There is no browser to test with, and none could be had:\n${tried.join("\n")}`);
}

async function canLaunch(executablePath: string): Promise<boolean> {
  if (!existsSync(executablePath)) return false;
  try {
    await (await chromium.launch({ executablePath, args: ["--no-sandbox"] })).close();
    return true;
  } catch {
    return false;
  }
}
