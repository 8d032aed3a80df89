import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

type Locked = {
  version?: string;
  integrity?: string;
  resolved?: string;
  optional?: boolean;
  dev?: boolean;
  link?: boolean;
  os?: string[];
  cpu?: string[];
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

const lock = JSON.parse(readFileSync(join(import.meta.dirname, "../../package-lock.json"), "utf8")) as {
  lockfileVersion: number;
  packages: Record<string, Locked>;
};

test("every locked package has its integrity, except optional packages for other platforms", () => {
  const packages = Object.entries(lock.packages).filter(([name, { link }]) => /^node_modules\//.test(name) && !link);
  assert.ok(packages.length > 100);
  const bare = packages.filter(([, { integrity }]) => !/^sha512-\S{88}$/.test(integrity ?? ""));
  for (const [name, { optional, os, cpu, version }] of bare) {
    assert.ok(optional && (os ?? cpu), `${name} has no integrity, and is not an optional package for one platform`);
    assert.match(version ?? "", /^\d+\.\d+\.\d+/, `${name} is locked to one version`);
  }
  // Those with which the service runs. A development package may lack them where the registry's mirror has no other platform's.
  const here = bare.filter(
    ([, { os, cpu, dev }]) => !dev && os?.includes("linux") && cpu?.some((each) => each !== "arm"),
  );
  assert.deepEqual(
    here.map(([name]) => name).filter((name) => !name.includes("musl")),
    [],
  );
});

test("the only links are to the workspaces of this repository", () => {
  const links = Object.entries(lock.packages).filter(([, { link }]) => link);
  assert.deepEqual(
    links.map(([name, { resolved }]) => [name, resolved]),
    [["node_modules/guildhall-sdk", "sdk"]],
  );
});

test("every package comes from the public registry over HTTPS", () => {
  for (const [name, { resolved, link }] of Object.entries(lock.packages))
    if (resolved !== undefined && !link) assert.match(resolved, /^https:\/\/registry\.npmjs\.org\//, name);
});

test("whatever a locked package depends on is locked too, for every platform: otherwise npm ci refuses to install", () => {
  const isLocked = (from: string, name: string): boolean => {
    // As Node looks for it: beside the package, then further up.
    for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/node_modules/")))) {
      if (`${at}${at && "/"}node_modules/${name}` in lock.packages) return true;
      if (!at.includes("node_modules/")) return at !== "" && isLocked("", name);
      if (!at.includes("/node_modules/")) return `node_modules/${name}` in lock.packages;
    }
  };
  const missing = Object.entries(lock.packages).flatMap(([path, { dependencies = {}, optionalDependencies = {} }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !isLocked(path, name))
      .map((name) => `${path} → ${name}`),
  );
  assert.deepEqual(missing, []);
});
