import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { Worker } from "node:worker_threads";
import { newAuthSecret, replaceSecret } from "#lib/kernel/files/secret-file.ts";
import { ensureSecrets } from "./secrets.ts";

const [ONE, OTHER, THIRD] = ["1".repeat(32), "2".repeat(43), "3".repeat(40)] as const;

let dataDir = "";
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "guildhall-secrets-"));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

test("the secret is created once, kept, and readable only by the file's owner", () => {
  const secrets = ensureSecrets({ dataDir: join(dataDir, "new") });
  assert.match(secrets.AUTH_SECRET, /^[\w-]{43}$/);
  assert.equal(secrets.AUTH_SECRET_PREVIOUS, "");
  assert.deepEqual(ensureSecrets({ dataDir: join(dataDir, "new") }), secrets);
  assert.equal(statSync(join(dataDir, "new/secrets")).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(join(dataDir, "new")), ["secrets"]);
});

test("a configured secret is used, and no file is written", () => {
  const authSecret = "configured-configured-configured";
  const previous = "replaced-replaced-replaced-replaced";
  assert.deepEqual(ensureSecrets({ authSecret, authSecretsPrevious: [previous], dataDir }), {
    AUTH_SECRET: authSecret,
    AUTH_SECRET_PREVIOUS: previous,
  });
  assert.deepEqual(readdirSync(dataDir), []);
});

test("a file without a usable secret is refused with a remedy and left unchanged", () => {
  writeFileSync(join(dataDir, "secrets"), "AUTH_SECRET=short\n");
  assert.throws(() => ensureSecrets({ dataDir }), /restore the file, or set AUTH_SECRET/);
  assert.equal(readFileSync(join(dataDir, "secrets"), "utf8"), "AUTH_SECRET=short\n");
});

test("a too short previous secret is refused with a remedy, and the file left unchanged", () => {
  const text = `AUTH_SECRET=${ONE}\nAUTH_SECRET_PREVIOUS=${OTHER} short\n`;
  writeFileSync(join(dataDir, "secrets"), text);
  assert.throws(() => ensureSecrets({ dataDir }), /AUTH_SECRET_PREVIOUS with fewer than 32 characters/);
  assert.equal(readFileSync(join(dataDir, "secrets"), "utf8"), text);
});

test("previous secrets of the file and of the environment are all accepted", () => {
  writeFileSync(join(dataDir, "secrets"), `AUTH_SECRET=${ONE}\nAUTH_SECRET_PREVIOUS=${OTHER}\n`);
  assert.deepEqual(ensureSecrets({ dataDir }), { AUTH_SECRET: ONE, AUTH_SECRET_PREVIOUS: OTHER });
  const both = ensureSecrets({ authSecretsPrevious: [THIRD, OTHER], dataDir });
  assert.deepEqual(both, { AUTH_SECRET: ONE, AUTH_SECRET_PREVIOUS: `${THIRD} ${OTHER}` });
});

test("a replaced secret stays in the file as a previous one, and only the file's owner can read it", async () => {
  writeFileSync(join(dataDir, "secrets"), `AUTH_SECRET=${ONE}\n`, { mode: 0o600 });
  ensureSecrets({ dataDir });
  const next = newAuthSecret();
  assert.deepEqual((await replaceSecret(next)).previous, [ONE]);
  assert.deepEqual(ensureSecrets({ dataDir }), { AUTH_SECRET: next, AUTH_SECRET_PREVIOUS: ONE });
  assert.equal(statSync(join(dataDir, "secrets")).mode & 0o777, 0o600);
  await replaceSecret(OTHER);
  assert.deepEqual(ensureSecrets({ dataDir }), { AUTH_SECRET: OTHER, AUTH_SECRET_PREVIOUS: `${next} ${ONE}` });
  assert.deepEqual(readdirSync(dataDir).sort(), ["secrets", "secrets.lock"]);
});

test("replacements at the same time all keep what the others replaced, until there are too many", async () => {
  writeFileSync(join(dataDir, "secrets"), `AUTH_SECRET=${ONE}\n`);
  ensureSecrets({ dataDir });
  const made = Array.from({ length: 6 }, newAuthSecret);
  const outcomes = await Promise.allSettled(made.map(replaceSecret));
  const done = made.filter((_, index) => outcomes[index]?.status === "fulfilled");
  assert.equal(done.length, 4);
  for (const outcome of outcomes)
    if (outcome.status === "rejected") assert.match(outcome.reason.message, /already keeps 4 previous secrets/);
  const kept = ensureSecrets({ dataDir });
  const all = [kept.AUTH_SECRET, ...kept.AUTH_SECRET_PREVIOUS.split(" ")];
  assert.deepEqual(new Set(all), new Set([ONE, ...done]));
});

test("processes that start at the same time get the same secret", async () => {
  const code = `
    const { parentPort, workerData } = require("node:worker_threads");
    import(workerData.module).then(({ ensureSecrets }) => parentPort.postMessage(ensureSecrets(workerData).AUTH_SECRET));`;
  const module = new URL("./secrets.ts", import.meta.url).href;
  const secrets = await Promise.all(
    Array.from({ length: 4 }, () => {
      const worker = new Worker(code, { eval: true, workerData: { module, dataDir } });
      return new Promise((done, fail) => worker.once("message", done).once("error", fail));
    }),
  );
  assert.equal(new Set(secrets).size, 1);
});
