import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { createShutdown } from "./shutdown.ts";

test("parts are closed in reverse order, and only once", async () => {
  const closed: string[] = [];
  const shutdown = createShutdown(() => undefined);
  for (const name of ["database", "worker", "requests"]) shutdown.add(name, async () => closed.push(name));
  assert.equal(shutdown.begun, false);
  await Promise.all([shutdown.run(), shutdown.run()]);
  assert.equal(shutdown.begun, true);
  assert.deepEqual(closed, ["requests", "worker", "database"]);
});

test("a part that fails to close is logged, and the others are closed all the same", async () => {
  const lines: string[] = [];
  const closed: string[] = [];
  const shutdown = createShutdown((line) => lines.push(line));
  shutdown.add("the database", () => closed.push("database"));
  shutdown.add("the worker", () => Promise.reject(new Error("stuck")));
  await shutdown.run();
  assert.deepEqual(closed, ["database"]);
  assert.deepEqual(lines, ["Closing the worker failed: stuck"]);
});

const SERVICE = `
  const { createShutdown, stopOnSignals } = await import(process.argv[1]);
  const say = (line) => process.stdout.write(line + "\\n");
  const shutdown = createShutdown(say);
  shutdown.add("the work", async () => {
    say("closing");
    await new Promise((done) => process.stdin.once("data", done));
    say("closed");
  });
  stopOnSignals(shutdown, say);
  process.on("message", () => { throw new Error("unexpected"); });
  setInterval(() => undefined, 1000);
  say("running");
`;

function service() {
  const args = ["--input-type=module", "--eval", SERVICE, new URL("./shutdown.ts", import.meta.url).href];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit", "ipc"] });
  const { stdin, stdout } = child;
  assert.ok(stdin && stdout);
  let output = "";
  stdout.on("data", (chunk) => {
    output += chunk;
  });
  return {
    child,
    goOn: () => stdin.write("go on\n"),
    async until(text: string): Promise<void> {
      while (!output.includes(text)) await once(stdout, "data");
    },
    async end(): Promise<{ code: number; output: string }> {
      const [code] = await once(child, "close");
      return { code, output };
    },
  };
}

test("a signal stops the process in order with code 0, and further signals change nothing", async () => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    const { child, goOn, until, end } = service();
    await until("running");
    child.kill(signal);
    await until("closing");
    child.kill(signal);
    child.kill("SIGTERM");
    goOn();
    assert.deepEqual(await end(), { code: 0, output: "running\nStopping\nclosing\nclosed\nStopped\n" });
  }
});

test("the end of the program that started it stops the process in order with code 0", async () => {
  const { child, goOn, until } = service();
  await until("running");
  // A child that its parent has disconnected has an "exit", but never a "close".
  const exited = once(child, "exit");
  child.disconnect();
  await until("Stopping\nclosing");
  goOn();
  await until("closed\nStopped");
  assert.equal((await exited)[0], 0);
});

test("an uncaught error stops the process in order with code 1", async () => {
  const { child, goOn, until, end } = service();
  await until("running");
  child.send("throw");
  await until("closing");
  goOn();
  const { code, output } = await end();
  assert.equal(code, 1);
  assert.match(output, /Stopping after an unexpected error: Error: unexpected[\s\S]*closed\nStopped\n$/);
});
