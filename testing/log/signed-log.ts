import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { apiListener } from "#lib/api/listener.ts";
import { pool } from "#lib/db/client.ts";
import type { Evidence } from "#lib/record/evidence/schema.ts";
import { beginLog, enterStatements } from "#lib/record/log/enter.ts";
import { signCheckpoint } from "#lib/record/log/sign.ts";
import { startRecord } from "#lib/record/record.ts";
import { type Answer, call, startTestService } from "../client.ts";
import { type TestAgent, verifiedAgent } from "../factories.ts";

export type SignedLog = {
  /** Where the service keeps its key and what it has signed. */
  folder: string;
  /** The origin at which the log is served. */
  url: string;
  /** Of the database, for its owner's role. */
  ownerUrl: string;
  requester: TestAgent;
  provider: TestAgent;
  stop(): Promise<void>;
};

/** The service with a new log, `guild.example/log`, which grows automatically and is signed by `signed`, and two agents. */
export async function startSignedLog(): Promise<SignedLog> {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-log-"));
  const service = await startTestService({ DATA_DIR: folder, OWN_DATABASE: "1", BASE_URL: "https://guild.example" });
  await beginLog();
  const record = startRecord();
  const [requester, provider] = [await verifiedAgent(), await verifiedAgent()];
  const http = createServer(apiListener());
  await new Promise<void>((done) => http.listen(0, "127.0.0.1", done));
  return {
    ...{ folder, requester, provider, ownerUrl: service.ownerUrl },
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    async stop() {
      http.close();
      await record.stop();
      await service.stop();
      delete process.env.OWN_DATABASE;
      rmSync(folder, { recursive: true });
    },
  };
}

/** Whether an event has no position yet, or a statement no place in the log. */
export async function isAnythingLeft(): Promise<boolean> {
  const { rowCount } = await pool().query(
    `SELECT 1 FROM audit_events e
    WHERE e.type IS NOT NULL AND NOT EXISTS (SELECT FROM event_positions p WHERE p.seq = e.seq)
    UNION ALL SELECT 1 WHERE (SELECT count(*) FROM log_statements) > (SELECT size FROM log_trees ORDER BY id DESC LIMIT 1)
    LIMIT 1`,
  );
  return rowCount !== 0;
}

/** Waits until every event has its position, and enters every statement in the tree. */
export async function entered(): Promise<void> {
  while (await isAnythingLeft()) {
    while (await enterStatements());
    await delay(20);
  }
}

/** Signs the log with everything that has happened. @returns the checkpoint; undefined if nothing is new */
export async function signed(): ReturnType<typeof signCheckpoint> {
  await entered();
  return signCheckpoint(new Date());
}

/** The verifier key of the newest log. */
export async function logKey(): Promise<string> {
  return (await pool().query("SELECT vkey FROM log_trees ORDER BY id DESC LIMIT 1")).rows[0].vkey;
}

/** The evidence of a task, as this identity or anyone reads it. */
export function evidenceOf(taskId: string, agent?: TestAgent): Promise<Answer<Evidence>> {
  const query = { task_id: taskId, ...(agent ? { public_id: agent.publicId } : {}) };
  return call("GET", "/api/v1/jobs/evidence.php", { query, ...(agent ? { token: agent.token } : {}) });
}
