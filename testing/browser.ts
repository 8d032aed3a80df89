import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright";
import { runProgram } from "./run-program.ts";

// Chromium without its own windows needs less than half the processor time of the whole browser, and renders the same pages.
const LIGHT = "/usr/bin/chromium-headless-shell";
const WHOLE = "/usr/bin/chromium";

/** The system's browser to test with, or undefined: then Playwright takes its own. */
export function systemBrowser(): string | undefined {
  return [LIGHT, WHOLE].find((path) => existsSync(path));
}

/**
 * Sees to it that there is a Chromium: the system's without windows, as a Debian package if it can be installed, else the system's
 * whole one, else Playwright's own, which is fetched if it is missing.
 * @throws Error with what was tried and what came of it
 */
export async function ensureBrowser(log: (line: string) => void): Promise<void> {
  if (await canLaunch(LIGHT)) return;
  const tried: string[] = [];
  const mayInstall = process.getuid?.() === 0 && existsSync("/etc/debian_version");
  const apt = async (...args: string[]) => {
    log(`apt-get ${args.join(" ")}`);
    // Without a network it must fail soon.
    const quick = ["-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=15"];
    const { output } = await runProgram("apt-get", [...quick, ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
    tried.push(output);
  };
  if (mayInstall) {
    await apt("install", "-y", "--no-install-recommends", "chromium-headless-shell");
    if (await canLaunch(LIGHT)) return;
  }
  if ((await canLaunch(WHOLE)) || (await canLaunch(undefined))) return;
  log("fetching a browser for Playwright");
  const cli = join(createRequire(import.meta.url).resolve("playwright/package.json"), "../cli.js");
  tried.push((await runProgram(process.execPath, [cli, "install", "chromium"])).output);
  if (await canLaunch(undefined)) return;
  if (mayInstall) {
    await apt("update");
    await apt("install", "-y", "--no-install-recommends", "chromium");
    if (await canLaunch(WHOLE)) return;
  }
  throw new Error(`There is no browser to test with, and none could be had:\n${tried.join("\n")}`);
}

/** Whether this browser starts; undefined for Playwright's own. */
async function canLaunch(executablePath: string | undefined): Promise<boolean> {
  if (executablePath && !existsSync(executablePath)) return false;
  try {
    await (await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: ["--no-sandbox"] })).close();
    return true;
  } catch {
    return false;
  }
}
