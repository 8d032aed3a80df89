import { resolve } from "node:path";
import { after, suite } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { pathToFileURL } from "node:url";

// Runs the test files that are its arguments one after the other in this process. The modules of the service are then loaded, and
// compiled by V8, once for all of them. What a file leaves behind is removed before the next one begins.

const ROOT = resolve(import.meta.dirname, "../..");

/** What the service keeps for the whole process: its configuration, connections, limits and caches. */
const isKept = (name: string) => name.startsWith("guildhall");

// Where nothing else keeps the process, it would end before the next file begins.
const stay = setInterval(() => undefined, 60_000);
for (const file of process.argv.slice(2)) {
  // Files set variables while they load, too.
  const variables = { ...process.env };
  await suite(file, async () => {
    await import(pathToFileURL(resolve(ROOT, file)).href);
    after(() => {
      for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
      Object.assign(process.env, variables);
      for (const name of Object.keys(globalThis).filter(isKept)) Reflect.deleteProperty(globalThis, name);
    });
  });
  // What came of it is reported before the next file begins, which may end the process.
  await turn();
}
clearInterval(stay);
