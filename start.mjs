import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

// Plain JavaScript, because a Node that is too old cannot read TypeScript.
if (process.features.typescript) {
  await import("./server.ts");
} else {
  startWith(findNode());
}

/** The Node that is installed with the packages, where there is one for this platform. */
function findNode() {
  const system = process.platform === "win32" ? "win" : process.platform;
  const folder = `node_modules/node-${system}-${process.arch}/bin`;
  const files = [`${folder}/node`, `${folder}/node.exe`, "node_modules/.bin/node"];
  return files.map((file) => fileURLToPath(new URL(file, import.meta.url))).find((file) => existsSync(file));
}

function startWith(node) {
  // Marked, so that a Node which is too old as well is not tried again and again.
  if (!node || process.env.GUILDHALL_NODE === node) {
    console.error(
      `Guildhall needs Node 22.18 or newer, and this is ${process.version}. Run npm ci to install it with the packages, or get it from https://nodejs.org, then start again.`,
    );
    process.exitCode = 1;
    return;
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: "inherit",
    env: { ...process.env, GUILDHALL_NODE: node },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.once("error", (error) => {
    console.error(`${node} cannot be started: ${error.message}`);
    process.exitCode = 1;
  });
  child.once("exit", (code, signal) => {
    process.exitCode = signal ? 1 : (code ?? 1);
  });
}
