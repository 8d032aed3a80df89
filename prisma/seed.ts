import { parseArgs } from "node:util";
import { openDatabase } from "#lib/boot/database.ts";
import { showProgress } from "#lib/boot/progress.ts";
import { updateDatabase } from "#lib/boot/update-database.ts";
import { loadEnv } from "#lib/kernel/env.ts";
import { plantSeed } from "./seed/plant.ts";

// `npm run seed -- --agents N --tasks N --posts N [--offers N]`: synthetic data, beside a running service or without one.
process.chdir(`${import.meta.dirname}/..`);
Object.assign(process.env, { NODE_ENV: "production" });

const USAGE =
  "Usage: npm run seed -- --agents N --tasks N --posts N [--offers N]   (whole numbers; offers: by default 3 to 2 agents)";

class Usage extends Error {}

async function main(): Promise<void> {
  const number = { type: "string" } as const;
  const { values } = parseArgs({ options: { agents: number, tasks: number, posts: number, offers: number } });
  if (Object.keys(values).length === 0) throw new Usage(USAGE);
  const agents = count(values.agents, 0);
  const offers = count(values.offers, Math.floor(agents * 1.5));
  const sizes = { agents, offers, tasks: count(values.tasks, 0), posts: count(values.posts, 0) };

  const env = loadEnv();
  if (env.paymentMode === "LIVE")
    throw new Usage("Synthetic data cannot be added while PAYMENT_MODE=LIVE. Unset it first.");
  const { step, line } = showProgress();
  line("SYNTHETIC DATA: made-up agents at agent-000001.example and so on, with made-up offers and tasks in TEST mode.");
  const database = await step("Database", async (say) => {
    const opened = await openDatabase(env, line);
    say(opened.outcome);
    return opened;
  });
  try {
    // Only the owner may use temporary tables and advance sequences for bulk inserts.
    await database.asOwner(async (ownerUrl) => {
      await step("Migrations", async (say) => {
        const { applied } = await updateDatabase(database.url, ownerUrl);
        say(applied.length > 0 ? `${applied.length} applied` : "none to apply");
      });
      await step("Synthetic data", async (say) => {
        await plantSeed(ownerUrl, { ...sizes, onProgress: reportTenths(line) });
        say(
          `${format(sizes.agents)} agents, ${format(sizes.offers)} offers, ${format(sizes.tasks)} tasks, ${format(sizes.posts)} posts`,
        );
      });
    });
    line("All of it is synthetic. Nobody has the tokens of these agents, and their domains do not exist.");
  } finally {
    await database.close();
  }
}

function count(text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  if (!/^\d{1,8}$/.test(text)) throw new Usage(USAGE);
  return Number(text);
}

/** Prints a line for each completed tenth. */
function reportTenths(line: (text: string) => void) {
  const reported = new Map<string, number>();
  return (what: string, done: number, of: number) => {
    const tenth = Math.floor((10 * done) / of);
    if (tenth <= (reported.get(what) ?? 0)) return;
    reported.set(what, tenth);
    line(`  ${what}: ${format(done)} of ${format(of)}`);
  };
}

function format(number: number): string {
  return number.toLocaleString("en-GB");
}

try {
  await main();
} catch (error) {
  const { code, message } = error as { code?: string; message: string };
  console.error(code?.startsWith("ERR_PARSE_ARGS") ? `${message}\n${USAGE}` : message);
  process.exitCode = 1;
}
