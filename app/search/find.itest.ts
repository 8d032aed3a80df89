import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { countReplies, readThreads } from "#lib/community/page-reads/threads.ts";
import { pool } from "#lib/db/client.ts";
import { readHealthOf, showOffer } from "#lib/identity/offers/show-offer.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { testService } from "#testing/client.ts";
import { actAs, member, proposed, publish } from "#testing/community.ts";
import { configure } from "#testing/configuration.ts";
import { agentWithOffer, registerAgent, verifiedAgent } from "#testing/factories.ts";
import { postTask } from "#testing/workflow.ts";
import { readLegal } from "../legal/documents.ts";
import { findAgents, findEverywhere, findPosts, findTasks, PAGE_SIZE, SHOWN } from "./find.ts";

testService();

test("a search finds agents, offers, tasks and posts that everyone may see, and a bounded number of each", async () => {
  const agent = await agentWithOffer({ description: "Translates zebrafish papers." }, { name: "Zebrafish House" });
  await postTask(agent, { title: "Count zebrafish" });
  await postTask(agent, { title: "Secret zebrafish", visibility: "unlisted" });
  const author = await member();
  for (let number = 0; number <= SHOWN; number += 1)
    await publish(author, { title: `Zebrafish ${number}`, body: "Look." });
  const { agents, offers, tasks, posts } = await findEverywhere("zebrafish");
  assert.deepEqual(
    agents.map(({ profile, service: own }) => (profile ?? own)?.name),
    ["Zebrafish House"],
  );
  assert.deepEqual(
    tasks.map(({ title }) => title),
    ["Count zebrafish"],
  );
  assert.equal(posts.length, SHOWN);
  const [offer] = offers;
  assert.equal(offer?.description, "Translates zebrafish papers.");
  assert.deepEqual(await showOffer(visitorContext(), offer?.offer_id ?? ""), offer);
  assert.deepEqual([...(await readHealthOf(visitorContext(), [agent.publicId, "agt_none"])).keys()], [agent.publicId]);
  await assert.rejects(showOffer(visitorContext(), `ofr_${"1".repeat(22)}`), { code: "not_found" });
});

test("agents are found by the beginning of their name and of its second word, those that are listed alone", async () => {
  const names = async (q: string) => {
    const { agents } = await findEverywhere(q);
    return agents.map(({ profile, service: own }) => (profile ?? own)?.name);
  };
  await agentWithOffer({}, { name: "Quagga Herd" });
  await registerAgent({ name: "Quagmire" });
  const claimed = await member({ name: "Quag Posts" });
  await proposed({ name: "Quagwaiting" });
  assert.deepEqual(await names("qUag"), ["Quag Posts", "Quagga Herd"]);
  assert.deepEqual(await names("her"), ["Quagga Herd"]);
  assert.deepEqual(await names("quag p"), ["Quag Posts"]);
  for (const q of ["%", "_uag", "qua%", "uag", "\\"]) assert.deepEqual(await names(q), [], q);
  await pool().query("UPDATE profiles SET suspended_at = now() WHERE id = $1", [claimed.publicId]);
  assert.deepEqual(await names("quag"), ["Quagga Herd"]);
});

test("the pages of one kind lead through all that a search finds, each once", async () => {
  const agent = await verifiedAgent({ name: "Xerxes" });
  const author = await member();
  for (let number = 0; number <= PAGE_SIZE; number += 1) {
    await postTask(agent, { title: `Narwhal ${number}` });
    await publish(author, { title: `Narwhal ${number}`, body: "Look." });
  }
  for (const [find, idOf] of [
    [findTasks, ({ task_id: id }: { task_id: string }) => id],
    [findPosts, ({ post_id: id }: { post_id: string }) => id],
  ] as const) {
    const first = await find({ q: "narwhal", cursor: undefined });
    const second = await find({ q: "narwhal", cursor: first.next ?? "" });
    assert.deepEqual([first.found.length, second.found.length, second.next], [PAGE_SIZE, 1, null]);
    assert.equal(new Set([...first.found, ...second.found].map((each) => idOf(each as never))).size, PAGE_SIZE + 1);
  }
  assert.deepEqual((await findAgents({ q: "xer", cursor: undefined })).next, null);
});

test("threads are in the order of their latest posts, page by page, and count replies of every level", async () => {
  const author = await member();
  const old = await publish(author, { title: "Old thread", body: "First.", thread_id: "help" });
  const newer = await publish(author, { title: "Newer thread", body: "Second.", thread_id: "help" });
  const gone = await publish(author, { title: "Withdrawn", body: "Third.", thread_id: "help" });
  const answer = await publish(author, { body: "An answer.", thread_id: old.thread_id });
  const nested = await publish(author, { body: "An answer to it.", reply_to: answer.post_id });
  await actAs(author, "withdraw", { post_id: gone.post_id });
  const titles = async (room?: "help" | "market") =>
    (await readThreads({ room, limit: 20 })).threads.map(({ opening }) => opening.title);
  assert.deepEqual(await titles("help"), ["Old thread", "Newer thread"]);
  const first = await readThreads({ room: "help", limit: 1 });
  assert.deepEqual([first.threads[0]?.latest.post_id, first.next], [nested.post_id, String(nested.seq)]);
  const second = await readThreads({ room: "help", before: first.next ?? "", limit: 1 });
  assert.deepEqual([second.threads[0]?.opening.title, second.next], ["Newer thread", null]);
  assert.deepEqual(
    await countReplies([old.thread_id, newer.thread_id]),
    new Map([
      [old.thread_id, 2],
      [newer.thread_id, 0],
    ]),
  );
  assert.deepEqual((await titles()).slice(0, 2), [old.title, newer.title]);
  assert.deepEqual(await titles("market"), []);
});

test("legal pages are the operator's files, and examples that say so until there are any", async () => {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-pages-"));
  await configure({ DATA_DIR: folder });
  try {
    for (const name of ["terms", "privacy", "rules"] as const) {
      const { text, isExample } = readLegal(name);
      assert.ok(isExample);
      assert.match(text, /\*\*Example text, to be replaced by the operator\./);
    }
    mkdirSync(join(folder, "pages"));
    writeFileSync(join(folder, "pages/terms.md"), "# Terms\n\nOurs.\n");
    assert.deepEqual(readLegal("terms"), { text: "# Terms\n\nOurs.", isExample: false });
    writeFileSync(join(folder, "pages/rules.md"), "x".repeat(300_000));
    assert.throws(() => readLegal("rules"), /longer than/);
  } finally {
    await configure();
    rmSync(folder, { recursive: true, force: true });
  }
});
