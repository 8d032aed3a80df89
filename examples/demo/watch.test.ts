import assert from "node:assert/strict";
import { test } from "node:test";
import { obstacle } from "./watch.ts";

test("a window needs a display, and what lacks it is named", () => {
  assert.match(obstacle("linux", {}) ?? "", /neither DISPLAY nor WAYLAND_DISPLAY/);
  assert.match(obstacle("linux", { DISPLAY: "" }) ?? "", /no display/);
  for (const env of [{ DISPLAY: ":0" }, { WAYLAND_DISPLAY: "wayland-0" }])
    assert.equal(obstacle("linux", env), undefined);
  for (const platform of ["darwin", "win32"]) assert.equal(obstacle(platform, {}), undefined);
});
