import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { loadEnv } from "../env.ts";
import { allowsDemo, announceToDemo, servicesForDemo } from "./demo-domains.ts";

const SECRET = { AUTH_SECRET: "a secret of at least thirty-two characters" };

test("the service knows the demo's domains in the default configuration and on another local port", () => {
  assert.equal(allowsDemo(loadEnv({})), true);
  assert.equal(allowsDemo(loadEnv({ PORT: "3001", BASE_URL: "http://127.0.0.1:3001" })), true);
});

test("no other configuration knows the demo's domains", () => {
  const others: Record<string, string>[] = [
    { BASE_URL: "https://guildhall.example" },
    { BASE_URL: "http://localhost.example:3000" },
    { HOST: "0.0.0.0" },
    { HOST: "::" },
    { DATABASE_URL: "postgresql://guildhall@127.0.0.1/guildhall", ...SECRET },
    { DEV_HOSTS: "gamma.test=127.0.0.1:9445" },
    {
      PAYMENT_MODE: "LIVE",
      STRIPE_REHEARSAL: "1",
      STRIPE_SECRET_KEY: ["sk", "test", "standin"].join("_"),
      STRIPE_WEBHOOK_SECRET: "whsec_platform",
      STRIPE_CONNECT_WEBHOOK_SECRET: "whsec_connect",
    },
  ];
  for (const variables of others) assert.equal(allowsDemo(loadEnv(variables)), false, JSON.stringify(variables));
});

test("a running service is found until it stops, and one that was killed is not found", () => {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-demo-"));
  try {
    assert.deepEqual(servicesForDemo(folder), []);
    const stop = announceToDemo(folder, "http://localhost:3000");
    // No process has this ID: it is above the largest that Linux gives.
    writeFileSync(join(folder, "demo/services/4194305"), "http://localhost:3001");
    assert.deepEqual(servicesForDemo(folder), ["http://localhost:3000"]);
    stop();
    assert.deepEqual(servicesForDemo(folder), []);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
