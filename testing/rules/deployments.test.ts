import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { parseAllDocuments } from "yaml";
import { VARIABLE_NAMES } from "#lib/kernel/env/variables.ts";
import { missing } from "#testing/missing-program.ts";

// What cannot be started here is at least compared with the configuration.
const ROOT = resolve(import.meta.dirname, "../..");
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
      const [, name = line, value = ""] = /^ {2}([A-Z0-9_]+): (.+)$/.exec(line) ?? [];
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
    for (const [, other] of value.matchAll(/^\$\{([A-Z0-9_]+)/g)) assert.equal(other, name, `${name} takes ${other}`);
  assert.equal(file.split("DATABASE_OWNER_URL:").length - 1, 1, "only the container that migrates is the owner");
  const head = file.slice(0, file.indexOf("name: "));
  for (const [, name = ""] of file.matchAll(/\$\{([A-Z0-9_]+):\?/g))
    assert.ok(head.includes(name), `${name} is required, but the head does not say so`);
});

test("the other deployments set variables that exist, and none that breaks the image", () => {
  const kubernetes = [...read("ops/kubernetes/guildhall.yaml").matchAll(/- \{ name: ([A-Z0-9_]+), value:/g)];
  const systemd = [...read("ops/systemd/guildhall.service").matchAll(/^Environment=([A-Z0-9_]+)=/gm)];
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

/** What a program says of a file, or of standard input. */
function ask(program: string, args: string[], options: { input?: string; env?: object } = {}) {
  const env = { ...process.env, ...options.env };
  const { status, stdout, stderr } = spawnSync(program, args, { ...options, env, cwd: ROOT, encoding: "utf8" });
  return { status, stdout, said: stdout + stderr };
}

test("systemd finds nothing wrong with the unit", { skip: missing("systemd-analyze") }, () => {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-unit-"));
  try {
    // What the unit names is not on this machine.
    const unit = read("ops/systemd/guildhall.service")
      .replace(/^(ExecStart=)\S+/m, `$1${process.execPath}`)
      .replace(/^(WorkingDirectory=).*/m, `$1${folder}`)
      .replace(/^Documentation=.*\n/m, "");
    const file = join(folder, "guildhall.service");
    writeFileSync(file, unit);
    assert.equal(ask("systemd-analyze", ["verify", file]).said, "");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** The processes to which compose lets Caddy pass requests on. */
const [, UPSTREAMS = ""] = /^ +UPSTREAMS: (.*)$/m.exec(read("compose.yaml")) ?? [];

test("Caddy passes requests on to every process that compose starts", () => {
  const compose = read("compose.yaml");
  const [, replicas] = /^ +replicas: (\d+)$/m.exec(compose) ?? [];
  const [, project] = /^name: (.*)$/m.exec(compose) ?? [];
  const names = Array.from({ length: Number(replicas) }, (_, index) => `${project}-guildhall-${index + 1}:3000`);
  assert.deepEqual(UPSTREAMS.split(" "), names);
});

test("Caddy accepts the Caddyfile of compose", { skip: missing("caddy") }, () => {
  const file = ["--adapter", "caddyfile", "--config", "ops/compose/Caddyfile"];
  const env = { DOMAIN: "guildhall.example", UPSTREAMS };
  const answer = ask("caddy", ["adapt", ...file], { env });
  assert.equal(answer.status, 0, answer.said);
  for (const name of UPSTREAMS.split(" ")) assert.ok(answer.stdout.includes(`{"dial":"${name}"}`), name);
  assert.equal(ask("caddy", ["fmt", "ops/compose/Caddyfile"]).stdout, read("ops/compose/Caddyfile"));
});

test("docker-compose accepts compose.yaml, and a misspelt key is refused", { skip: missing("docker-compose") }, () => {
  // Debian's docker-compose is older than the key `name`.
  const file = read("compose.yaml").replace(/^name: .*$/m, "");
  const required = [...file.matchAll(/\$\{([A-Z0-9_]+):\?/g)].map(([, name = ""]) => [name, "value"]);
  const config = (input: string) =>
    ask("docker-compose", ["--project-directory", ROOT, "--file", "-", "config", "--quiet"], {
      input,
      env: Object.fromEntries(required),
    });
  const answer = config(file);
  assert.equal(answer.status, 0, answer.said);
  assert.notEqual(config(file.replace("read_only:", "read_onyl:")).status, 0);
});

test("the Kubernetes file fits Kubernetes' own types, and a misspelt field does not", () => {
  const documents = parseAllDocuments(read("ops/kubernetes/guildhall.yaml")).map((each) => each.toJS() as Manifest);
  assert.deepEqual(
    documents.map(({ kind }) => kind),
    ["Job", "PersistentVolumeClaim", "Deployment", "Service", "PodDisruptionBudget"],
  );
  assert.equal(typeErrors(documents), "");
  for (const [field, misspelt] of [
    ["readinessProbe", "readynessProbe"],
    ["readOnlyRootFilesystem", "readOnlyRootFileSystem"],
    ["accessModes", "accessMode"],
    ["maxUnavailable", "maxUnavailble"],
    ["targetPort", "targetport"],
  ] as const) {
    const wrong = JSON.parse(JSON.stringify(documents).replace(`"${field}":`, `"${misspelt}":`)) as Manifest[];
    assert.match(typeErrors(wrong), new RegExp(`'"?${misspelt}"?' does not exist in type`), misspelt);
  }
});

type Manifest = { apiVersion: string; kind: string };

/** What TypeScript says when the manifests are written as literals of the types that are generated from Kubernetes' OpenAPI document. */
function typeErrors(documents: Manifest[]): string {
  // Inside the project, so that the compiler finds the types.
  mkdirSync(join(ROOT, ".data"), { recursive: true });
  const folder = mkdtempSync(join(ROOT, ".data/manifests-"));
  try {
    const literals = documents.map((document, index) => {
      const module = document.apiVersion.replace(/^(?=v\d)/, "core/");
      const type = `import("kubernetes-types/${module}").${document.kind}`;
      return `export const document${index}: ${type} = ${JSON.stringify(document, undefined, 2)};`;
    });
    writeFileSync(join(folder, "manifests.ts"), literals.join("\n"));
    const options = ["--ignoreConfig", "--noEmit", "--strict", "--skipLibCheck", "--moduleResolution", "bundler"];
    const compiler = join(ROOT, "node_modules/.bin/tsc");
    const { stdout } = spawnSync(compiler, [...options, "--module", "esnext", join(folder, "manifests.ts")], {
      cwd: ROOT,
      encoding: "utf8",
    });
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
