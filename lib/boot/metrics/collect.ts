import { collectDefaultMetrics, Gauge } from "prom-client";
import { heldByReason } from "#lib/admin/page-reads/money.ts";
import { pool } from "#lib/db/client.ts";
import { replicaLagMs } from "#lib/db/replica.ts";
import { cachedRead } from "#lib/kernel/cached-read.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { env } from "#lib/kernel/env.ts";
import { log } from "#lib/kernel/log.ts";
import { metrics } from "#lib/kernel/metrics.ts";
import { readLatestSolvency, readOpenTransfers } from "#lib/payments/read.ts";
import { isSigningSetUp } from "#lib/record/log/signing-setup.ts";
import { openStreams } from "#lib/record/stream.ts";
import { readUnplacedEvents } from "#lib/record/unplaced-events.ts";
import { lastBackup } from "../backup/nightly.ts";
import * as read from "./read.ts";

/** How long values are reused, however many collect them; and those that need a whole table. */
const FRESH_MS = 5_000;
const SLOW_MS = 60_000;
/** The most open transfers that are counted by what holds them. */
const MOST_TRANSFERS = 1_000;

type Row = { labels?: Record<string, string>; value: number };

/** Adds the gauges whose values are read at each scrape: from the process, the pool and the database. */
export function collectMetrics(): void {
  const { registry } = metrics();
  if (registry.getSingleMetric("guildhall_up")) return;
  collectDefaultMetrics({ register: registry });
  // Before anything asks the database for the others.
  gauge(
    "guildhall_database_connections",
    "Connections of this process's pool, by state (busy or idle).",
    ["state"],
    () => {
      const { totalCount, idleCount } = pool();
      return [
        { labels: { state: "busy" }, value: totalCount - idleCount },
        { labels: { state: "idle" }, value: idleCount },
      ];
    },
  );
  gauge("guildhall_database_waiting", "Requests for a connection that wait because the whole pool is busy.", [], () => [
    { value: pool().waitingCount },
  ]);
  gauge("guildhall_up", "1 if the database answered while these metrics were collected, otherwise 0.", [], async () => [
    { value: (await isUp()) ? 1 : 0 },
  ]);
  gauge("guildhall_streams_open", "Streams of events that are open in this process.", [], () => [
    { value: openStreams() },
  ]);
  if (env().databaseReplicaUrl !== undefined)
    gauge(
      "guildhall_replica_lag_seconds",
      "Age of the newest state that the replica certainly has; +Inf while it cannot be used. From 5 on, it is not used.",
      [],
      () => [{ value: replicaLagMs() / 1000 }],
    );
  if (env().files) collectFiles();
  collectQueues();
  collectRecord();
  collectMoney();
  gauge(
    "guildhall_backup_timestamp_seconds",
    "When the newest nightly backup was finished, in seconds since 1970.",
    [],
    () => {
      const at = lastBackup();
      return at ? [{ value: at.getTime() / 1000 }] : [];
    },
  );
}

function collectFiles(): void {
  gauge("guildhall_files_bytes", "Bytes of all files of tasks, uploads under way included.", [], async () => {
    const [total] = await cachedRead("metrics: files", FRESH_MS, read.readFileBytes);
    return [{ value: Number(total?.bytes ?? 0) }];
  });
  gauge("guildhall_files_limit_bytes", "What they may take (FILES_MAX_BYTES).", [], () => [
    { value: env().filesMaxBytes },
  ]);
}

function collectQueues(): void {
  const jobs = () => cachedRead("metrics: jobs", FRESH_MS, read.readJobs);
  gauge(
    "guildhall_jobs",
    "Background jobs by kind and state: planned, due, running, failing (will be retried), failed.",
    ["kind", "state"],
    async () => (await jobs()).map(({ kind, state, count }) => ({ labels: { kind, state }, value: count })),
  );
  gauge(
    "guildhall_job_oldest_due_seconds",
    "How long the oldest job of a kind has been due without running.",
    ["kind"],
    async () => {
      const oldest = new Map<string, number>();
      for (const { kind, oldestMs } of await jobs())
        oldest.set(kind, Math.max(oldest.get(kind) ?? 0, Number(oldestMs ?? 0) / 1000));
      return [...oldest].map(([kind, value]) => ({ labels: { kind }, value }));
    },
  );
  const webhooks = () => cachedRead("metrics: webhooks", FRESH_MS, read.readDueWebhooks);
  gauge(
    "guildhall_webhooks",
    "Webhooks by state: idle, pending (events to deliver), failing, disabled.",
    ["state"],
    async () => (await webhooks()).map(({ state, count }) => ({ labels: { state }, value: count })),
  );
  const domains = () => cachedRead("metrics: domains", SLOW_MS, read.readDomains);
  gauge("guildhall_identities", "Identities by the state of their domain.", ["domain_status"], async () =>
    (await domains()).map(({ status, count }) => ({ labels: { domain_status: status }, value: count })),
  );
}

function collectRecord(): void {
  const waiting = () => cachedRead("metrics: waiting", FRESH_MS, readUnplacedEvents);
  gauge(
    "guildhall_sequencer_waiting_events",
    "Events that have no position yet; at most 10,000 are counted.",
    [],
    async () => (await waiting()).map((row) => ({ value: row.waiting })),
  );
  gauge("guildhall_sequencer_lag_seconds", "Age of the oldest event without a position.", [], async () =>
    (await waiting()).map(({ oldestMs }) => ({ value: Number(oldestMs ?? 0) / 1000 })),
  );
  const position = () => cachedRead("metrics: position", FRESH_MS, read.readPosition);
  gauge("guildhall_events_position", "The last position in the feed of events.", [], async () =>
    (await position()).map((row) => ({ value: Number(row.position) })),
  );
  const state = () => cachedRead("metrics: state", FRESH_MS, read.readLogState);
  gauge("guildhall_log_size", "Entries in the transparency log.", [], async () =>
    (await state()).map(({ size }) => ({ value: Number(size) })),
  );
  gauge("guildhall_log_unsigned", "Log entries that no checkpoint covers yet.", [], async () =>
    (await state()).map(({ size, signed }) => ({ value: Number(size) - Number(signed) })),
  );
  gauge("guildhall_log_checkpoint_age_seconds", "Age of the last checkpoint.", [], async () =>
    (await state()).flatMap(({ ageMs }) => (ageMs === null ? [] : [{ value: Number(ageMs) / 1000 }])),
  );
  gauge("guildhall_log_refused", "1 if nothing is entered into the log or signed; /readyz says why.", [], async () =>
    // A log that was never to be signed here needs no alarm.
    (await state()).map(({ vkey, refused, stalled }) => ({
      value: stalled || (refused && (vkey !== null || isSigningSetUp())) ? 1 : 0,
    })),
  );
}

function collectMoney(): void {
  const differences = () => cachedRead("metrics: differences", FRESH_MS, read.readDifferences);
  gauge("guildhall_money_differences", "Open differences between the books and Stripe, by kind.", ["kind"], async () =>
    (await differences()).map(({ kind, count }) => ({ labels: { kind }, value: count })),
  );
  if (!env().stripe) return;
  const held = () =>
    cachedRead("metrics: held", SLOW_MS, async () =>
      heldByReason(await readOpenTransfers(MOST_TRANSFERS), systemClock.now()),
    );
  gauge(
    "guildhall_money_held_pence",
    "LIVE money in held transfers, by what holds them, in pence.",
    ["reason"],
    async () => (await held()).map(({ reason, pence }) => ({ labels: { reason }, value: pence })),
  );
  gauge("guildhall_money_held_transfers", "Held LIVE transfers, by what holds them.", ["reason"], async () =>
    (await held()).map(({ reason, count }) => ({ labels: { reason }, value: count })),
  );
  const solvency = () => cachedRead("metrics: solvency", FRESH_MS, readLatestSolvency);
  gauge(
    "guildhall_money_shortfall_pence",
    "What the platform's balance at Stripe lacks to pay what is owed, in pence.",
    [],
    async () => {
      const latest = await solvency();
      return latest ? [{ value: latest.shortfallPence }] : [];
    },
  );
}

/** A gauge whose rows are read again each time. What cannot be read is left out, so that the rest can be collected. */
function gauge(name: string, help: string, labelNames: string[], rows: () => Row[] | Promise<Row[]>): void {
  new Gauge({
    name,
    help,
    labelNames,
    registers: [metrics().registry],
    async collect() {
      this.reset();
      // Without labels, a reset gauge would say 0.
      if (labelNames.length === 0) this.remove();
      try {
        for (const { labels = {}, value } of await rows()) this.set(labels, value);
      } catch (error) {
        log().debug({ err: (error as Error).message, metric: name }, "a metric could not be read");
      }
    },
  });
}

async function isUp(): Promise<boolean> {
  return pool()
    .query("SELECT")
    .then(
      () => true,
      () => false,
    );
}
