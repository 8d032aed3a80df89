import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { canEnter, canReach, chooseUser } from "./os-user.ts";

const stranger = { uid: 54_321, gid: 54_321, name: "stranger" };
let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "guildhall-user-"));
  chmodSync(dir, 0o755);
});
afterEach(() => rmSync(dir, { recursive: true }));

test("a folder can be entered when it and all above it let the user through", () => {
  mkdirSync(join(dir, "open/inside"), { recursive: true });
  chmodSync(join(dir, "open"), 0o711);
  chmodSync(join(dir, "open/inside"), 0o755);
  assert.equal(canEnter(join(dir, "open/inside"), stranger), true);
  chmodSync(join(dir, "open"), 0o700);
  assert.equal(canEnter(join(dir, "open/inside"), stranger), false);
  assert.equal(canEnter(join(dir, "missing"), stranger), false);
});

test("a program can be reached when the user may read and run it", () => {
  const program = join(dir, "program");
  writeFileSync(program, "");
  for (const [mode, reachable] of [
    [0o755, true],
    [0o700, false],
    [0o711, false],
    [0o644, true],
  ] as const) {
    chmodSync(program, mode);
    assert.equal(canReach(program, stranger), reachable, mode.toString(8));
  }
});

test("root runs the server as postgres or else as nobody; other users run it themselves", () => {
  const passwd = join(dir, "passwd");
  const cluster = join(dir, "cluster");
  const root = process.getuid?.() === 0;
  const expect = (entries: string, name: string) => {
    writeFileSync(passwd, entries);
    assert.equal(chooseUser(cluster, passwd)?.name, root ? name : undefined);
  };
  expect("root:x:0:0::/:/bin/sh\npostgres:x:101:104::/:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n", "postgres");
  expect("root:x:0:0::/:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n", "nobody");
  writeFileSync(passwd, "root:x:0:0::/:/bin/sh\npostgres:x:0:0::/:/bin/sh\n");
  if (root) assert.throws(() => chooseUser(cluster, passwd), /does not run as root .* DATABASE_URL/);
  else assert.equal(chooseUser(cluster, passwd), undefined);
});
