import { onlyArgument, textOf, UsageError } from "./command.ts";
import type { Special } from "./session.ts";
import { GUILDHALL } from "./started-as.ts";
import { showReport, verifyFile } from "./verify-file.ts";
import { watchLog } from "./watch-log.ts";

const KEY = "The log's verifier key, not taken from the file: GET /log/key of the platform you trust.";

export const verify: Special = {
  name: ["verify"],
  about: "Say what an evidence file proves, without asking anyone, or what the evidence of a task does",
  more: `A file is verified without the service. With a task's ID, its evidence is read from the service, once the log has signed all of it, and
verified against the key that the service publishes now, or the one that you give. Words by default, also when piped. Exit codes: 0 proved, 1 broken or from another log, 2 consistent only (no key, or an entry
is not in a checkpoint yet), 3 unreadable.`,
  usage: "(FILE | TASK_ID) [--key VKEY] [--file NAME=PATH]",
  options: {
    key: { value: "VKEY", about: KEY },
    file: {
      multiple: true,
      value: "NAME=PATH",
      about: "A file of yours that should be the one of this name in the evidence. The flag once for each.",
    },
    witness: {
      multiple: true,
      value: "VKEY",
      about: "A witness whose cosignatures count. The flag once for each.",
    },
  },
  examples: [`${GUILDHALL} verify evidence-tsk_….json --key 'guildhall.example/log+…'`, `${GUILDHALL} verify tsk_…`],
  async run({ positionals, flags, output, settings, signal }) {
    const file = onlyArgument(positionals, `Which file or task? ${GUILDHALL} verify FILE`);
    const key = textOf(flags.key);
    const witnesses = flags.witness as string[] | undefined;
    const files = ((flags.file as string[] | undefined) ?? []).map(namedPath);
    const how = { json: flags.json === true, line: output.line };
    if (!/^tsk_\w{22}$/.test(file)) return verifyFile({ ...how, file, key, witnesses, files });
    if (witnesses || files.length > 0)
      throw new UsageError(`--witness and --file need a file: ${GUILDHALL} jobs evidence --task-id ${file} > FILE`);
    const { report } = await settings.client().evidence.prove(file, { signal, ...(key === undefined ? {} : { key }) });
    return showReport(report, how);
  },
};

export const logWatch: Special = {
  name: ["log", "watch"],
  about: "Watch a transparency log, and see whether it ever shows two histories",
  more: `Reads the log's checkpoint every 10 seconds and checks that each extends the one before. Without --key, the first key that is seen counts
from then on. The next watch continues from what was seen, which is kept under $XDG_STATE_HOME. Exit codes: 0 when you stop it, 3 on a fork,
1 if the key is not usable or has changed.`,
  usage: "URL [--key VKEY]",
  options: { key: { value: "VKEY", about: KEY } },
  examples: [
    `${GUILDHALL} log watch https://guildhall.example`,
    `${GUILDHALL} log watch https://guildhall.example --json > log.jsonl`,
  ],
  run({ positionals, flags, output, env, signal }) {
    const url = onlyArgument(positionals, `Which log? ${GUILDHALL} log watch URL`);
    return watchLog({ url, key: textOf(flags.key), json: output.isJson, env, signal, line: output.line });
  },
};

function namedPath(flag: string): { name: string; path: string } {
  const at = flag.indexOf("=");
  if (at < 1 || at === flag.length - 1)
    throw new UsageError("--file takes a name in the evidence and a path: NAME=PATH");
  return { name: flag.slice(0, at), path: flag.slice(at + 1) };
}
