import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { chownSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { setDefaultCACertificates } from "node:tls";
import { openEmbedded } from "#lib/db/embedded.ts";
import { takeTour } from "#testing/tour.ts";
import { IMAGE, NEXT_IMAGE, ROOT } from "./images.ts";
import { type Caller, type LoadResult, startLoad } from "./load.ts";
import { answers, run, step, until } from "./program.ts";
import { type Container, runOnce, type Setting, startContainer } from "./service.ts";

// The drill itself, as the first process of its namespaces: when it ends, the kernel ends everything that it started.
process.stdin.resume().once("end", () => process.exit(1));

const [, , folder = ""] = process.argv;
/** Caddy issues a certificate of its own for such a name. */
const URL_OF_ALL = "https://guildhall.localhost";
const ADDRESSES = ["127.0.0.11", "127.0.0.12"];
const NODE_USER = 1000;

try {
  await openNetwork();
  const setting = await openSetting();
  let containers = await Promise.all(ADDRESSES.map((address) => startContainer(IMAGE, address, setting)));
  step(`two containers serve after ${seconds(containers.map(({ startSeconds }) => startSeconds))}`);
  await startCaddy();
  step(await takeTour(URL_OF_ALL));
  for (const { execute } of containers) await execute(["node", "ops/image/probe.mjs"]);
  step("the probe of both containers passes");
  step(`a container uses ${containers.map(({ memoryBytes }) => mib(memoryBytes())).join(" and ")} after that`);

  const callers = await Promise.all(ADDRESSES.map((_, index) => register(index)));
  const created: string[] = [];
  const underLoad = async (work: () => Promise<void>) => {
    const load = startLoad(URL_OF_ALL, callers);
    await delay(5_000);
    await work();
    await delay(5_000);
    const result = await load.stop();
    created.push(...result.created);
    report(result);
  };

  await underLoad(async () => {
    containers = await killOne(containers, setting);
  });
  await underLoad(async () => {
    containers = await update(containers, setting);
  });
  for (const task of created) await assertOnce(task, callers);
  step(`all ${created.length} tasks whose creation was acknowledged are there, cancelled once`);
  const [first] = containers;
  assert.match((await first?.execute(["node", "admin.ts", "check"])) ?? "", /"ok": true/);
  step("the check of the database finds nothing wrong");
  for (const { stop } of containers) assert.equal((await stop()).code, 0);
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

/** Names of this network, and a loopback interface that is up. */
async function openNetwork(): Promise<void> {
  await run("ip", ["link", "set", "lo", "up"]);
  writeFileSync(join(folder, "hosts"), "127.0.0.1 localhost guildhall.localhost\n");
  await run("mount", ["--bind", join(folder, "hosts"), "/etc/hosts"]);
}

function start(program: string, args: string[], env: Record<string, string> = {}): ChildProcess {
  const log = openSync(join(folder, `${program}.log`), "a");
  return spawn(program, args, { stdio: ["ignore", log, log], env: { ...process.env, ...env } });
}

/** The database and Redis, and what the containers are told, as in compose.yaml. */
async function openSetting(): Promise<Setting> {
  for (const name of ["data", "tmp"]) {
    mkdirSync(join(folder, name));
    chownSync(join(folder, name), NODE_USER, NODE_USER);
  }
  const { url, ownerUrl } = await openEmbedded({ dir: join(folder, "database") });
  start("redis-server", ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]);
  step("PostgreSQL and Redis run");
  const setting = {
    folder,
    variables: {
      BASE_URL: URL_OF_ALL,
      DATABASE_URL: url,
      REDIS_URL: "redis://127.0.0.1:6379",
      TRUSTED_PROXIES: "127.0.0.1",
      AUTH_SECRET: "a secret of the container drill, long enough",
      RATE_LIMIT_SCALE: "0",
      LOG_STATE_DIR: "/data/log",
    },
  };
  const made = JSON.parse(await runOnce(IMAGE, setting, ["node", "admin.ts", "log-key", "--new"]));
  Object.assign(setting.variables, { LOG_SIGNING_KEY: made.log_signing_key });
  const began = performance.now();
  await runOnce(IMAGE, setting, ["node", "admin.ts", "migrate"], { DATABASE_OWNER_URL: ownerUrl });
  step(`a container migrates the database in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return setting;
}

async function startCaddy(): Promise<void> {
  const home = join(folder, "caddy");
  const config = join(ROOT, "ops/compose/Caddyfile");
  start("caddy", ["run", "--adapter", "caddyfile", "--config", config], {
    DOMAIN: new URL(URL_OF_ALL).hostname,
    UPSTREAMS: ADDRESSES.map((address) => `${address}:3000`).join(" "),
    XDG_DATA_HOME: home,
    XDG_CONFIG_HOME: home,
  });
  const certificate = join(home, "caddy/pki/authorities/local/root.crt");
  await until("Caddy serves", 30, async () => {
    try {
      setDefaultCACertificates([readFileSync(certificate, "utf8")]);
    } catch {
      return false;
    }
    return answers(`${URL_OF_ALL}/readyz`);
  });
  step("Caddy serves with TLS in front of both");
}

async function register(index: number): Promise<Caller> {
  const response = await fetch(new URL("/api/v1/agents/register.php", URL_OF_ALL), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      name: `Agent ${index}`,
      description: "Makes calls during a drill.",
      skills: ["drill"],
      endpoint: `https://agent-${index}.example.com/run`,
      operator_authorized: true,
    }),
  });
  const body = (await response.json()) as { public_id: string; management_token: string };
  assert.equal(response.status, 201, JSON.stringify(body));
  return { publicId: body.public_id, token: body.management_token };
}

/** Kills the process of the first container, and starts another, as `restart: unless-stopped` does. */
async function killOne([first, second]: Container[], setting: Setting): Promise<Container[]> {
  assert.ok(first && second);
  await first.kill();
  const again = await startContainer(IMAGE, first.address, setting);
  step(`under load, kill -9 of one process; another serves in its place after ${seconds([again.startSeconds])}`);
  return [again, second];
}

/** Replaces one container after the other by the next image. */
async function update(containers: Container[], setting: Setting): Promise<Container[]> {
  const replaced: Container[] = [];
  for (const { address, stop } of containers) {
    const { code, seconds: stopSeconds } = await stop();
    assert.equal(code, 0, "the exit code after SIGTERM");
    const next = await startContainer(NEXT_IMAGE, address, setting);
    replaced.push(next);
    step(
      `under load, ${address} ends in ${seconds([stopSeconds])} and serves from ${NEXT_IMAGE} after ${seconds([next.startSeconds])}`,
    );
  }
  return replaced;
}

function report({ requests, retried, failed, longestMs, created }: LoadResult): void {
  const reasons = Object.entries(retried).map(([reason, times]) => `${times} after ${reason}`);
  const again = reasons.length > 0 ? `tried again: ${reasons.join(", ")}` : "none tried again";
  step(
    `${requests} requests (${created.length} tasks created), ${again}, ${failed.length} failed, the longest took ${longestMs} ms`,
  );
  assert.deepEqual(failed, [], "requests that failed twice");
  assert.ok(created.length > 0);
}

async function assertOnce(task_id: string, callers: Caller[]): Promise<void> {
  const states = await Promise.all(
    callers.map(async ({ publicId, token }) => {
      const query = new URLSearchParams({ public_id: publicId, task_id });
      const response = await fetch(new URL(`/api/v1/jobs/show.php?${query}`, URL_OF_ALL), {
        headers: { Authorization: `Bearer ${token}` },
      });
      return ((await response.json()) as { task?: { state: string } }).task?.state;
    }),
  );
  assert.deepEqual(states.filter(Boolean), ["cancelled"], task_id);
}

function seconds(all: number[]): string {
  return `${all.map((each) => each.toFixed(1)).join(" and ")} s`;
}

function mib(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}
