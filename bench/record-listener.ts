import { createServer } from "node:http";
import { apiListener } from "#lib/api/listener.ts";
import { env } from "#lib/kernel/env.ts";
import { startSigning } from "#lib/record/log/signing-loop.ts";
import { startRecord } from "#lib/record/record.ts";
import { startDispatcher } from "#lib/record/webhooks/dispatcher.ts";

// The API with everything that follows the events of a process, or with a part of that left out (`without-record.ts`).
const { BENCH_WITHOUT: without } = process.env;
if (without !== "feed") {
  startRecord();
  startDispatcher();
  if (without !== "log") await startSigning();
}
createServer(apiListener()).listen(env().port, "127.0.0.1");
process.once("SIGTERM", () => process.exit());
