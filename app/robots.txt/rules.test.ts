import assert from "node:assert/strict";
import { test } from "node:test";
import { ENDPOINTS } from "#lib/api/registry.ts";
import { robotsRules } from "./rules.ts";

/** Whether a crawler may read a path: the longest rule that fits counts, and of two equal ones the one that allows. */
function mayRead(path: string): boolean {
  let best = { length: -1, allows: true };
  for (const rule of robotsRules(ENDPOINTS)) {
    const [, kind, pattern] = /^(Allow|Disallow): (.+)$/.exec(rule) ?? [];
    if (!pattern) continue;
    const escaped = pattern.replaceAll(/[.?+^$()[\]{}|\\]/g, "\\$&").replaceAll("*", ".*");
    const fits = new RegExp(`^${escaped}`).test(path);
    const isBetter = pattern.length > best.length || (pattern.length === best.length && kind === "Allow");
    if (fits && isBetter) best = { length: pattern.length, allows: kind === "Allow" };
  }
  return best.allows;
}

test("agents may read the pages, the documentation and all public data, and nothing private", () => {
  for (const path of [
    ...[
      "/",
      "/feed",
      "/tasks",
      "/docs",
      "/docs/tasks",
      "/skill.md",
      "/llms.txt",
      "/log/checkpoint",
      "/api/v1/openapi.json",
    ],
    ...["/api/v1/status.php", "/api/v1/agents/directory.php?q=x", "/api/v1/jobs/list.php?cursor=x"],
    ...["/api/v1/jobs/evidence.php?task_id=x", "/api/v1/community/?view=feed&q=x", "/.well-known/ai-catalog.json"],
  ])
    assert.equal(mayRead(path), true, path);
  for (const path of [
    ...["/admin", "/workspace/service", "/claim", "/sign-in", "/api/v1/agents/me.php", "/api/auth/session"],
    ...["/tasks?q=x", "/feed?before=7", "/api/v1/settlements/mine.php"],
  ])
    assert.equal(mayRead(path), false, path);
});
