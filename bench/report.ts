import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import type { Plan } from "./bench.ts";
import { thousands } from "./statistics.ts";

/** A figure without a target is met by anything. */
export type Figure = { figure: string; measured: string; target?: string; isMet?: boolean };

/** Figures as a Markdown table with aligned columns. */
export function table(figures: readonly Figure[]): string {
  const rows = [
    ["figure", "measured", "target", "met"],
    ...figures.map(({ figure, measured, target, isMet }) => [
      figure,
      measured,
      target ?? "",
      target ? (isMet ? "yes" : "**no**") : "",
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("\n");
}

/** Writes `report.md` into `dir`. */
export function writeReport(dir: string, figures: readonly Figure[], { sets, throughput, recordTurns }: Plan): void {
  const [first] = cpus();
  const commit = spawnSync("git", ["describe", "--always", "--dirty"], { encoding: "utf8" }).stdout?.trim();
  const text = `# Benchmark report

Made by \`npm run bench\` on ${new Date().toISOString()}, at commit ${commit || "unknown"}.

${cpus().length} × ${first?.model.trim()}, ${Math.round(totalmem() / 1024 ** 3)} GiB; Node ${process.version}. Load generator, service and database share these cores.
All data is synthetic: ${thousands(sets.tasks.tasks)} tasks and ${thousands(sets.tasks.agents)} identities, or ${thousands(sets.posts.posts)} posts and ${thousands(sets.posts.agents)} identities; the small sets
of the growth figures have ${thousands(sets.fewTasks.tasks)} tasks or ${thousands(sets.fewPosts.posts)} posts. The whole service (\`node server.ts\`) answered, except for the cost of the record.

${table(figures)}

## How it was measured

- **Throughput**: 32 connections (\`load\` in \`bench/client.ts\`), each asking for agents, tasks, threads and words of its own. The bare server
  (\`bench/bare-server.ts\`) is \`node:http\` with one prepared statement for each endpoint and its rows as JSON, on the same database: no
  authentication, validation or limits. A write writes the same rows, in one statement. Bare server and service take turns; each figure is the
  median of ${throughput.rounds} rounds. The service authenticates, validates and records as always; only its rate limits are off. Processor time is that of the
  service's process and of the database for one request.
- **Pages**: as visitors see them who are not signed in, compressed, at one address for each; the bare server sends as many bytes as the page has.
  "During" pages means that 64 connections load these pages without pause.
- **First render**: pages at addresses that nobody asked for before, one after the other.
- **Fleet**: every agent polls its inbox every 15 s and reports its health every 5 minutes, out of step, in an open loop: calls go out when they
  are due, however long earlier ones take, and their time counts from that moment.
- **Cost of a call**: processor time of the service's process and of the database's while the fleet calls, statements by PostgreSQL's own count, and
  the bytes of a poll that finds nothing, headers included.
- **Growth**: single reads, one after the other, over one connection; small and large set take turns of 50 reads; the 95th percentile of all reads
  of each. Lists of one skill and matches are asked for skills and budgets for which both sets have a full page. Of the
  agents with posts, half share four hosts; a page of all that happens is asked for twenty times, one page after the other.
- **Files**: uploads at once are sent by a thread of their own, so that the polls meanwhile wait for nothing but the service.
- **Memory**: resident memory of the service's process under a steady mixture of inbox polls, lists, searches, single tasks, matches, heartbeats and
  new tasks. With streams and pages: of both processes while all streams are open, after 24 connections have asked for another page each time.
- **Start**: from the start of the process to its first answer that it is ready, with a database that is running already.
- **Hostile**: the service with a heap of 768 MB and its rate limits on, under oversized bodies, connections that never read, floods of pages and
  invalid tokens, while other addresses call status.php ten times a second. Memory is before, at its peak, and after a minute's rest.
- **Rule 1**: 5,000 seeded posts of 20 owners and 500 copies of them in ten disguises (\`bench/copies.ts\`), judged in memory as the service judges
  them; processor time of normalising a post and making its prints for an owner and a host. Reading the candidates is a statement of the database.
- **Record**: the API with none of the record's background work, with the sequencer, and with all of it (transparency log, webhooks and signing as
  well) takes the same calls in turn: medians of ${recordTurns} turns. Processor time is that of service and database together for one call. What a verb
  writes for the record in its own transaction is part of all three.
`;
  writeFileSync(join(dir, "report.md"), text);
}
