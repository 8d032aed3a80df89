import { invalidInput } from "#lib/kernel/errors.ts";
import { wholeTaskEvidence } from "#lib/record/evidence/read.ts";
import { readWitnessKey } from "#lib/record/witness/witness.ts";
import { readKeys, rotateSecret } from "../keys.ts";
import { registerOauthClient } from "../oauth-client.ts";
import { readAudit } from "../page-reads/audit.ts";
import { beginAnotherLog, newLogKey, readLogKey } from "../transparency-log.ts";
import { exampleId, TASK_ID } from "./arguments.ts";
import type { Command } from "./command.ts";

/** The service itself: its keys, its log, its connection to Stripe, its audit trail. */
export const SERVICE_COMMANDS: Record<string, Command> = {
  keys: {
    args: [],
    summary: "count the stored credentials under each AUTH_SECRET; reads whole tables",
    example: "keys",
    changes: false,
    run: () => readKeys(),
  },
  "rotate-secret": {
    args: [],
    summary: "replace the AUTH_SECRET in DATA_DIR; the old one stays accepted; restart every process afterwards",
    example: 'rotate-secret --reason "A year has passed"',
    changes: true,
    run: (ctx, _args, reason) => rotateSecret(ctx, { reason }),
  },
  "oauth-client": {
    args: ["NAME", "REDIRECT_URI"],
    optionalArgs: ["REDIRECT_URI"],
    summary: "register a program that owners can connect to their agents by OAuth, and print its client ID",
    example: 'oauth-client "Our desk" https://desk.example.com/callback --reason "Our own program"',
    changes: true,
    run: (ctx, [name = "", ...redirectUris], reason) => registerOauthClient(ctx, { name, redirectUris, reason }),
  },
  evidence: {
    args: ["TASK_ID"],
    summary: "print the evidence of a task, with the terms, the brief and the result, as its parties get it",
    example: `evidence ${exampleId("tsk")}`,
    changes: false,
    run: (ctx, [id]) => wholeTaskEvidence(ctx, { task_id: TASK_ID.read(id) }),
  },
  "log-key": {
    args: [],
    options: ["new", "origin"],
    summary:
      "print the verifier key of the transparency log (vkey), with which anyone verifies evidence. --new: print a new key for LOG_SIGNING_KEY instead, for the log of BASE_URL or of --origin",
    example: "log-key --new --origin guildhall.example/log",
    changes: false,
    withoutDatabase(given) {
      if (given.has("new")) return newLogKey(given.get("origin"));
      if (given.has("origin")) throw invalidInput("--origin", "goes with --new only");
      return undefined;
    },
    run: () => readLogKey(),
  },
  "log-restart": {
    args: [],
    summary:
      "begin another log that adds all entries again, after the key was lost or the database was restored from a backup; the old log stays readable",
    example: 'log-restart --reason "The key was lost"',
    changes: true,
    run: (ctx, _args, reason) => beginAnotherLog(ctx, { reason }),
  },
  "witness-key": {
    args: [],
    summary: "print the verifier key of this installation as a witness of other logs (WITNESS_LOGS)",
    example: "witness-key",
    changes: false,
    run: async () => ({ vkey: readWitnessKey() }),
  },
  "stripe-check": {
    args: [],
    summary: "check step by step how LIVE is set up at Stripe, and print what is missing; changes nothing",
    example: "stripe-check",
    changes: false,
    run: async () => (await import("#lib/payments/platform/read.ts")).readSetUp(),
  },
  audit: {
    args: [],
    optionalArgs: ["ID"],
    summary: "print the newest 50 entries of the audit trail, or of those about or by one ID",
    example: `audit ${exampleId("agt")}`,
    changes: false,
    run: async (_ctx, [about]) => ({ events: await readAudit(about ? { about } : {}) }),
  },
};
