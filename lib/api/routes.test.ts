import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { loadEnv } from "#lib/kernel/env.ts";
import { ADMIN_PATHS, methodsOf, registeredPaths } from "./registry.ts";
import type { serve } from "./route.ts";
import { isWebhook, WEBHOOKS } from "./webhooks.ts";

Object.assign(globalThis, { guildhallEnv: loadEnv({ RATE_LIMIT_SCALE: "0", LOG_LEVEL: "silent" }) });

const ROOT = resolve(import.meta.dirname, "../..");
const files = globSync("app/api/v1/**/route.ts", { cwd: ROOT }).sort();
const pathOf = (file: string) => `/${file.replace(/^app\//, "").replace(/\/route\.ts$/, "")}`;
const load = (file: string): Promise<ReturnType<typeof serve>> => import(pathToFileURL(join(ROOT, file)).href);

test("every registered path has its route file, and every route file its path", () => {
  // Next answers a path with and without its last slash from one file.
  const paths = new Set([...registeredPaths().map((path) => path.replace(/\/$/, "")), ...Object.keys(WEBHOOKS)]);
  assert.deepEqual(files.map(pathOf), [...paths].sort());
});

for (const file of files) {
  test(`${pathOf(file)} is bound with exactly its methods, and a wrong one is answered like everywhere`, async () => {
    const route = await load(file);
    const bound = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
    assert.deepEqual(Object.keys(route).sort(), [...bound].sort());
    const webhook = isWebhook(pathOf(file)) && { GET: undefined, POST: true };
    const registered = webhook || (methodsOf(pathOf(file)) ?? methodsOf(`${pathOf(file)}/`) ?? {});
    for (const method of bound) {
      const response = await route[method](new Request(`http://localhost${pathOf(file)}`, { method }));
      if (ADMIN_PATHS.has(pathOf(file))) {
        // To everybody but administrators it is not there.
        assert.equal(response.status, 404, method);
        continue;
      }
      const { GET: get, POST: post } = registered;
      const known = method === "OPTIONS" || (method === "POST" ? post : (method === "GET" || method === "HEAD") && get);
      assert.equal(response.status === 405, !known, method);
      if (!known) {
        const allow = [...(get ? ["GET", "HEAD"] : []), ...(post ? ["POST"] : []), "OPTIONS"].join(", ");
        assert.equal(response.headers.get("Allow"), allow);
      }
    }
  });
}
