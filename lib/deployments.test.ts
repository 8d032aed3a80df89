import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { VARIABLE_NAMES } from "#lib/kernel/env/variables.ts";

// What cannot be started here is at least compared with the configuration.
const ROOT = resolve(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

/** Set by the image, where another value would break it. */
const OF_THE_IMAGE = ["NODE_ENV", "HOST", "PORT", "DATA_DIR"];
/** Only the embedded database has nightly backups. */
const OF_THE_EMBEDDED_DATABASE = ["BACKUP_KEEP", "BACKUP_DIR"];

/** The lines of a block of YAML, without its first and without comments. */
function blockOf(text: string, first: string): string[] {
  const [, after] = text.split(`${first}\n`);
  assert.ok(after, `${first} is missing`);
  const lines = after.split("\n");
  const end = lines.findIndex((line) => /^\S/.test(line));
  return lines.slice(0, end).filter((line) => line.trim() && !/^\s*#/.test(line));
}

test("compose passes every variable on to the service, under its own name or with a fixed value", () => {
  const file = read("compose.yaml");
  const passed = new Map(
    blockOf(file, "x-variables: &variables").map((line) => {
      const [, name = line, value = ""] = /^ {2}([A-Z_]+): (.+)$/.exec(line) ?? [];
      return [name, value] as const;
    }),
  );
  const elsewhere = [...OF_THE_IMAGE, ...OF_THE_EMBEDDED_DATABASE, "DATABASE_OWNER_URL"];
  // Others of OTEL_… belong to the SDK.
  const ours = [...passed.keys()].filter((name) => VARIABLE_NAMES.includes(name) || !name.startsWith("OTEL_"));
  const expected = VARIABLE_NAMES.filter((name) => !elsewhere.includes(name));
  const missing = expected.filter((name) => !ours.includes(name)).map((name) => `  ${name}: \${${name}:-}`);
  assert.equal(missing.join("\n"), "", "add these lines to x-variables in compose.yaml");
  assert.deepEqual(ours.sort(), expected.sort(), "compose.yaml passes on a variable that the service does not read");
  for (const [name, value] of passed)
    for (const [, other] of value.matchAll(/^\$\{([A-Z_]+)/g)) assert.equal(other, name, `${name} takes ${other}`);
  assert.equal(file.split("DATABASE_OWNER_URL:").length - 1, 1, "only the container that migrates is the owner");
  const head = file.slice(0, file.indexOf("name: "));
  for (const [, name = ""] of file.matchAll(/\$\{([A-Z_]+):\?/g))
    assert.ok(head.includes(name), `${name} is required, but the head does not say so`);
});

test("the other deployments set variables that exist, and none that breaks the image", () => {
  const kubernetes = [...read("ops/kubernetes/guildhall.yaml").matchAll(/- \{ name: ([A-Z_]+), value:/g)];
  const systemd = [...read("ops/systemd/guildhall.service").matchAll(/^Environment=([A-Z_]+)=/gm)];
  for (const [, name = ""] of [...kubernetes, ...systemd]) assert.ok(VARIABLE_NAMES.includes(name), name);
  assert.ok(kubernetes.every(([, name = ""]) => !OF_THE_IMAGE.includes(name)));
});

test("compose creates the roles that docs/database-roles.md says to create", () => {
  const statements = (text: string) =>
    text.split("\n").flatMap((line) => line.match(/^(CREATE|REVOKE|GRANT|ALTER|\\c) .*/)?.[0] ?? []);
  const [, documented = ""] = read("docs/database-roles.md").split(/^## Your own PostgreSQL$/m);
  const [, block = ""] = documented.split(/^```(?:sql)?$/m);
  const plain = (lines: string[]) => lines.map((line) => line.replace(/PASSWORD .*;/, "PASSWORD;"));
  assert.ok(statements(block).length > 4);
  assert.deepEqual(plain(statements(read("ops/compose/roles.sh"))), plain(statements(block)));
});

test("only the image goes without the embedded database and the Node that come with the packages", () => {
  assert.match(read("Dockerfile"), /^RUN node ops\/image\/prepare\.ts --slim$/m);
  for (const file of ["ops/systemd/guildhall.service", "docs/operations.md"]) {
    assert.match(read(file), /ops\/image\/prepare\.ts/);
    assert.doesNotMatch(read(file), /--slim/);
  }
});

test("every container runs as an ordinary user on a read-only tree, without privileges, and is asked for its health", () => {
  const [, image = ""] = read("Dockerfile").split(/^(?=FROM (?![^\n]* AS ))/m);
  for (const line of [
    /^USER node$/m,
    /^HEALTHCHECK .* CMD \["node", "ops\/image\/probe\.mjs"\]$/m,
    /^STOPSIGNAL SIGTERM$/m,
  ])
    assert.match(image, line);
  assert.ok(existsSync(join(ROOT, "ops/image/probe.mjs")));
  const container = blockOf(read("compose.yaml"), "x-container: &container").join("\n");
  for (const line of ["read_only: true", "cap_drop: [ALL]", '"no-new-privileges:true"'])
    assert.ok(container.includes(line), line);
  const pods = read("ops/kubernetes/guildhall.yaml")
    .split(/^---$/m)
    .filter((each) => each.includes("containers:"));
  assert.equal(pods.length, 2);
  for (const pod of pods)
    for (const line of [
      "runAsNonRoot: true",
      "readOnlyRootFilesystem: true",
      "allowPrivilegeEscalation: false",
      "drop: [ALL]",
    ])
      assert.ok(pod.includes(line), line);
  assert.match(pods[1] ?? "", /readinessProbe: \{ httpGet: \{ path: \/readyz,/);
  assert.match(pods[1] ?? "", /livenessProbe:\s+\{ httpGet: \{ path: \/healthz,/);
});

test("systemd finds nothing wrong with the unit, where it is installed", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-unit-"));
  try {
    // What the unit names is not on this machine.
    const unit = read("ops/systemd/guildhall.service")
      .replace(/^(ExecStart=)\S+/m, `$1${process.execPath}`)
      .replace(/^(WorkingDirectory=).*/m, `$1${folder}`)
      .replace(/^Documentation=.*\n/m, "");
    const file = join(folder, "guildhall.service");
    writeFileSync(file, unit);
    const { error, stdout, stderr } = spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" });
    if (error) t.diagnostic("systemd-analyze is not installed");
    else assert.equal(stdout + stderr, "");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
