import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { DEMO_DOMAINS, demoFolder } from "#lib/kernel/env/local-domains.ts";
import { keepOthersFromWriting } from "#lib/kernel/files/umask.ts";
import { Unreachable } from "./demo/agents.ts";
import { prepareCertificates } from "./demo/certificates.ts";
import { type Host, openHosts } from "./demo/hosts.ts";
import { rehearseLive } from "./demo/live.ts";
import { createNarrator } from "./demo/narrator.ts";
import { play } from "./demo/play.ts";
import type { ProviderProcess } from "./demo/provider-process.ts";
import { explainError, explainOwnService, explainUnreachable, report } from "./demo/report.ts";
import { findService, type OwnService, startOwnService } from "./demo/service.ts";
import { openWindow, type Window } from "./demo/watch.ts";
import { briefFor, prepareText } from "./text-statistics.ts";

const USAGE = `npm run demo [-- options] [FILE]

Shows Guildhall at work in TEST: two agents, each on an HTTPS domain of this machine, register, meet in the community, agree on
a piece of work and settle it. One has the words of a text counted, the other counts them. FILE is that text (default:
examples/input.txt). A third agent is claimed by an owner who signs up.

The demo uses the service that you started with npm start. If none is running, it starts its own. It ends when it is done.
  --serve    keep the provider running until Ctrl-C, and the service if it is the demo's own: look at its pages, and order from
             the provider as /docs/first-order shows
  --watch    do the owner's part, and show the pages at the end, in a browser window
  --live     rehearse LIVE payments instead, from checkout to payout, with a stand-in for Stripe: no money moves

BASE_URL names another service on this machine. Give the demo the same DATA_DIR as that service, if you set one.
`;

const ROOT = resolve(import.meta.dirname, "..");
keepOthersFromWriting();
const DATA_DIR = resolve(ROOT, process.env.DATA_DIR || ".data");
const FOLDER = demoFolder(DATA_DIR);
const NAMES = [...DEMO_DOMAINS.keys()] as [string, string];
const LIMIT_SECONDS = 180;
const BRIEF_CHARACTERS = 20_000;

const narrator = createNarrator();
const { say } = narrator;
/** Run at the end, latest first, whatever happened. */
const closers: (() => unknown)[] = [];
const interrupted = Promise.withResolvers<"interrupted">();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => interrupted.resolve("interrupted"));
// The reader of the output has gone, as in `npm run demo | head`.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => interrupted.resolve("interrupted"));
endWithParent();

async function main(): Promise<number> {
  const { values: options, positionals } = readArguments();
  if (options.help) {
    say(USAGE);
    return 0;
  }
  const text = readText(positionals[0] ?? join(import.meta.dirname, "input.txt"));
  if (options.live) {
    const certificates = await prepareCertificates(FOLDER, NAMES);
    const rehearsal = rehearseLive({ certificates, folder: FOLDER, names: NAMES, narrator, interrupted, closers });
    return (await Promise.race([rehearsal, interrupted.promise])) === "interrupted" ? 130 : 0;
  }

  const began = performance.now();
  let found = await findService(DATA_DIR, process.env.BASE_URL);
  if (found && !found.knowsLocalDomains) {
    if (process.env.BASE_URL || !options.serve) {
      say(explainUnreachable(found.baseUrl));
      return 1;
    }
    found = undefined;
  }
  if (!found) say(explainOwnService(process.env));
  const certificates = await prepareCertificates(FOLDER, NAMES);
  const hosts = await openHosts(certificates, NAMES, found?.ports);
  for (const host of hosts) closers.push(() => host.close());
  const own = found ? undefined : await openOwnService(hosts, certificates.caFile);
  const baseUrl = own?.baseUrl ?? found?.baseUrl ?? "";
  say(`Guildhall at ${baseUrl}, ${hosts.map(({ name, port }) => `https://${name} on port ${port}`).join(", ")}\n`);

  const window = options.watch ? await openWatched() : undefined;
  let worker: ProviderProcess | undefined;
  const playing = play({
    baseUrl,
    hosts,
    text,
    narrator,
    window,
    stateFolder: openRunFolder(),
    evidenceFile: join(FOLDER, "evidence.json"),
    onProvider(process) {
      worker = process;
      closers.push(() => process.stop());
    },
    // The data of the demo's own service is deleted with it.
    onLeftover: (withdraw) => (own ? undefined : closers.push(withdraw)),
  });
  try {
    const limit = delay(LIMIT_SECONDS * 1000, undefined, { ref: false }).then(() => {
      throw new Error(`The demo did not finish within ${LIMIT_SECONDS} seconds.`);
    });
    const played = await Promise.race([playing, limit, interrupted.promise, ...(own ? [own.failed] : [])]);
    if (played === "interrupted") return 130;
    report(played, narrator, { stays: own === undefined || options.serve });
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    say(`\n${explainUnreachable(baseUrl, error.message)}`);
    return 1;
  }
  say(`\nEverything worked, in ${((performance.now() - began) / 1000).toFixed(1)} s.`);
  if (worker && options.serve) {
    const what = own ? "The provider and the service keep" : "The provider keeps";
    say(`${what} running until you press Ctrl-C. Order from it: ${baseUrl}/docs/first-order`);
    await Promise.race([interrupted.promise, worker.gone, ...(own ? [own.failed] : [])]);
  }
  return 0;
}

/** npm does not always pass on what ends it. A process whose parent has ended gets another one. */
function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) interrupted.resolve("interrupted");
  }, 1_000).unref();
}

function readArguments() {
  const flag = { type: "boolean", default: false } as const;
  try {
    const parsed = parseArgs({
      allowPositionals: true,
      options: { serve: flag, watch: flag, live: flag, help: { ...flag, short: "h" } },
    });
    if (parsed.positionals.length <= 1) return parsed;
  } catch {
    // Reported below, together with the usage.
  }
  throw new Error(`Unknown or too many arguments.\n\n${USAGE}`);
}

/** @throws Error if the file is not text or does not fit into a task's brief */
function readText(file: string): string {
  let text: string;
  try {
    text = prepareText(new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file)));
  } catch (error) {
    throw new Error(`${file} cannot be read as text: ${error instanceof Error ? error.message : String(error)}`);
  }
  const length = [...briefFor(text)].length;
  if (text === "" || length > BRIEF_CHARACTERS)
    throw new Error(`${file} must hold text, and at most ${BRIEF_CHARACTERS - [...briefFor("")].length} characters.`);
  return text;
}

async function openOwnService(hosts: Host[], caFile: string): Promise<OwnService> {
  say("Starting the demo's own service (the first start builds the pages, which takes a minute or two)");
  const own = await startOwnService(FOLDER, { hosts, caFile }, interrupted.promise, say);
  closers.push(() => own.close());
  return own;
}

async function openWatched(): Promise<Window | undefined> {
  const window = await openWindow();
  if (typeof window !== "string") {
    closers.push(() => window.close());
    return window;
  }
  say(`No browser window can be shown: ${window}. The owner acts over HTTP instead, as without --watch.\n`);
  return undefined;
}

function openRunFolder(): string {
  mkdirSync(FOLDER, { recursive: true });
  const folder = mkdtempSync(join(FOLDER, `run-${process.pid}-`));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

let code = 1;
try {
  code = await main();
} catch (error) {
  console.error(`\nThe demo failed.\n  ${explainError(error)}`);
}
for (const close of closers.reverse()) {
  try {
    await close();
  } catch (error) {
    console.error(`Closing failed: ${explainError(error)}`);
  }
}
process.exit(code);
