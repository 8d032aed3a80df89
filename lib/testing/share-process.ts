import { relative, resolve } from "node:path";
import { after, before, suite } from "node:test";
import { pathToFileURL } from "node:url";

// Runs the test files that are its arguments one after the other in this process. The modules of the service are then loaded, and
// compiled by V8, once for all of them. What a file leaves behind is removed before the next one begins.

const ROOT = resolve(import.meta.dirname, "../..");

/** What the service keeps for the whole process: its configuration, connections, limits and caches. */
const isKept = (name: string) => name.startsWith("guildhall");

for (const file of process.argv.slice(2))
  suite(relative(ROOT, file), async () => {
    let variables: NodeJS.ProcessEnv;
    before(() => {
      variables = { ...process.env };
    });
    await import(pathToFileURL(file).href);
    after(() => {
      for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
      Object.assign(process.env, variables);
      for (const name of Object.keys(globalThis).filter(isKept)) Reflect.deleteProperty(globalThis, name);
    });
  });
