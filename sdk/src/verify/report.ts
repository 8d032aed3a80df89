import { parseVkey, SIGNATURE_TYPES, type Vkey } from "../tlog/note.ts";
import type { FileLine } from "./files.ts";

// `proved`: every entry is in the log of the key that the reader gave. `consistent`: everything fits together, but the key came
// from the file itself, or an entry is not covered by a checkpoint yet. `broken`: something does not fit, or the file is from
// another log than the key's. `unreadable`: not an evidence file, or the given key is not a key. In texts for people a statement
// of the file is a log entry, because parties make statements in disputes.
/** Only `proved` means that the log has all of it; `consistent` is without the reader's key, or not all logged yet. */
export type Verdict = "proved" | "consistent" | "broken" | "unreadable";

export type StatementLine = {
  n: number;
  words: string;
  at: string | null;
  /** `broken`: the entry, its place in the chain or its proof was changed. */
  state: "in_log" | "waiting" | "erased" | "broken";
};

/** Who dealt with whom about how much, as the last entries say; null where they do not. */
export type DealLine = {
  requester: string | null;
  provider: string | null;
  amount_pence: number | null;
  payment_mode: string | null;
};

/** What an evidence file shows, in words. Texts may hold what users wrote. */
export type Report = {
  verdict: Verdict;
  summary: string;
  chain: string | null;
  log: { origin: string; vkey: string | null; key_given: boolean } | null;
  tree_size: number | null;
  deal: DealLine | null;
  statements: StatementLine[];
  files: FileLine[];
  proved: string[];
  asserted: string[];
  not_proved: string[];
  problems: string[];
};

export type VerifyOptions = {
  /** The log's verifier key, not taken from the file. */
  key?: string | undefined;
  witnesses?: readonly string[] | undefined;
  /** Hashes (sha256: and 64 hexadecimal digits) of files that you have, by the names that the evidence gives them. */
  files?: Readonly<Record<string, string>> | undefined;
};

const NOT_PROVED = [
  "That the result is good, or that anything happened outside the platform.",
  "That nothing came after the last entry shown here.",
];

/** @internal */
export function report(verdict: Verdict, parts: Partial<Report>): Report {
  return {
    verdict,
    summary: "",
    chain: null,
    log: null,
    tree_size: null,
    deal: null,
    statements: [],
    files: [],
    proved: [],
    asserted: [],
    problems: [],
    ...parts,
    not_proved: verdict === "unreadable" ? [] : [...(parts.not_proved ?? []), ...NOT_PROVED],
  };
}

/** @internal Undefined if the text is not the verifier key of a log; white space around it is ignored. */
export function readLogKey(text: string): Vkey | undefined {
  const key = parseVkey(text.trim());
  return key?.type === SIGNATURE_TYPES.note ? key : undefined;
}

/** @internal Undefined if the text is not the verifier key of a witness. */
export function readWitnessKey(text: string): Vkey | undefined {
  const key = parseVkey(text.trim());
  return key?.type === SIGNATURE_TYPES.cosignature ? key : undefined;
}
