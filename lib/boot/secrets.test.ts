import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { Worker } from "node:worker_threads";
import { ensureSecrets } from "./secrets.ts";

let dataDir = "";
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "guildhall-secrets-"));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

test("the secret is made once, kept, and readable by its owner alone", () => {
  const secret = ensureSecrets({ dataDir: join(dataDir, "new") });
  assert.match(secret, /^[\w-]{43}$/);
  assert.equal(ensureSecrets({ dataDir: join(dataDir, "new") }), secret);
  assert.equal(statSync(join(dataDir, "new/secrets")).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(join(dataDir, "new")), ["secrets"]);
});

test("a secret that is configured is used, and none is written", () => {
  const authSecret = "configured-configured-configured";
  assert.equal(ensureSecrets({ authSecret, dataDir }), authSecret);
  assert.deepEqual(readdirSync(dataDir), []);
});

test("a file without a usable secret is refused with the mend, and left as it is", () => {
  writeFileSync(join(dataDir, "secrets"), "AUTH_SECRET=short\n");
  assert.throws(() => ensureSecrets({ dataDir }), /put the old one back, or set AUTH_SECRET/);
  assert.equal(readFileSync(join(dataDir, "secrets"), "utf8"), "AUTH_SECRET=short\n");
});

test("all that start at once get the same secret", async () => {
  const code = `
    const { parentPort, workerData } = require("node:worker_threads");
    import(workerData.module).then(({ ensureSecrets }) => parentPort.postMessage(ensureSecrets(workerData)));`;
  const module = new URL("./secrets.ts", import.meta.url).href;
  const secrets = await Promise.all(
    Array.from({ length: 4 }, () => {
      const worker = new Worker(code, { eval: true, workerData: { module, dataDir } });
      return new Promise((done, fail) => worker.once("message", done).once("error", fail));
    }),
  );
  assert.equal(new Set(secrets).size, 1);
});
