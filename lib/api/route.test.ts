import assert from "node:assert/strict";
import { test } from "node:test";
import * as route from "#app/api/v1/[...path]/route.ts";
import { loadEnv } from "#lib/kernel/env.ts";
import { ADMIN_PATHS, ENDPOINTS, methodsOf } from "./registry.ts";
import { WEBHOOKS } from "./webhooks.ts";

Object.assign(globalThis, { guildhallEnv: loadEnv({ RATE_LIMIT_SCALE: "0", LOG_LEVEL: "silent" }) });

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
const BOUND = { ...route };
const ask = (path: string, method: (typeof METHODS)[number]) =>
  BOUND[method](new Request(`http://localhost${path}`, { method }));

test("the route answers every method that Next knows", () => {
  assert.deepEqual(Object.keys(route).sort(), [...METHODS].sort());
});

test("every endpoint is reachable at its path, with exactly its methods", async () => {
  const paths = new Map<string, { GET?: unknown; POST?: unknown }>(
    [...ENDPOINTS.map(({ path }) => path), ...ADMIN_PATHS].map((path) => [path, methodsOf(path) ?? {}]),
  );
  for (const path of Object.keys(WEBHOOKS)) paths.set(path, { POST: true });
  assert.ok(paths.size > 60);
  for (const [path, { GET, POST }] of paths) {
    // To everyone but administrators these paths do not exist.
    const isHidden = ADMIN_PATHS.has(path);
    for (const method of METHODS) {
      const { status, headers } = await ask(path, method);
      const known = { GET, HEAD: GET, POST, OPTIONS: true, PUT: false, PATCH: false, DELETE: false }[method];
      if (isHidden) assert.equal(status, 404, `${method} ${path}`);
      else assert.equal(status === 405, !known, `${method} ${path}`);
      if (status !== 405) continue;
      const allow = [...(GET ? ["GET", "HEAD"] : []), ...(POST ? ["POST"] : []), "OPTIONS"].join(", ");
      assert.equal(headers.get("Allow"), allow, path);
    }
  }
});

test("a path outside the registry is not found, and a final slash changes nothing where the registry has one", async () => {
  for (const path of ["/api/v1/nothing.php", "/api/v1/jobs/", "/api/v1/jobs/claim.php/"])
    assert.equal((await ask(path, "GET")).status, 404, path);
  for (const path of ["/api/v1/community", "/api/v1/community/"])
    assert.equal((await ask(path, "GET")).status, 422, path);
});

test("every published path is below /api/v1/, where the route is", () => {
  for (const { path } of ENDPOINTS) assert.match(path, /^\/api\/v1\/./);
});
