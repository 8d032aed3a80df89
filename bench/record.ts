import type { Bench } from "./bench.ts";
import { answerCase, type Case, claimCase, createCase } from "./cases.ts";
import type { DataSet } from "./data.ts";
import { type Running, startRecordService } from "./processes.ts";
import { median, round } from "./statistics.ts";
import { RECORD_LOST_PERCENT } from "./targets.ts";
import { type Load, measureLoad } from "./throughput.ts";

/*
 * What the record's background work costs the verbs that write events: one service without it, one with the sequencer, and one with all of
 * it (sequencer, transparency log, webhooks and signing) take the same calls in turn. What a verb itself writes for the record, in its
 * own transaction, is part of all three: the throughput part compares it with a bare server that writes the same rows.
 */

const WORK = ["none", "sequencer", "all"] as const;
type Work = (typeof WORK)[number];
type Installation = { data: DataSet; service: Running; cases: Case[] };

/** By then, what a turn wrote has its positions and is in the log. */
const SETTLE_MS = 700;
const SECONDS = 1;

export async function measureRecord(bench: Bench): Promise<void> {
  const start = async (work: Work): Promise<Installation> => {
    const data = await bench.open("mixed", `record-${work}`);
    const service = await bench.start(data, (opened) => startRecordService(opened, work));
    return { data, service, cases: [createCase(data), claimCase(data), answerCase(data)] };
  };
  const installations = { none: await start("none"), sequencer: await start("sequencer"), all: await start("all") };
  for (const [at, { name }] of installations.none.cases.entries()) {
    const loads: Record<Work, Load[]> = { none: [], sequencer: [], all: [] };
    // The first turn warms up.
    for (let turn = 0; turn <= bench.plan.recordTurns; turn += 1)
      for (const work of [...WORK.slice(turn % 3), ...WORK.slice(0, turn % 3)]) {
        const measured = await measureCase(installations[work], at);
        if (turn > 0) loads[work].push(measured);
      }
    addCost(bench, name, loads);
  }
}

async function measureCase({ data, service, cases }: Installation, at: number): Promise<Load> {
  const one = cases[at];
  if (!one) throw new Error(`There is no case ${at}.`);
  await one.prepare?.(service);
  return measureLoad(service, data, one.service, { seconds: SECONDS, calls: one.calls, settleMs: SETTLE_MS });
}

function addCost(bench: Bench, name: string, loads: Record<Work, Load[]>): void {
  const cpu = ({ cpu: { service, database } }: Load) => service + database;
  // Other work of the machine changes slowly, so it affects the calls of one turn alike.
  const times = (work: Work, of: (load: Load) => number) =>
    median(loads[work].map((load, turn) => of(load) / of(loads.none[turn] ?? load)));
  const lost = (work: Work) => round((1 - times(work, ({ rate }) => rate)) * 100, 1);
  const change = (work: Work) => `${lost(work) < 0 ? "+" : "−"} ${Math.abs(lost(work))} %`;
  const describe = (work: Work) => {
    const microseconds = Math.round(median(loads[work].map(cpu)));
    return work === "none"
      ? `${microseconds} µs without`
      : `${work === "all" ? "all of it" : "sequencer"} ${microseconds} µs, rate ${change(work)}`;
  };
  bench.add({
    figure: `record: ${name}`,
    measured: WORK.map(describe).join("; "),
    target: `sequencer: rate − < ${RECORD_LOST_PERCENT} %`,
    isMet: lost("sequencer") < RECORD_LOST_PERCENT,
  });
}
