import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { takeDownPost } from "../../../lib/admin/moderation.ts";
import { apiListener } from "../../../lib/api/listener.ts";
import { startRecord } from "../../../lib/record/record.ts";
import { admin, reason } from "../../../testing/administrator.ts";
import { runGuildhall } from "../../../testing/command-line.ts";
import { joined, proposed, publish } from "../../../testing/community.ts";
import { atEnd, closePrograms, listen } from "../../../testing/examples/example-programs.ts";
import { publishOffer, registerAgent, type TestAgent, verifiedAgent } from "../../../testing/factories.ts";
import { put } from "../../../testing/files.ts";
import { completedLive, type Live, readyProvider, settlementOf, startLive } from "../../../testing/live.ts";
import { did, passTime, taskAt, type Work } from "../../../testing/workflow.ts";
import { LOG, LOG_KEY, makeEvidence } from "../../testing/made-up-platform.ts";
import { Guildhall } from "../client.ts";
import { checkpointText } from "../tlog/checkpoint.ts";
import { EMPTY_ROOT } from "../tlog/merkle.ts";
import { signNote } from "../tlog/note.ts";
import { helpOf } from "./command-line.ts";

// Every command's help ends with examples. Here each of them is run as a shell would, against a service with LIVE at a stand-in for
// Stripe.

const folder = mkdtempSync(join(tmpdir(), "guildhall-examples-"));
const bin = join(folder, "bin");
let live: Live;
let baseUrl = "";
let log = "";
/** Verified, with a profile of the community. */
let provider: TestAgent & { key: string };
let requester: TestAgent;

before(async () => {
  live = await startLive();
  atEnd(() => live.stop());
  // Gives events their positions, so that they are in the feed.
  const record = startRecord();
  atEnd(() => record.stop());
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  baseUrl = await listen(createServer(apiListener()));
  const empty = signNote(checkpointText({ origin: LOG.name, size: 0, root: EMPTY_ROOT }), LOG);
  log = await listen(createServer(({ url }, response) => response.end(url === "/log/key" ? `${LOG_KEY}\n` : empty)));
  const agent = await verifiedAgent({ skills: ["word-count"] });
  provider = { ...agent, key: (await joined(agent)).key };
  requester = await registerAgent();
  const program = (file: string, text: string) => writeFileSync(file, text, { mode: 0o755 });
  mkdirSync(bin);
  program(
    join(bin, "guildhall"),
    `#!/bin/sh\nexec '${process.execPath}' '${join(import.meta.dirname, "guildhall.ts")}' "$@"\n`,
  );
  program(join(folder, "count-words.sh"), "#!/bin/sh\nwc -w\n");
  writeFileSync(join(folder, "work.js"), "console.log(3);\n");
  writeFileSync(join(folder, "result.txt"), "3\n");
  writeFileSync(join(folder, "words.csv"), "one,two,three\n");
  writeFileSync(join(folder, "input.json"), '{"text": "one two"}');
  for (const file of ["evidence.json", "evidence-tsk.json"])
    writeFileSync(join(folder, file), JSON.stringify(makeEvidence()));
});

after(closePrograms);

type Prepared = {
  /** Who runs the command; nobody if it is null. */
  as?: TestAgent | null;
  /** What stands in the example in place of these. */
  instead?: Record<string, string>;
  /** The command goes on until it is stopped. */
  endless?: boolean;
  code?: number;
};

const asWork = (work: Work, as: TestAgent): Prepared => ({
  as,
  instead: { "tsk_…": work.taskId, "con_…": work.contractId, "sha256:…": work.termsHash, "pay_…": work.paymentId },
});
const workAt = (state: Parameters<typeof taskAt>[0]) => taskAt(state, { requester, provider });
/** An offer whose orders are JSON. */
const typedOffer = () =>
  publishOffer(provider, {
    skill: "word-count",
    price_pence: 999,
    input_schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    example_input: { text: "one two" },
  });
const asProvider = (state: Parameters<typeof taskAt>[0]) => async () => asWork(await workAt(state), provider);
const asRequester = (state: Parameters<typeof taskAt>[0]) => async () => asWork(await workAt(state), requester);
/** Late enough after its last step for the waiting party to end it. */
const unattended = (state: Parameters<typeof taskAt>[0], as: "requester" | "provider") => async () => {
  const work = await workAt(state);
  await passTime(work.taskId, 31);
  return asWork(work, work[as]);
};
const clientOf = ({ publicId, token }: TestAgent) => new Guildhall({ baseUrl, publicId, token, communityKey: "" });
/** A webhook is on the host that its identity has verified. */
const atAlpha = () => verifiedAgent({ endpoint: "https://alpha.example/agent" });
const withWebhook = async (): Promise<Prepared> => {
  const as = await atAlpha();
  await clientOf(as).agents.webhookSave({ url: "https://alpha.example/hook" });
  return { as };
};
const paid = async (): Promise<Prepared> => ({ as: await readyProvider(live) });
const someone = async (): Promise<Prepared> => ({ instead: { "agt_…": requester.publicId } });
const endless = async (): Promise<Prepared> => ({ endless: true });

const withFile = async (): Promise<Prepared> => {
  const work = await workAt("open");
  const { file } = await put(requester, { taskId: work.taskId });
  // An existing file is not replaced.
  return { as: requester, instead: { "tsk_…": work.taskId, "fil_…": file.file_id, "words.csv": "downloaded.csv" } };
};

const openToQuotes = () => taskAt("open", { requester, provider }, { task: { open_to: "quotes" } });
const quoted = (as: "requester" | "provider") => async (): Promise<Prepared> => {
  const work = await openToQuotes();
  const given = { task_id: work.taskId, amount_pence: 750, note: "By tomorrow." };
  const { quote } = await clientOf(provider).jobs.quote(given);
  const prepared = asWork(work, as === "provider" ? provider : requester);
  return { ...prepared, instead: { ...prepared.instead, "qte_…": quote.quote_id } };
};

/** Brings about what an example needs; the provider runs those that are not here. */
const PREPARED: Record<string, () => Promise<Prepared>> = {
  register: async () => ({ as: null }),
  "agents register": async () => ({ as: null }),
  "agents report-leak": async () => {
    writeFileSync(join(folder, "secret.txt"), `${(await registerAgent()).token}\n`);
    return { as: null };
  },
  "agents show": someone,
  "agents evidence": someone,
  "agents record": someone,
  "agents record-tasks": someone,
  "agents template-remove": async () => {
    const as = await verifiedAgent();
    await clientOf(as).agents.templateSave({ kind: "task", name: "Count words", fields: { brief: "Count." } });
    return { as };
  },
  "access remove": async () => {
    const { access } = await clientOf(provider).agents.accessCreate({ name: "Worker", scopes: ["read"] });
    return { instead: { "tok_…": access.access_id } };
  },
  "agents webhook-save": async () => ({ as: await atAlpha() }),
  "agents webhook-show": withWebhook,
  "agents webhook-rotate": withWebhook,
  "agents webhook-test": withWebhook,
  "agents webhook-replay": withWebhook,
  "agents webhook-remove": withWebhook,
  "jobs create": async () => ({ as: requester }),
  "jobs quote": async () => asWork(await openToQuotes(), provider),
  "jobs quote-withdraw": quoted("provider"),
  "jobs quotes": quoted("requester"),
  "jobs choose-quote": quoted("requester"),
  "agents rehearse": async () => ({ instead: { "ofr_…": (await typedOffer()).offer_id } }),
  order: async () => ({ as: requester, instead: { "ofr_…": (await typedOffer()).offer_id } }),
  "jobs order": async () => {
    const { offer_id } = await publishOffer(provider, { skill: "word-count", price_pence: 999 });
    return { as: requester, instead: { "ofr_…": offer_id } };
  },
  "jobs select": async () => {
    const prepared = await asRequester("open")();
    return { ...prepared, instead: { ...prepared.instead, "agt_…": provider.publicId } };
  },
  "jobs wait": async () => asWork(await workAt("submitted"), requester),
  "jobs prepare": asRequester("open"),
  "jobs claim": asProvider("open"),
  "jobs release": asProvider("claimed"),
  "jobs dismiss": asRequester("claimed"),
  "jobs start": async () => asWork(await taskAt("accepted", { requester, provider }, { amountPence: 0 }), provider),
  "jobs submit": asProvider("in_progress"),
  "jobs request-changes": asRequester("submitted"),
  "jobs dispute": asRequester("submitted"),
  "jobs dispute-statement": async () => {
    const { dispute } = await did(requester, "dispute", await workAt("submitted"));
    return { instead: { "dsp_…": dispute?.dispute_id ?? "" } };
  },
  "jobs disputes": async () => {
    const work = await workAt("submitted");
    await did(requester, "dispute", work);
    return asWork(work, requester);
  },
  "jobs message": asProvider("claimed"),
  "jobs messages": asProvider("claimed"),
  "jobs clarify": asRequester("open"),
  "jobs show": asProvider("claimed"),
  "jobs files": withFile,
  "files list": withFile,
  "files get": withFile,
  "jobs remove-file": withFile,
  "files put": asRequester("open"),
  "jobs complete": asRequester("submitted"),
  "jobs conclude": unattended("submitted", "provider"),
  "jobs leave": unattended("in_progress", "requester"),
  "jobs give-up": asProvider("in_progress"),
  "jobs cancel": asRequester("open"),
  "jobs evidence": asRequester("completed"),
  "contracts create": async () => asWork(await workAt("claimed"), requester),
  "contracts accept": asProvider("proposed"),
  "contracts decline": asProvider("proposed"),
  "contracts show": asProvider("proposed"),
  "settlements fee-statement": async () => {
    const work = await completedLive(live);
    return { as: work.provider, instead: { "stl_…": (await settlementOf(work)).settlement_id } };
  },
  "payments intent": asRequester("accepted"),
  "payments confirm": async () => {
    const work = await workAt("accepted");
    await did(requester, "fund", work);
    return asWork(work, requester);
  },
  "payments account-open": async () => ({ as: await verifiedAgent() }),
  "payments dashboard": paid,
  "payments account-show": paid,
  "moderation mute": async () => {
    const { publicId } = await joined(await verifiedAgent());
    return { instead: { "agt_…": publicId } };
  },
  "moderation appeal": async () => {
    const { post_id: postId } = await publish(provider);
    await takeDownPost(admin, { postId, reason });
    const { moderations } = await new Guildhall({ baseUrl, communityKey: provider.key }).moderation.acts();
    return { instead: { "mod_…": moderations[0]?.moderation_id ?? "" } };
  },
  "community profile": async () => ({ instead: { "agt_…": provider.publicId } }),
  "community register": async () => ({ as: null }),
  "community join": async () => ({ as: await verifiedAgent() }),
  "community claim-preview": async () => {
    writeFileSync(join(folder, "claim-token.txt"), `${(await proposed()).claimToken}\n`);
    return { as: null };
  },
  "community withdraw": async () => ({ instead: { "pst_…": (await publish(provider)).post_id } }),
  watch: endless,
  provider: endless,
  "log watch": async () => ({ endless: true, instead: { "https://guildhall.example": log } }),
  verify: async () => {
    const { taskId } = await workAt("claimed");
    const instead = { "evidence-tsk_….json": "evidence-tsk.json", "tsk_…": taskId, "guildhall.example/log+…": LOG_KEY };
    return { instead };
  },
};

/** Examples that do not end with 0 here, as they should. */
const CODES: Record<string, number> = {
  // Without a key, and so without a log that is signed, evidence is consistent at best.
  "guildhall verify - < evidence.json": 2,
  "guildhall verify tsk_…": 2,
};

let count = 0;

/** The words of a line that is nothing but a command; undefined if it takes a shell to run it. */
function plainWords(line: string): string[] | undefined {
  const found = [...line.matchAll(/'([^']*)'|"([^"$]*)"|([^\s'"|&;<>()$]+)(?=\s|$)/g)];
  const isWhole = found.map((each) => each[0]).join(" ") === line;
  if (!isWhole || found[0]?.[0] !== "guildhall") return undefined;
  return found.slice(1).map(([, single, double, plain]) => single ?? double ?? plain ?? "");
}

/** What a shell does with a line. An endless command is stopped, as by Ctrl-C, when it has said something. */
async function run(line: string, { as = provider, endless: isEndless = false }: Prepared) {
  count += 1;
  const home = join(folder, `home-${count}`);
  const { GUILDHALL_BASE_URL: _, ...inherited } = process.env;
  const own = as && { GUILDHALL_PUBLIC_ID: as.publicId, GUILDHALL_TOKEN: as.token };
  const key = as === provider ? { GUILDHALL_COMMUNITY_KEY: provider.key } : {};
  const env = {
    ...inherited,
    ...own,
    ...key,
    XDG_CONFIG_HOME: home,
    XDG_STATE_HOME: home,
    GUILDHALL_BASE_URL: baseUrl,
    PATH: `${bin}:${process.env.PATH}`,
  };
  // `> events.jsonl`, `--output words.csv`: what it says is in a file.
  const [, file] = / (?:>|--output) (\S+)$/.exec(line) ?? [];
  const words = plainWords(line);
  const ended = words ? await runInFolder(words, env, isEndless) : await runInShell(line, env, isEndless, file);
  return file && existsSync(join(folder, file)) ? { ...ended, out: readFileSync(join(folder, file), "utf8") } : ended;
}

/** In this process, which costs a tenth of starting another one. */
async function runInFolder(words: string[], env: NodeJS.ProcessEnv, isEndless: boolean) {
  const said = new AbortController();
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await runGuildhall(words, env, said.signal, () => isEndless && said.abort());
  } finally {
    process.chdir(before);
  }
}

async function runInShell(line: string, env: NodeJS.ProcessEnv, isEndless: boolean, file: string | undefined) {
  const command = isEndless ? `exec ${line}` : line;
  const child = spawn(line.includes("bash") ? "bash" : "/bin/sh", ["-c", command], { cwd: folder, env });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => {
    out += chunk;
    // A second signal would end it at once.
    if (isEndless && !child.killed) child.kill("SIGTERM");
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  const timer = isEndless && file ? setTimeout(() => child.kill("SIGTERM"), 3_000) : undefined;
  const code = await new Promise<number | null>((done) => child.once("close", done));
  clearTimeout(timer);
  return { code, out, err };
}

for (const { name, examples } of helpOf())
  for (const example of examples)
    test(`the example runs: ${example}`, { timeout: 60_000 }, async () => {
      const prepared = (await PREPARED[name]?.()) ?? {};
      if (name === "watch") setTimeout(() => void workAt("claimed"), 1_500);
      let line = example;
      for (const [shown, real] of Object.entries(prepared.instead ?? {})) line = line.replaceAll(shown, real);
      assert.doesNotMatch(line, /…/, "everything that stands for something else is replaced");
      const { code, out, err } = await run(line, prepared);
      assert.equal(code, CODES[example] ?? 0, `${line}\n${err}`);
      assert.ok(out !== "" || example.startsWith("eval "), "it says something");
    });
