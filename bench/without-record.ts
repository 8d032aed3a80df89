import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/*
 * Loaded before the service (`node --import`), this takes the record out of it, so that what the record costs can be measured
 * (`npm run bench -- --only record`). BENCH_WITHOUT=log leaves out the transparency log; BENCH_WITHOUT=feed leaves out the log and
 * everything that was added to the audit trail for the feed of events. It cuts pieces out of the sources as they are loaded; a piece that
 * is no longer found stops the process.
 */

type Cut = [from: RegExp, to: string];
type Part = "log" | "feed";

const CUTS: Record<Part, Record<string, Cut[]>> = {
  log: {
    "lib/db/audit.ts": [
      [/entry\.event\?\.log \? recordStated : recordAlone/, "recordAlone"],
      [/if \(!hasStatement\) return recorded;/, "if (true) return recorded;"],
      [/if \(!event\?\.log\) return values;/, "if (true) return values;"],
    ],
    "lib/tasks/create.ts": [
      [/ {2}logHead: "text",\n {2}logTail: "text",\n {2}logTextSalt: "text",\n {2}logOrigin: "text",\n/, ""],
      [/, stated AS \([\s\S]*?\n {3}\)\n {3}SELECT/, "\n   SELECT"],
      [/ {4}\.\.\.logValues\(task\),\n/, ""],
    ],
    "lib/record/record.ts": [[/keepEntering\(\)/, "{ wake() {}, async stop() {} }"]],
  },
  feed: {
    "lib/db/audit.ts": [
      [/ROW\.map\(/, "ROW.slice(0, 10).map("],
      [/, event\?\.type, event\?\.taskId\]/, "]"],
      [/ {4}\.\.\.\[event && recipientList.*\n/, ""],
      [/ {4}\.\.\.\(entry\.event && eventColumns\(entry\.event\)\),\n/, ""],
    ],
    "lib/tasks/create.ts": [
      [/,\n\s+type, task_id, recipients, event_data\)/, ")"],
      [/,\n\s+event\.type, given\.id, ARRAY\[event\.recipient\], "eventData"/, ""],
      [/,\n\s+\(2, "selectionId".*\n/, "\n"],
      [/ {2}selectionId: "text",\n/, ""],
      [/ {2}eventData: "jsonb",\n/, ""],
      [/RETURNING seq, type, task_id/, "RETURNING seq"],
      [/ {4}selectionId: newId\("evt"\),\n/, ""],
      [/ {4}eventData: JSON\.stringify.*\n/, ""],
    ],
    "lib/community/actions/publish.ts": [
      [/, events AS MATERIALIZED \([\s\S]*?\n {3}\)/, ""],
      [/, event_seq, event_id, actor_kind, actor_id, request_id\)/, ")"],
      [/,\n\s+CASE notice\.kind .*/, ""],
      [/FROM events, unnest\(.*/, "FROM made, unnest($12::text[], $18::text[]) AS notice (recipient, kind)"],
      [/ {2}const events = .*\n/, ""],
      [/\[actor\.kind, requestId, (notices.*), notices.*\],/, "[notices.map(({ kind }) => kind)],"],
    ],
    "lib/record/record.ts": [
      [/const session = keepSession\(/, "const session = ((_: unknown) => ({ async stop() {} }))("],
    ],
  },
};

/** The schema's part of it, for the data set of a service without the feed. */
export const SCHEMA_WITHOUT_FEED = `DROP INDEX IF EXISTS audit_events_to_place;
  ALTER TABLE audit_events ALTER COLUMN xid DROP DEFAULT`;

const ROOT = resolve(import.meta.dirname, "..");

function cut(path: string, cuts: Cut[]): string {
  let source = readFileSync(resolve(ROOT, path), "utf8");
  for (const [from, to] of cuts) {
    if (!from.test(source)) throw new Error(`bench/without-record.ts: ${from} is not in ${path} any more.`);
    source = source.replace(from, () => to);
  }
  return source;
}

/** Sources by their URLs, without the part. */
export function sourcesWithout(part: Part): Map<string, string> {
  const parts: Part[] = part === "feed" ? ["log", "feed"] : ["log"];
  const all = new Map<string, Cut[]>();
  for (const name of parts)
    for (const [path, cuts] of Object.entries(CUTS[name])) all.set(path, [...(all.get(path) ?? []), ...cuts]);
  return new Map([...all].map(([path, cuts]) => [pathToFileURL(resolve(ROOT, path)).href, cut(path, cuts)]));
}

const { BENCH_WITHOUT: without } = process.env;
if (without === "log" || without === "feed") {
  const sources = sourcesWithout(without);
  registerHooks({
    load(url, context, next) {
      const source = sources.get(url);
      return source === undefined ? next(url, context) : { format: "module-typescript", source, shortCircuit: true };
    },
  });
}
