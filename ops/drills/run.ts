import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";

// `npm run drill -- NAME`: things that go wrong in production, done on purpose on this machine. They take minutes, so `npm test` has only
// a short form of the first.

const ROOT = resolve(import.meta.dirname, "../..");

const DRILLS: Record<string, { about: string; program: string[]; variables?: Record<string, string> }> = {
  failover: {
    about: "kills the primary of a synchronous pair of databases under load, and promotes the replica",
    program: ["--test", "lib/boot/failover.itest.ts"],
    variables: { FAILOVER_FLOWS: "600" },
  },
  container: {
    about:
      "builds the image, serves from two containers, kills a process and updates both under load (Debian, as root)",
    program: [join(import.meta.dirname, "container/container.ts")],
  },
};

const [name = ""] = process.argv.slice(2);
const drill = Object.hasOwn(DRILLS, name) ? DRILLS[name] : undefined;
if (drill) {
  const env = { ...process.env, ...drill.variables };
  // Ctrl-C reaches the drill as well, which ends in order.
  process.on("SIGINT", () => undefined);
  process.exitCode = spawnSync(process.execPath, drill.program, { cwd: ROOT, stdio: "inherit", env }).status ?? 1;
} else {
  if (name) console.error(`There is no drill "${name}".`);
  const lines = Object.entries(DRILLS).map(([each, { about }]) => `  npm run drill -- ${each.padEnd(9)}  ${about}`);
  console.error(["Name a drill:", ...lines].join("\n"));
  process.exitCode = 2;
}
