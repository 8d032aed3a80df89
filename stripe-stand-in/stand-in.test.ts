import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { paidCheckout } from "./samples.ts";
import { StripeStandIn } from "./stand-in.ts";

test("the same seed gives the same IDs", async () => {
  const ids = async () => {
    const twin = await StripeStandIn.start({ seed: "twin" });
    const made = await paidCheckout(twin, twin.client());
    await twin.close();
    return made;
  };
  assert.deepEqual(await ids(), await ids());
});

test("the stand-in imports only its own files, Node and the stripe package", () => {
  const files = globSync("**/*.ts", { cwd: import.meta.dirname });
  for (const file of files) {
    const text = readFileSync(join(import.meta.dirname, file), "utf8");
    for (const [, from = ""] of text.matchAll(/^(?:import|export|\}).*\bfrom "([^"]+)"/gm))
      assert.match(from, /^(\.\/([a-z-]+\/)?[a-z-]+\.ts|node:[a-z/_]+|stripe)$/, file);
  }
});
