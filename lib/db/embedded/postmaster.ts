import { spawnSync } from "node:child_process";
import { readFileSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";

/** What PostgreSQL's own `postmaster.pid` says of the server that runs, or ran, on a cluster. */
type Postmaster = { pid: number; port: number };

export function readPostmaster(cluster: string): Postmaster | undefined {
  try {
    const lines = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
    const pid = Number(lines[0]);
    const port = Number(lines[3]);
    return pid > 0 ? { pid, port } : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Does a server run on the cluster? Cheap enough to ask every second. */
export function isRunning(cluster: string): boolean {
  const pid = readPostmaster(cluster)?.pid;
  if (!pid) return false;
  return process.platform === "linux" ? servesOnLinux(pid, cluster) : isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Is the process the PostgreSQL server of this cluster? After a crash its number may have gone to any other. */
export function servesCluster(pid: number, cluster: string): boolean {
  if (process.platform === "linux") return servesOnLinux(pid, cluster);
  if (!isAlive(pid)) return false;
  const [program, ...args] =
    process.platform === "win32" ? ["tasklist", "/FI", `PID eq ${pid}`] : ["ps", "-p", String(pid), "-o", "command="];
  const { stdout } = spawnSync(program ?? "", args, { encoding: "utf8" });
  return stdout.includes("postgres") && (process.platform === "win32" || stdout.includes(cluster));
}

// A dead process whose parent has not asked after it still has a number, but no longer a working folder.
function servesOnLinux(pid: number, cluster: string): boolean {
  try {
    const name = readFileSync(`/proc/${pid}/comm`, "utf8");
    return name.startsWith("postgres") && readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
  } catch {
    return false;
  }
}
