import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { listening } from "../../testing/listening.ts";
import { completedTask, LOG, LOG_KEY, makeEvidence, signerFrom } from "../../testing/made-up-platform.ts";
import { utf8 } from "../bytes.ts";
import { canonicalJson } from "../canonical-json.ts";
import { sha256Text } from "../sha256.ts";
import { checkpointText } from "../tlog/checkpoint.ts";
import { signNote } from "../tlog/note.ts";
import { appendEntries, type GrownTile, parseTilePath, Tiles, tilesOf } from "../tlog/tiles.ts";
import { verifyFile } from "./verify-file.ts";
import { watchLog } from "./watch-log.ts";

const folder = mkdtempSync(join(tmpdir(), "guildhall-evidence-"));
after(() => rmSync(folder, { recursive: true }));

async function verify(content: string, options: Partial<Parameters<typeof verifyFile>[0]> = {}) {
  const file = join(folder, "evidence.json");
  writeFileSync(file, content);
  const lines: string[] = [];
  const code = await verifyFile({ file, json: false, line: (text) => lines.push(text), ...options });
  return { code, text: lines.join("\n") };
}

test("verify exits with 0 for proved, 1 for broken, 2 for consistent and 3 for unreadable", async () => {
  const whole = JSON.stringify(makeEvidence());
  const proved = await verify(whole, { key: LOG_KEY });
  assert.equal(proved.code, 0);
  assert.match(proved.text, /^Proved: all 10 entries are in the log of guild\.example\/log, unchanged\./);
  assert.match(
    proved.text,
    /\n {2}- 1\. 2026-11-22T12:00:01\.000Z agt_2+ created a task \(unlisted, TEST\) with a budget of £10\.00/,
  );
  assert.equal((await verify(whole.replace("Count", "Caunt"), { key: LOG_KEY })).code, 1);
  assert.equal((await verify(whole, { key: `${signerFrom(8, LOG.name).name}` })).code, 3);
  assert.equal((await verify(whole)).code, 2);
  assert.equal((await verify("no evidence", { key: LOG_KEY })).code, 3);
  const json = await verify(whole, { key: LOG_KEY, json: true });
  assert.equal(JSON.parse(json.text).verdict, "proved");
  assert.equal(await verifyFile({ file: join(folder, "none"), json: false, line: () => undefined }), 3);
});

test("verify compares files on disk with those that the evidence names, and a wrong or unknown one is broken", async () => {
  const steps = completedTask();
  const listed = [{ name: "words.txt", size: 5, sha256: sha256Text("words") }];
  const submitted = steps.find(([event]) => event === "task.submitted");
  const salted = { salt: (makeEvidence().attachments as { result: { salt: string } }).result.salt };
  if (submitted) submitted[2].files_hash = sha256Text(canonicalJson({ ...salted, text: canonicalJson(listed) }));
  const files = listed.map((file) => ({ n: 8, purpose: "result", ...file }));
  const evidence = JSON.stringify({ ...makeEvidence(steps), files });
  const own = join(folder, "own.txt");
  const compared = async (content: string, name: string) => {
    writeFileSync(own, content);
    return verify(evidence, { key: LOG_KEY, files: [{ name, path: own }] });
  };
  const right = await compared("words", "words.txt");
  assert.equal(right.code, 0, right.text);
  assert.match(right.text, /words\.txt \(result\), 5 bytes, sha256:[0-9a-f]{64} \[matches\]/);
  assert.equal((await compared("other", "words.txt")).code, 1);
  assert.equal((await compared("words", "other.txt")).code, 1);
  // What an outsider gets has no texts. Nothing in it vouches for a list of files that somebody adds.
  const attachments = { terms: {}, brief: null, result: null };
  const added = { ...makeEvidence(steps), attachments, files: [{ ...files[0], sha256: sha256Text("forged") }] };
  writeFileSync(own, "forged");
  const forged = await verify(JSON.stringify(added), { key: LOG_KEY, files: [{ name: "words.txt", path: own }] });
  assert.equal(forged.code, 1, forged.text);
  assert.equal((await verify(evidence, { key: LOG_KEY, files: [{ name: "a", path: join(folder, "none") }] })).code, 3);
});

/** A log in memory that a test can grow, rewrite and take back. */
class FakeLog {
  entries: string[] = [];
  signer = LOG;
  #tiles = new Map<string, GrownTile>();

  get #size() {
    return this.entries.length;
  }
  grow(): void {
    this.#tiles = new Map(
      appendEntries(0, [], this.entries.map(utf8)).map((tile) => [`${tile.level}/${tile.index}`, tile]),
    );
  }
  answer(path: string): string | Uint8Array | undefined {
    if (path === "/log/key") return `${LOG_KEY}\n`;
    if (path === "/log/checkpoint") return this.checkpoint();
    const request = parseTilePath(path.replace("/log/", ""));
    const tile = request && this.#tiles.get(`${request.level}/${request.index}`);
    return tile && tile.hashes.length >= request.width * 32 ? tile.hashes.subarray(0, request.width * 32) : undefined;
  }
  checkpoint(): string {
    this.grow();
    const tiles = new Tiles();
    const range = { start: 0, end: this.#size };
    for (const name of tilesOf([range]))
      tiles.set(name, (this.#tiles.get(`${name.level}/${name.index}`) as GrownTile).hashes);
    return signNote(checkpointText({ origin: LOG.name, size: this.#size, root: tiles.root(this.#size) }), this.signer);
  }
}

const log = new FakeLog();
const { url, close } = await listening((request, response) => {
  const answer = log.answer(request.url ?? "");
  if (answer === undefined) response.writeHead(404).end();
  else response.end(answer);
});
after(close);

/** Watches until `change` has been called after each line, or the watch ends. */
async function watch(changes: (() => void)[], options: { key?: string; state?: string } = {}) {
  const stop = new AbortController();
  const events: string[] = [];
  const code = await watchLog({
    url,
    json: true,
    env: { XDG_STATE_HOME: join(folder, options.state ?? "state") },
    signal: stop.signal,
    intervalMs: 1,
    ...(options.key ? { key: options.key } : {}),
    line(text) {
      const { event } = JSON.parse(text);
      events.push(event);
      if (event === "pinned") return;
      const change = changes.shift();
      if (change) change();
      else stop.abort();
    },
  });
  return { code, events };
}

test("a watch pins the first key, follows a log that grows, and goes on from what it saw", async () => {
  log.entries = ["a", "b", "c"];
  const first = await watch([() => log.entries.push(...Array.from({ length: 400 }, (_, at) => `more ${at}`))]);
  assert.deepEqual(first, { code: 0, events: ["pinned", "checkpoint", "checkpoint"] });
  log.entries.push("later");
  assert.deepEqual(await watch([]), { code: 0, events: ["checkpoint"] });
});

test("a watch ends with 3 on a rewritten history, whether it is longer, shorter or as long", async () => {
  for (const rewrite of [
    () => log.entries.splice(1, 1, "rewritten", "more"),
    () => log.entries.splice(1, 2),
    () => log.entries.splice(1, 1, "rewritten"),
  ]) {
    log.entries = ["a", "b", "c", "d", "e"];
    const state = `state-${rewrite}`.replaceAll(/\W/g, "");
    assert.deepEqual(await watch([rewrite], { state }), { code: 3, events: ["pinned", "checkpoint", "fork"] });
    assert.equal((await watch([], { state })).code, 3);
  }
});

test("a checkpoint by another key is not believed, and a changed pin ends the watch", async () => {
  log.entries = ["a"];
  const state = "other-key";
  await watch([], { state });
  log.signer = signerFrom(9, LOG.name);
  assert.deepEqual(await watch([], { state }), { code: 0, events: ["unavailable"] });
  log.signer = LOG;
  assert.equal((await watch([], { state, key: "nonsense" })).code, 1);
});
