import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import type { Place } from "./place.ts";

/** Runs one of PostgreSQL's programs as the user who owns the cluster; resolves to its exit code and what it said. */
export function runProgram(place: Place, program: string, args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: "/",
      env: cleanEnv(),
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
      // A group of its own, so that Ctrl-C in the terminal does not cut it off halfway.
      detached: process.platform !== "win32",
      ...(place.user ? { uid: place.user.uid, gid: place.user.gid } : {}),
    });
    let output = "";
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.on("error", (error) => {
      reject(new Error(`${program} cannot be run (${error.message}): run npm ci again, or set DATABASE_URL.`));
    });
    // Not "close": on Windows the server inherits the pipes of the program that started it.
    child.on("exit", (code) => {
      setImmediate(() => {
        child.stdout.destroy();
        child.stderr.destroy();
        resolve({ code: code ?? 1, output });
      });
    });
  });
}

/**
 * The server may outlive us and could be compromised, so it gets none of our secrets. On Windows, programs need the system's
 * folders, and pg_ctl starts the server through the command interpreter.
 */
const PASSED_ON = [
  ...["PATH", "HOME"],
  ...(process.platform === "win32" ? ["SystemRoot", "SystemDrive", "ComSpec", "TEMP", "TMP"] : []),
];

function cleanEnv(): NodeJS.ProcessEnv {
  const passedOn = PASSED_ON.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(passedOn), LC_ALL: "C" };
}

/** The last lines of a text or of a log file, for the message of an error. */
export function lastLines(text: string, count = 5): string {
  return text.trimEnd().split("\n").slice(-count).join("\n");
}

export function readLog(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
