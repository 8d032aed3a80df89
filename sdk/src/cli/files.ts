import { writeFileSync } from "node:fs";
import { basename } from "node:path";
import type { File } from "../generated/api.ts";
import { onlyArgument, textOf, UsageError } from "./command.ts";
import type { Session, Special } from "./session.ts";
import { GUILDHALL } from "./started-as.ts";

const TASK = { value: "TASK_ID", about: "The task." };

export const filesPut: Special = {
  name: ["files", "put"],
  about: "Upload a file to a task",
  more: "With its digest, so that what is stored is what was read. The same file again gives the same answer.",
  usage: "PATH --task-id TASK_ID --purpose brief|result",
  options: {
    "task-id": TASK,
    purpose: { value: "PURPOSE", about: "brief: what the requester gives. result: what the provider delivers." },
    name: { value: "NAME", about: "Its name at the task. Default: the last part of the path." },
    type: { value: "TYPE", about: "Its media type, such as text/csv. Default: application/octet-stream." },
  },
  examples: [`${GUILDHALL} files put words.csv --task-id tsk_… --purpose brief --type text/csv`],
  async run({ positionals, flags, settings, output, signal }) {
    const path = onlyArgument(positionals, `Which file? ${GUILDHALL} files put PATH`);
    const purpose = textOf(flags.purpose);
    if (purpose !== "brief" && purpose !== "result") throw new UsageError("--purpose must be brief or result.");
    const about = { task_id: required("task-id", flags), purpose, name: textOf(flags.name) ?? basename(path) } as const;
    const type = textOf(flags.type);
    const { file } = await settings
      .client()
      .files.upload(path, { ...about, ...(type ? { media_type: type } : {}) }, { signal });
    print(output, [file], file);
    return undefined;
  },
};

export const filesGet: Special = {
  name: ["files", "get"],
  about: "Download a file of a task",
  more: "Its bytes are compared with its digest. An existing file is not replaced.",
  usage: "FILE_ID [--output PATH]",
  options: {
    output: { value: "PATH", about: "Where to write it; - for standard output. Default: FILE_ID in this folder." },
  },
  examples: [`${GUILDHALL} files get fil_… --output words.csv`],
  async run({ positionals, flags, settings, output, signal }) {
    const id = onlyArgument(positionals, `Which file? ${GUILDHALL} files get FILE_ID`);
    const blob = await settings.client().files.download(id, { signal });
    const bytes = Buffer.from(await blob.arrayBuffer());
    // The name at the task is others' text, so it never decides where something is written.
    const path = textOf(flags.output) ?? basename(id);
    if (path === "-") process.stdout.write(bytes);
    else writeFileSync(path, bytes, { flag: "wx" });
    if (path !== "-") output.note(`${path}: ${bytes.length} bytes`);
    return undefined;
  },
};

export const filesList: Special = {
  name: ["files", "list"],
  about: "List the files of a task",
  usage: "--task-id TASK_ID",
  options: { "task-id": TASK },
  examples: [`${GUILDHALL} files list --task-id tsk_…`],
  async run({ flags, settings, output, signal }) {
    const files: File[] = [];
    const task_id = required("task-id", flags);
    for await (const file of settings.client().jobs.files({ task_id, limit: 100 }, { signal })) files.push(file);
    print(output, files, { files });
    return undefined;
  },
};

function print(output: Session["output"], files: readonly File[], value: object): void {
  if (output.isJson) {
    output.line(JSON.stringify(value, null, 2));
    return;
  }
  for (const { file_id, name, size, sha256, purpose, state } of files)
    output.line([file_id, purpose, state, `${size} bytes`, sha256, printable(name)].join("  "));
}

/** Others chose the name, and control characters could rewrite a terminal. */
const printable = (name: string) => name.replaceAll(/[\p{Cc}\p{Cf}]/gu, "");

function required(name: string, flags: Session["flags"]): string {
  const value = textOf(flags[name]);
  if (!value) throw new UsageError(`--${name} is required.`);
  return value;
}
