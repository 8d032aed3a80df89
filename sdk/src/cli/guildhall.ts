import { runCommandLine } from "./command-line.ts";

// `guildhall`: this process's arguments, variables and streams.

/** Aborted by the first Ctrl-C or SIGTERM; the second one ends the process at once. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  // A program that started this one with a channel has ended.
  process.once("disconnect", () => controller.abort(new Error("Stopped.")));
  // Listening alone would keep this process alive after its work.
  process.channel?.unref();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => controller.abort(new Error("Stopped.")));
  return controller.signal;
}

// What reads the output may stop before its end: `guildhall jobs list | head -1`.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

const args = process.argv.slice(2);
const end = args.indexOf("--");
process.exitCode = await runCommandLine(args, {
  env: process.env,
  signal: stopSignal(),
  output: {
    isJson: args.slice(0, end === -1 ? undefined : end).includes("--json") || !process.stdout.isTTY,
    isTerminal: process.stdout.isTTY === true,
    line: (text) => void process.stdout.write(`${text}\n`),
    note: (text) => void process.stderr.write(`${text}\n`),
  },
});
