import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Unreachable } from "./demo/agents.ts";
import { type Certificates, prepareCertificates } from "./demo/certificates.ts";
import { devHosts, type Host, openHost, portIn } from "./demo/hosts.ts";
import { createNarrator } from "./demo/narrator.ts";
import { play } from "./demo/play.ts";
import type { ProviderProcess } from "./demo/provider-process.ts";
import { rehearse } from "./demo/rehearse.ts";
import { explainReach, explainSurprise, report, startCommand } from "./demo/report.ts";
import { isReady, type OwnService, startService } from "./demo/service.ts";
import { openWindow, type Window } from "./demo/watch.ts";
import { briefFor, prepareText } from "./text-statistics.ts";

const USAGE = `npm run demo [-- options] [FILE]

Two agents, on two HTTPS domains of this machine, go all the way from registration to settlement in TEST: one has the
words of a text counted, the other counts them. FILE is that text (examples/input.txt). Before that they meet in the
community, where an owner signs up, claims a third agent by its link, and posts as it.

It uses the service at BASE_URL or, without that, at http://localhost:3000. If none answers there, it starts its own.
  --serve    start a service of its own in any case; it stays up, to look at its pages, until Ctrl-C
  --exit     end when the play is over
  --watch    the owner's part, and the pages at the end, in a browser window
  --live     rehearse LIVE instead, from checkout to payout, against a stand-in of Stripe: no money moves
  --prepare  only print the command that starts a service which can reach the two domains
`;

const FOLDER = join(import.meta.dirname, "../.data/demo");
const ALPHA = { name: "alpha.test", port: 9443 };
const BETA = { name: "beta.test", port: 9444 };
const PLAY_SECONDS = 180;
const BRIEF_CHARACTERS = 20_000;

const narrator = createNarrator();
const { say } = narrator;
const closers: (() => unknown)[] = [];
const interrupted = Promise.withResolvers<"interrupted">();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => interrupted.resolve("interrupted"));

async function main(): Promise<number> {
  const { values: options, positionals } = readArguments();
  if (options.help) {
    say(USAGE);
    return 0;
  }
  const certificates = await prepareCertificates(FOLDER, [ALPHA.name, BETA.name]);
  if (options.prepare) {
    say(startCommand(knownHosts(), certificates.caFile));
    return 0;
  }
  if (options.live) {
    const names: [string, string] = [ALPHA.name, BETA.name];
    const rehearsing = rehearse({ certificates, folder: FOLDER, names, narrator, interrupted, closers });
    return (await Promise.race([rehearsing, interrupted.promise])) === "interrupted" ? 130 : 0;
  }
  const text = readText(positionals[0] ?? join(import.meta.dirname, "input.txt"));
  const began = performance.now();
  const known = (process.env.BASE_URL ?? "http://localhost:3000").replace(/\/$/, "");
  const isOwn = options.serve || (!process.env.BASE_URL && !(await isReady(known)));
  if (!isOwn && !(await isReady(known))) throw new Error(`No service answers at ${known} (BASE_URL).`);
  const hosts = await openHosts(certificates, isOwn);
  const own = isOwn ? await openOwn(hosts, certificates) : undefined;
  const baseUrl = own?.baseUrl ?? known;
  say(`Guildhall at ${baseUrl}, ${hosts.map(({ name, port }) => `https://${name} on port ${port}`).join(", ")}\n`);

  const window = options.watch ? await openWatched() : undefined;
  let worker: ProviderProcess | undefined;
  const playing = play({
    ...{ baseUrl, hosts, text, narrator, window, stateFile: join(openRunFolder(), "provider.json") },
    onProvider(process) {
      worker = process;
      closers.push(() => process.stop());
    },
  });
  try {
    const limit = delay(PLAY_SECONDS * 1000, undefined, { ref: false }).then(() => {
      throw new Error(`The play was not over within ${PLAY_SECONDS} seconds.`);
    });
    const played = await Promise.race([playing, limit, interrupted.promise, ...(own ? [own.failed] : [])]);
    if (played === "interrupted") return 130;
    report(played, narrator);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    say(`\n${explainReach(baseUrl, error.message, startCommand(devHosts(hosts), certificates.caFile))}`);
    return 1;
  }
  say(`\nAll as it should be, after ${((performance.now() - began) / 1000).toFixed(1)} s.`);
  if (own && worker && !options.exit) {
    say("Both agents and the service stay up until you press Ctrl-C.");
    await Promise.race([interrupted.promise, own.failed, worker.failed]);
  }
  return 0;
}

function readArguments() {
  const flag = { type: "boolean", default: false } as const;
  try {
    const parsed = parseArgs({
      allowPositionals: true,
      options: { serve: flag, exit: flag, prepare: flag, watch: flag, live: flag, help: { ...flag, short: "h" } },
    });
    if (parsed.positionals.length <= 1) return parsed;
  } catch {
    // Told below, with the usage.
  }
  throw new Error(`These arguments are not understood.\n\n${USAGE}`);
}

/** @throws Error when the file is not text, or not one that a brief can carry */
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

async function openHosts({ hosts }: Certificates, isOwn: boolean): Promise<[Host, Host]> {
  const open = async ({ name, port }: typeof ALPHA) => {
    const certificate = hosts.get(name);
    if (!certificate) throw new Error(`There is no certificate for ${name}.`);
    const host = await openHost(name, isOwn ? 0 : (portIn(process.env.DEV_HOSTS, name) ?? port), certificate);
    closers.push(() => host.close());
    return host;
  };
  return [await open(ALPHA), await open(BETA)];
}

/** Where a service that was started with the printed command finds the domains. */
function knownHosts(): string {
  return devHosts([ALPHA, BETA].map(({ name, port }) => ({ name, port: portIn(process.env.DEV_HOSTS, name) ?? port })));
}

async function openOwn(hosts: Host[], { caFile }: Certificates): Promise<OwnService> {
  say("Starting a service of the demo's own (the first start builds the pages, which takes a minute or two)");
  const variables = { DEV_HOSTS: devHosts(hosts), NODE_EXTRA_CA_CERTS: caFile };
  const own = await startService(FOLDER, variables, interrupted.promise, say);
  closers.push(() => own.close());
  return own;
}

async function openWatched(): Promise<Window | undefined> {
  const window = await openWindow();
  if (typeof window !== "string") {
    closers.push(() => window.close());
    return window;
  }
  say(`Nothing to watch: ${window}. The owner's part is done over HTTP instead, as without --watch.\n`);
  return undefined;
}

function openRunFolder(): string {
  mkdirSync(FOLDER, { recursive: true });
  const folder = mkdtempSync(join(FOLDER, "run-"));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

let code = 1;
try {
  code = await main();
} catch (error) {
  console.error(`\nThe demo met a surprise.\n  ${explainSurprise(error)}`);
}
for (const close of closers.reverse()) {
  try {
    await close();
  } catch (error) {
    console.error(`Closing failed: ${explainSurprise(error)}`);
  }
}
process.exit(code);
