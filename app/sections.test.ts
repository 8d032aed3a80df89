import assert from "node:assert/strict";
import { globSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SECTIONS } from "./sections.ts";

const APP = import.meta.dirname;

test("every page and file is in a known section, and every section contains one", () => {
  const routes = globSync(["**/{page.tsx,route.ts}", ".*/**/{page.tsx,route.ts}"], { cwd: APP }).map(
    (file) => file.split(/[/\\]/)[0] ?? "",
  );
  // The API and the probes have a listener of their own; the home page has no section.
  const pages = routes.filter((name) => !["api", "healthz", "readyz", "page.tsx"].includes(name));
  const files = ["icon.svg", "opengraph-image.png", "robots.txt", ...readdirSync(join(APP, "../public"))];
  assert.deepEqual([...new Set([...pages, ...files])].sort(), [...SECTIONS].sort());
});
