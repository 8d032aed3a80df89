import { setTimeout as delay } from "node:timers/promises";
import { checkDatabase } from "#lib/admin/check/check.ts";
import { updateDatabase } from "#lib/boot/update-database.ts";
import { choosePlace } from "#lib/db/embedded/place.ts";
import { killServer } from "#lib/db/embedded/server.ts";
import { openEmbedded } from "#lib/db/embedded.ts";
import { withClient } from "#lib/db/with-client.ts";
import type { TestAgent } from "../factories.ts";
import { Writers } from "../writers.ts";
import { type Balancer, openBalancer } from "./balancer.ts";
import { type ApiProcess, request, startApiProcess } from "./processes.ts";
import { startReplica, type TestReplica } from "./replica.ts";

type Failover = {
  /** Writes that were acknowledged in all, and of these before the primary was killed. */
  acknowledged: number;
  acknowledgedBefore: number;
  /** Acknowledged writes of which the new primary knows nothing: their request IDs and steps. */
  lost: string[];
  /** Tasks that exist twice, or that no writer asked for. */
  surplus: number;
  /** Calls without an answer, and those that were told to try again. */
  unanswered: number;
  refused: number;
  /** From the death of the primary to the end of the promotion. */
  promotionSeconds: number;
  /** From the switch of the address until all three processes had written again. */
  recoverySeconds: number;
  /** What the check of the new primary found wrong. */
  problems: unknown[];
};

const PROCESSES = 3;

/**
 * Kills the primary of a synchronous pair under the load of careful clients of three processes, promotes the replica, and has the
 * address of the database lead to it.
 * @param folders two empty ones, for the primary and the replica
 * @param flows how many tasks are brought from creation to completion; each takes ten writes
 * @param agents registers the parties, with DATABASE_URL at the primary
 */
export async function failOver(
  [dir, copy]: [string, string],
  flows: number,
  agents: (url: string) => Promise<{ requester: TestAgent; provider: TestAgent }>,
  say: (line: string) => void = () => undefined,
): Promise<Failover> {
  const ends: (() => unknown)[] = [];
  try {
    const primary = await openEmbedded({ dir });
    ends.unshift(() => primary.close());
    await updateDatabase(primary.url, primary.ownerUrl);
    const parties = await agents(primary.url);
    const replica = await startReplica(primary, dir, copy);
    ends.unshift(() => replica.stop());
    await makeSynchronous(primary.superuserUrl());
    const address = { port: portOf(primary.url) as number | undefined };
    const balancer = await openBalancer(() => address.port);
    ends.unshift(() => balancer.close());
    const DATABASE_URL = Object.assign(new URL(primary.url), { port: String(balancer.port) }).href;
    const processes = await Promise.all(
      Array.from({ length: PROCESSES }, () => startApiProcess({ DATABASE_URL }, { worker: true })),
    );
    ends.unshift(() => Promise.all(processes.map((each) => each.stop())));
    say(`${PROCESSES} processes serve; ${flows} tasks are under way`);
    return await drill({ dir, replica, address, balancer, processes, parties, flows, say });
  } finally {
    for (const end of ends) await end();
  }
}

type Stage = {
  dir: string;
  replica: TestReplica;
  address: { port: number | undefined };
  balancer: Balancer;
  processes: ApiProcess[];
  parties: { requester: TestAgent; provider: TestAgent };
  flows: number;
  say(line: string): void;
};

async function drill(stage: Stage): Promise<Failover> {
  const { dir, replica, address, balancer, processes, parties, flows, say } = stage;
  const all = processes.map(({ url }) => new Writers(url, parties));
  const acknowledged = () => all.reduce((sum, writers) => sum + writers.acknowledged.length, 0);
  const working = Promise.all(all.map((writers) => writers.run(flows / PROCESSES, 4)));
  working.catch(() => undefined);
  while (acknowledged() < flows * 4) await Promise.race([delay(10), working]);
  const acknowledgedBefore = acknowledged();
  const died = performance.now();
  address.port = undefined;
  await killServer(choosePlace(dir, () => undefined));
  balancer.cut();
  say(`the primary was killed after ${acknowledgedBefore} acknowledged writes`);
  await replica.promote();
  const promoted = performance.now();
  // Nobody writes now, so whatever was acknowledged must be there already.
  const { lost } = await compare(replica.url, all);
  const switched = performance.now();
  address.port = portOf(replica.url);
  say("the replica was promoted, and the address leads to it");
  await Promise.all(processes.map(({ url }) => writesAgain(url, parties.requester)));
  const recovered = performance.now();
  say("all processes write again");
  await working;
  const { lost: lostLater, tasks } = await compare(replica.url, all);
  await allPlaced(replica.url);
  const { checks } = await checkDatabase(replica.url);
  return {
    acknowledged: acknowledged(),
    acknowledgedBefore,
    lost: [...lost, ...lostLater],
    surplus: tasks - flows,
    unanswered: all.reduce((sum, { unanswered }) => sum + unanswered, 0),
    refused: all.reduce((sum, { statuses }) => sum + (statuses.get(503) ?? 0), 0),
    promotionSeconds: (promoted - died) / 1000,
    recoverySeconds: (recovered - switched) / 1000,
    problems: checks.filter(({ ok }) => !ok),
  };
}

const portOf = (url: string) => Number(new URL(url).port);

/** From here on, a commit is acknowledged when the replica has it on disk, too. */
async function makeSynchronous(superuserUrl: string): Promise<void> {
  await withClient(superuserUrl, async (client) => {
    await client.query("ALTER SYSTEM SET synchronous_standby_names = 'replica'");
    await client.query("SELECT pg_reload_conf()");
    const state = "SELECT FROM pg_stat_replication WHERE sync_state = 'sync'";
    while ((await client.query(state)).rowCount === 0) await delay(50);
  });
}

async function writesAgain(url: string, { token, publicId }: TestAgent): Promise<void> {
  const fields = { public_id: publicId, health_status: "available" };
  for (;;) {
    const answer = await request(url, "POST", "agents/heartbeat.php", { token, fields }).catch(() => undefined);
    if (answer?.status === 200) return;
    await delay(50);
  }
}

const STATES = ["open", "claimed", "proposed", "accepted", "in_progress", "submitted", "completed"];

type Row = { key: string; state: string; accepted: boolean; funded: boolean; paid: boolean };

/** What must be there once a write was acknowledged. */
const PROOFS: Record<string, (row: Row) => boolean> = {
  create: () => true,
  claim: ({ state }) => STATES.indexOf(state) >= 1,
  propose: ({ state }) => STATES.indexOf(state) >= 2,
  accept_requester: ({ accepted }) => accepted,
  accept_provider: ({ state }) => STATES.indexOf(state) >= 3,
  fund: ({ funded }) => funded,
  confirm: ({ paid }) => paid,
  start: ({ state }) => STATES.indexOf(state) >= 4,
  submit: ({ state }) => STATES.indexOf(state) >= 5,
  complete: ({ state }) => STATES.indexOf(state) >= 6,
};

/** The acknowledged writes that a database knows nothing of, and how many tasks it has. */
async function compare(url: string, all: Writers[]): Promise<{ lost: string[]; tasks: number }> {
  const { rows } = await withClient(url, (client) =>
    client.query<Row>(
      `SELECT t.client_request_id AS key, t.state, coalesce(bool_or(c.requester_accepted_at IS NOT NULL), false) AS accepted,
       count(p.id) > 0 AS funded, coalesce(bool_or(p.status = 'succeeded'), false) AS paid
     FROM tasks t LEFT JOIN contracts c ON c.task_id = t.id LEFT JOIN payments p ON p.contract_id = c.id GROUP BY t.id`,
    ),
  );
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const acknowledged = all.flatMap((writers) => writers.acknowledged);
  const lost = acknowledged.filter(({ flow, verb }) => {
    const row = byKey.get(flow);
    return !row || !PROOFS[verb]?.(row);
  });
  return { lost: lost.map(({ flow, verb }) => `${flow} ${verb}`), tasks: rows.length };
}

async function allPlaced(url: string): Promise<void> {
  const waiting = `SELECT FROM audit_events e
    WHERE e.type IS NOT NULL AND NOT EXISTS (SELECT FROM event_positions p WHERE p.seq = e.seq)`;
  await withClient(url, async (client) => {
    while ((await client.query(waiting)).rowCount) await delay(100);
  });
}
