import { createServer } from "node:http";
import { apiListener } from "#lib/api/listener.ts";
import { keepSession } from "#lib/db/session.ts";
import { env } from "#lib/kernel/env.ts";
import { startSigning } from "#lib/record/log/signing-loop.ts";
import { startRecord } from "#lib/record/record.ts";
import { sequence } from "#lib/record/sequence.ts";
import { CHANNEL } from "#lib/record/tail.ts";
import { startDispatcher } from "#lib/record/webhooks/deliver.ts";

// The API with as much of the record's background work as RECORD_WORK says: none, the sequencer alone, or all of it.
const { RECORD_WORK: work } = process.env;
if (work === "sequencer")
  keepSession({
    channel: CHANNEL,
    onNotification: () => undefined,
    work: (session, signal) => sequence(session, signal, () => undefined),
  });
if (work === "all") {
  startRecord();
  startDispatcher();
  await startSigning();
}
createServer(apiListener()).listen(env().port, "127.0.0.1");
process.once("SIGTERM", () => process.exit());
