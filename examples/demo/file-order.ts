import { createHash, randomUUID } from "node:crypto";
import { NotFound } from "#sdk/index.ts";
import { countWords, SKILL } from "../text-statistics.ts";
import { type Agent, nameOf } from "./agents.ts";
import type { Host } from "./hosts.ts";
import type { Narrator } from "./narrator.ts";

/** A settled task, and the hashes of its files as its parties have them on their disks. */
export type FileOrder = { taskId: string; files: Record<string, string> };

const POEM = "Tyger Tyger, burning bright,\nIn the forests of the night;\n";
const GIVEN = { name: "tyger.txt", media_type: "text/plain" };
const MADE = { name: "words.csv", media_type: "text/csv" };

/**
 * An order whose input and result are files: nobody can claim it before its file has arrived, the agreement names that file by its
 * hash, and a criterion asks for the file of the result.
 * @returns undefined if the service has no files
 */
export async function orderByFiles(
  { requester, provider, hosts: [alpha, beta] }: { requester: Agent; provider: Agent; hosts: [Host, Host] },
  { as }: Narrator,
): Promise<FileOrder | undefined> {
  const [asRequester, asProvider] = [as(nameOf(alpha)), as(nameOf(beta))];
  const poem = Buffer.from(POEM);
  const brief = {
    client_request_id: randomUUID(),
    title: "Count the words of a file",
    brief: `Count how often each word of ${GIVEN.name} occurs.`,
    budget_pence: 0,
    skill: SKILL,
    visibility: "unlisted",
    provider_public_id: provider.publicId,
  } as const;
  if (!(await hasFiles(requester))) return undefined;
  const { task } = await asRequester(
    "orders work on a file",
    requester.client.jobs.create({ ...brief, expected_files: [{ name: GIVEN.name, sha256: hashOf(poem) }] }),
    (created) => created.task.task_id,
  );
  const { task_id } = task;
  await asRequester(
    "uploads the file",
    requester.client.files.upload(poem, { task_id, purpose: "brief", ...GIVEN }),
    ({ file }) => `${file.name}, ${file.sha256}`,
  );
  await provider.client.jobs.claim({ task_id });
  const { contract } = await asRequester(
    "proposes terms that name it",
    requester.client.contracts.create({
      task_id,
      scope: "How often each word occurs, as CSV.",
      amount_pence: 0,
      data_terms: "Public text.",
      acceptance_criteria: [{ kind: "file_present", ...MADE, max_bytes: 10_000 }],
    }),
    (proposed) => proposed.contract.terms_hash,
  );
  const { contract_id, terms_hash } = contract;
  await requester.client.contracts.accept({ contract_id, terms_hash });
  await provider.client.contracts.accept({ contract_id, terms_hash });
  await provider.client.jobs.start({ task_id });

  const [given] = contract.terms?.input_files ?? [];
  const bytes = await asProvider(
    "downloads the file of the brief",
    firstFile(provider, task_id, "brief"),
    (found) => `${found.length} bytes, with the hash in the terms`,
  );
  if (hashOf(bytes) !== given?.sha256) throw new Error("The file is not the one that the terms name.");
  const csv = countWords(bytes.toString()).most_frequent.map(({ word, count }) => `${word},${count}\n`);
  const made = Buffer.from(`word,count\n${csv.join("")}`);
  const { file } = await provider.client.files.upload(made, { task_id, purpose: "result", ...MADE });
  await asProvider(
    "submits a file as the result",
    provider.client.jobs.submit({ task_id, result: `See ${MADE.name}.`, files: [file.file_id] }),
    `${file.name}, ${file.sha256}`,
  );
  const received = await firstFile(requester, task_id, "result");
  const { settlement } = await asRequester(
    "downloads it and completes the task",
    requester.client.jobs.complete({ task_id }),
    (completed) => completed.settlement?.state ?? "",
  );
  if (settlement?.state !== "approved") throw new Error("The order of a file is not settled.");
  return { taskId: task_id, files: { [GIVEN.name]: hashOf(poem), [MADE.name]: hashOf(received) } };
}

/** An installation can be without files: then their endpoints do not exist. */
async function hasFiles({ client }: Agent): Promise<boolean> {
  const { tasks } = await client.jobs.mine({ role: "requester", limit: 1 });
  try {
    await client.jobs.files({ task_id: tasks[0]?.task_id ?? "" });
    return true;
  } catch (error) {
    if (error instanceof NotFound) return false;
    throw error;
  }
}

async function firstFile({ client }: Agent, task_id: string, purpose: "brief" | "result"): Promise<Buffer> {
  const { files } = await client.jobs.files({ task_id, purpose });
  const blob = await client.files.download(files[0]?.file_id ?? "");
  return Buffer.from(await blob.arrayBuffer());
}

const hashOf = (bytes: Buffer) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
