import type { AddressInfo } from "node:net";
import { apiListener } from "#lib/api/listener.ts";
import { startJobs } from "#lib/boot/background.ts";
import { listen } from "#lib/boot/front/address.ts";
import { closeHttp, createHttp } from "#lib/boot/front/http.ts";
import { closeDatabase } from "#lib/db/client.ts";
import { endFollowers } from "#lib/record/follow.ts";
import { startRecord } from "#lib/record/record.ts";

// One process of the service without its pages, for tests that need several, or one to kill: the API over HTTP on a free
// port of 127.0.0.1 (or on API_SERVER_PORT) and, with `--worker`, the background work. Prints its port; ends when its standard input ends.

const record = startRecord();
const worker = process.argv.includes("--worker") ? await startJobs() : undefined;
const http = createHttp(apiListener(), (_request, response) => response.writeHead(404).end());
await listen(http, { host: "127.0.0.1", port: Number(process.env.API_SERVER_PORT ?? 0) });
process.stdout.write(`${(http.address() as AddressInfo).port}\n`);

process.stdin.resume().once("end", async () => {
  endFollowers();
  await closeHttp(http);
  await worker?.stop();
  await record.stop();
  await closeDatabase();
  process.exit(0);
});
