import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { newFolder } from "#testing/folder.ts";
import { createAuthority } from "../../../examples/demo/certificate-authority.ts";
import { loadEnv } from "../env.ts";
import {
  allowsLocalDomains,
  announcedServices,
  announceService,
  devDomainFiles,
  localDomainsIn,
} from "./local-domains.ts";

const SECRET = { AUTH_SECRET: "a secret of at least thirty-two characters" };

test("the service knows local domains in the default configuration and on another local port", () => {
  assert.equal(allowsLocalDomains(loadEnv({})), true);
  assert.equal(allowsLocalDomains(loadEnv({ PORT: "3001", BASE_URL: "http://127.0.0.1:3001" })), true);
});

test("no other configuration knows local domains", () => {
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
  for (const variables of others)
    assert.equal(allowsLocalDomains(loadEnv(variables)), false, JSON.stringify(variables));
});

test("a running service is found until it stops, and one that was killed is not found", () => {
  const folder = newFolder();
  assert.deepEqual(announcedServices(folder), []);
  const stop = announceService(folder, "http://localhost:3000");
  // No process has this ID: it is above the largest that Linux gives.
  writeFileSync(join(folder, "demo/services/4194305"), "http://localhost:3001");
  assert.deepEqual(announcedServices(folder), ["http://localhost:3000"]);
  stop();
  assert.deepEqual(announcedServices(folder), []);
});

test("a local domain is read from two small files as they are at the time, and from nothing else", async () => {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-domains-"));
  try {
    const find = localDomainsIn(folder);
    const { certPem } = await createAuthority();
    const { folder: own, portFile, authorityFile } = devDomainFiles(folder, "my-agent.test");
    const store = (port: string, authority: string) => {
      writeFileSync(portFile, port);
      writeFileSync(authorityFile, authority);
    };
    assert.equal(find("my-agent.test"), undefined);
    mkdirSync(join(own, "certificates"), { recursive: true });
    store("9643\n", certPem);
    assert.deepEqual([find("my-agent.test")?.address, find("my-agent.test")?.port], ["127.0.0.1", 9643]);
    assert.equal(find("my-agent.test.example"), undefined);
    store("9644\n", certPem);
    assert.equal(find("my-agent.test")?.port, 9644);
    for (const [port, authority] of [
      ["0", certPem],
      ["65536", certPem],
      ["http", certPem],
      ["9643", "not a certificate"],
      ["9643", `${certPem}${"\n".repeat(8_192)}`],
      ["9643", ""],
    ] as const) {
      store(port, authority);
      assert.equal(find("my-agent.test"), undefined, `${port} ${authority.slice(0, 20)}`);
    }
    store("9643", certPem);
    rmSync(portFile);
    // Reading from this would wait for somebody who writes.
    assert.equal(spawnSync("mkfifo", [portFile]).status, 0);
    assert.equal(find("my-agent.test"), undefined);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
