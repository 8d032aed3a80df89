import { connect } from "node:net";
import { relative, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { after, suite } from "node:test";
import { pathToFileURL } from "node:url";

// Runs test files one after the other in this process, and asks at the port that is its argument for each. The modules of the service
// are then loaded, and compiled by V8, once for all of them. What a file leaves behind is removed before the next one begins.

const ROOT = resolve(import.meta.dirname, "../../..");

/** The path of the next test file; nothing once this process has done its share. */
const nextFile = () => text(connect(Number(process.argv[2]), "127.0.0.1"));

/** What the service keeps for the whole process: its configuration, connections, limits and caches. */
const isKept = (name: string) => name.startsWith("guildhall");

// Where nothing else keeps the process, it would end before the next file begins.
const stay = setInterval(() => undefined, 60_000);
for (let file = await nextFile(); file !== ""; file = await nextFile()) {
  const url = pathToFileURL(file).href;
  // Files set variables while they load, too.
  const variables = { ...process.env };
  await suite(relative(ROOT, file), async () => {
    await import(url);
    after(() => {
      for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
      Object.assign(process.env, variables);
      for (const name of Object.keys(globalThis).filter(isKept)) Reflect.deleteProperty(globalThis, name);
    });
  });
}
clearInterval(stay);
