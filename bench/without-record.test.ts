import assert from "node:assert/strict";
import { test } from "node:test";
import { sourcesWithout } from "./without-record.ts";

test("what the benchmark takes out of the record is still there to be taken out", () => {
  const sourceOf = (part: "log" | "feed", path: string) =>
    [...sourcesWithout(part)].find(([url]) => url.endsWith(path))?.[1] ?? assert.fail(path);
  assert.ok(!sourceOf("log", "/tasks/create.ts").includes("INSERT INTO log_statements"));
  assert.ok(!sourceOf("feed", "/tasks/create.ts").includes("event_data"));
  assert.ok(!sourceOf("feed", "/actions/publish.ts").includes("INSERT INTO audit_events"));
});
