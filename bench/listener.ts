import { createServer } from "node:http";
import { apiListener } from "#lib/api/listener.ts";
import { env } from "#lib/kernel/env.ts";
import { startRecord } from "#lib/record/record.ts";

// The API and the record, without pages and background work, for looking at it by itself (`npm run bench -- --listener`).
startRecord();
const server = createServer(apiListener());
// Longer than a load leaves a connection idle while the bare server has its turn.
server.keepAliveTimeout = 60_000;
server.listen(env().port, "127.0.0.1");
process.once("SIGTERM", () => process.exit());
