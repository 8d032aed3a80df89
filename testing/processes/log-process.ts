import { setTimeout as delay } from "node:timers/promises";
import { pool } from "#lib/db/client.ts";
import { startSigning } from "#lib/record/log/signing-loop.ts";
import { startRecord } from "#lib/record/record.ts";
import { writeStatements } from "../log/statements.ts";

// A process that writes statements, enters them and signs, until it is killed: for tests of what a kill leaves behind.

startRecord();
await startSigning();
process.stdout.write("signing\n");
for (let round = 0; ; round += 1) {
  await writeStatements(pool(), { count: 40, chains: 7, prefix: `tsk_${process.pid}x${round}x` });
  await delay(20);
}
