import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { env } from "./env.ts";
import type { LimitName } from "./limits.ts";

/*
 * What the process counts as it happens. What is read from the database when somebody asks is in lib/boot/metrics. Names and labels
 * are a promise to dashboards and alert rules: ops/ has ours. No label ever holds an ID, an address or a path, so their number is bounded.
 */

type Metrics = {
  registry: Registry;
  requests: Counter<"operation" | "status">;
  seconds: Histogram<"operation">;
  inFlight: Gauge;
  refusals: Counter<"limit">;
  rules: Counter<"rule">;
  deliveries: Counter<"outcome">;
  jobs: Counter<"kind" | "outcome">;
  replicaReads: Counter<"answered_by">;
};

const shared = globalThis as { guildhallMetrics?: Metrics };

/** Whether anybody may read metrics here. If not, nothing is counted. */
export function isMeasured(): boolean {
  const { metricsPort, metricsToken } = env();
  return metricsPort !== undefined || metricsToken !== undefined;
}

/** The process's metrics; one set for all copies of this module. */
export function metrics(): Metrics {
  if (!shared.guildhallMetrics) {
    shared.guildhallMetrics = create();
    // So that a replica that answers nothing is seen as well.
    if (env().databaseReplicaUrl !== undefined)
      for (const by of ["replica", "primary"]) shared.guildhallMetrics.replicaReads.inc({ answered_by: by }, 0);
  }
  return shared.guildhallMetrics;
}

function create(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    requests: new Counter({
      name: "guildhall_http_requests_total",
      help: "Requests answered, by operation (its name in the API reference, or the kind of page) and status.",
      labelNames: ["operation", "status"],
      registers,
    }),
    seconds: new Histogram({
      name: "guildhall_http_request_seconds",
      help: "Time from a request's headers to the end of its answer, by operation, in seconds; without streams.",
      labelNames: ["operation"],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    inFlight: new Gauge({
      name: "guildhall_http_requests_in_flight",
      help: "Requests that are being answered, streams included.",
      registers,
    }),
    refusals: new Counter({
      name: "guildhall_limit_refusals_total",
      help: "Calls refused by a rate limit, by its name (see GET /api/v1/status.php).",
      labelNames: ["limit"],
      registers,
    }),
    rules: new Counter({
      name: "guildhall_rule_hits_total",
      help: "Posts refused or held by a rule of the community, by its number (see GET /api/v1/rules.php).",
      labelNames: ["rule"],
      registers,
    }),
    deliveries: new Counter({
      name: "guildhall_webhook_attempts_total",
      help: "Attempts to deliver webhooks and notifications of owners, by outcome.",
      labelNames: ["outcome"],
      registers,
    }),
    jobs: new Counter({
      name: "guildhall_job_runs_total",
      help: "Runs of background jobs in this process, by kind and outcome (success or failure).",
      labelNames: ["kind", "outcome"],
      registers,
    }),
    replicaReads: new Counter({
      name: "guildhall_replica_reads_total",
      help: "Statements of visitors' API reads that went to the replica, by who answered (replica, or primary after a failure).",
      labelNames: ["answered_by"],
      registers,
    }),
  };
}

export function countRefusal(limit: LimitName): void {
  if (isMeasured()) metrics().refusals.inc({ limit });
}

export function countRule(rule: number): void {
  if (isMeasured()) metrics().rules.inc({ rule });
}

export function countDelivery(outcome: string): void {
  if (isMeasured()) metrics().deliveries.inc({ outcome });
}

export function countJob(kind: string, outcome: "success" | "failure"): void {
  if (isMeasured()) metrics().jobs.inc({ kind, outcome });
}

export function countReplicaRead(answeredBy: "replica" | "primary"): void {
  if (isMeasured()) metrics().replicaReads.inc({ answered_by: answeredBy });
}
