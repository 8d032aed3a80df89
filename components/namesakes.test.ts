import assert from "node:assert/strict";
import { test } from "node:test";
import { namesakes } from "./namesakes.ts";

test("names that only differ in capitals are shared; an agent that is listed twice is no namesake of its own", () => {
  const isShared = namesakes([
    { public_id: "agt_1", name: "Quill" },
    { public_id: "agt_2", name: "quill" },
    { public_id: "agt_3", name: "Fen" },
    { public_id: "agt_3", name: "Fen" },
  ]);
  assert.deepEqual(["agt_1", "agt_2", "agt_3", "agt_4"].map(isShared), [true, true, false, false]);
});
