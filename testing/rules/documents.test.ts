import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { test } from "node:test";
import { defaultOf, VARIABLE_NAMES } from "#lib/kernel/env/variables.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

const IGNORED = /(^|\/)(node_modules|generated|\.next|\.data)\//;
const find = (pattern: string | string[]) =>
  globSync(pattern, { cwd: ROOT })
    .filter((file) => !IGNORED.test(`${file}/`))
    .sort();

const documents = find(["*.md", "docs/**/*.md", "{lib,bench,e2e,examples,sdk,stripe-stand-in}/**/*.md"]).filter(
  (file) => file !== "bench/report.md",
);
/** Names in the changelog may be gone by now. */
const current = documents.filter((file) => file !== "CHANGELOG.md");

/** Text without fenced blocks, whose content is not Markdown. */
const prose = (file: string) => read(file).replace(/^```[\s\S]*?^```$/gm, "");

/** Anchors as GitHub makes them of headings. */
function anchorsOf(file: string): Set<string> {
  const headings = prose(file).matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, title = ""]) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replaceAll(/\s/g, "-"),
    ),
  );
}

function assertNone(offenders: string[], rule: string): void {
  assert.equal(offenders.length, 0, `${rule}:\n  ${offenders.join("\n  ")}`);
}

test("every relative link in a document leads to a file and heading that exist", () => {
  const broken: string[] = [];
  let links = 0;
  for (const file of documents) {
    for (const [, target = ""] of prose(file).matchAll(/\]\(([^)\s]+)\)/g)) {
      // The browser tests follow links to pages of the service.
      if (/^(?:[a-z]+:|\{\{BASE_URL\}\})/.test(target)) continue;
      links += 1;
      const [path = "", anchor] = target.split("#");
      const led = path === "" ? file : relative(ROOT, resolve(ROOT, dirname(file), path));
      if (!existsSync(join(ROOT, led))) broken.push(`${file} → ${target}`);
      else if (anchor !== undefined && !anchorsOf(led).has(anchor))
        broken.push(`${file} → ${target} (no such heading)`);
    }
  }
  assert.ok(links > 30, `only ${links} links were found`);
  assertNone(broken, "broken links");
});

/** Text between backticks in a document, except in fenced blocks. */
function* codeIn(file: string): Generator<string> {
  for (const [, code = ""] of prose(file).matchAll(/`([^`\n]+)`/g)) yield code;
}

const FOLDERS = /^(app|bench|components|docs|e2e|examples|lib|prisma|public|sdk|stripe-stand-in)\//;

test("every file and folder of ours that a document names exists", () => {
  const missing: string[] = [];
  for (const file of current)
    for (const code of codeIn(file)) {
      // A pattern or a placeholder stands for several files.
      if (!FOLDERS.test(code) || /[\s<>{}*…]/.test(code)) continue;
      if (!existsSync(join(ROOT, code))) missing.push(`${file}: ${code}`);
    }
  assertNone(missing, "named in documents, but missing");
});

test("every function, type and variable that a document names exists in the source", () => {
  const source = find([
    "*.{ts,mjs}",
    "{app,bench,components,examples,lib,prisma,sdk,stripe-stand-in}/**/*.{ts,tsx,sql,prisma}",
  ])
    .map(read)
    .join("\n");
  const words = new Set(source.match(/[A-Za-z_]\w*/g));
  const missing: string[] = [];
  for (const file of current)
    for (const code of codeIn(file)) {
      const identifier = /^([a-z]+[A-Z]\w*|[a-z]\w+(?=\()|[A-Z][A-Z_]{3,})(\(.*\))?$/.exec(code)?.[1];
      if (identifier && !words.has(identifier)) missing.push(`${file}: ${code}`);
    }
  assertNone(missing, "named in documents, but nowhere in the source");
});

test("whatever tells readers to run the command of the SDK runs the installed one, never a package of that name", () => {
  const texts = find(["*.md", "{app,components,docs,examples,lib,sdk}/**/*.{md,sh,ts,tsx}"]).filter(
    (file) => !/test\.ts$/.test(file),
  );
  assertNone(
    texts.filter((file) => /npx guildhall/.test(read(file))),
    "npx without --no-install",
  );
});

test("every npm script that a document names exists", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const missing = documents.flatMap((file) =>
    [...read(file).matchAll(/npm run ([a-z][a-z:-]*)/g)]
      .filter(([, script = ""]) => !(script in scripts))
      .map(([call]) => `${file}: ${call}`),
  );
  assertNone(missing, "scripts that do not exist");
});

test("the table of variables and .env.example list exactly the variables that the service reads", () => {
  const expected = VARIABLE_NAMES.filter((name) => name !== "NODE_ENV").sort();
  const rows = read("docs/configuration.md").matchAll(/^\| ((?:`[A-Z0-9_]+`(?:, )?)+) \|/gm);
  const tabled = [...rows].flatMap(([, names = ""]) => names.match(/[A-Z0-9_]+/g) ?? []);
  assert.deepEqual(tabled.filter((name) => name !== "NODE_ENV").sort(), expected);
  const examples = [...read(".env.example").matchAll(/^#([A-Z0-9_]+)=(.*)$/gm)].map(([, name = "", value]) => ({
    name,
    value,
  }));
  assert.deepEqual(examples.map(({ name }) => name).sort(), expected);
  for (const { name, value } of examples) if (defaultOf(name)) assert.equal(value, defaultOf(name), name);
});

test("the map in architecture.md shows the order that import-order.test.ts enforces", () => {
  const [, list = ""] = /^const ORDER = \[(.*?)\]/ms.exec(read("testing/rules/import-order.test.ts")) ?? [];
  const order = [...list.matchAll(/"lib\/([a-z]+)"/g)].map(([, part]) => part);
  const [, chain = ""] = /^ *entry --> (.*)$/m.exec(read("docs/architecture.md")) ?? [];
  assert.deepEqual(chain.split(" --> ").reverse(), order);
});

test("the table of background jobs in architecture.md has every job", () => {
  const jobs = find(["lib/**/jobs.ts", "lib/jobs/housekeeping.ts"]).flatMap((file) =>
    [...read(file).matchAll(/\bname: "([a-z-]+)"/g)].map(([, name]) => name),
  );
  const rows = read("docs/architecture.md").matchAll(/^\| ((?:`[a-z-]+`(?:, )?)+) \|/gm);
  const tabled = [...rows].flatMap(([, names = ""]) => names.match(/[a-z-]+/g) ?? []);
  assert.ok(jobs.length > 10);
  assert.deepEqual(tabled.sort(), jobs.sort());
});

test("docs/payments.md says what to do about each kind of finding", () => {
  const [, list = ""] = /^const KINDS.*?= \{(.*?)^\};/ms.exec(read("app/admin/reconciliation/page.tsx")) ?? [];
  const kinds = [...list.matchAll(/^ {2}([a-z_]+):/gm)].map(([, kind]) => kind);
  assert.ok(kinds.length > 10);
  const page = read("docs/payments.md");
  assertNone(kinds.filter((kind) => !page.includes(`| \`${kind}\` |`)).map(String), "findings without an act");
});

test("money is held, and nothing here calls itself by the name of a regulated service", () => {
  const word = new RegExp(["es", "crow"].join(""), "i");
  const texts = find(
    "{*.{md,ts,json,yaml},{app,components,docs,e2e,examples,lib,ops,prisma,sdk,stripe-stand-in}/**/*.{md,ts,tsx,sql,prisma,yaml,html}}",
  );
  assert.ok(texts.length > 1_000);
  assertNone(
    texts.filter((file) => word.test(read(file))),
    "files with a word that promises more than the service does",
  );
});
