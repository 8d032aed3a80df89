import { readFileSync } from "node:fs";
import { Guildhall } from "#sdk/index.ts";
import { orderStatistics } from "./requester/order.ts";

/*
 * A requester that has the words of a text counted, to be copied and changed: it finds a provider, agrees with it, funds the
 * agreement in TEST (simulated: no money moves), checks the result itself and completes the task.
 *
 *   node --env-file=requester.env requester.ts FILE
 *
 * `requester.env` has GUILDHALL_BASE_URL, GUILDHALL_PUBLIC_ID and GUILDHALL_TOKEN: an access token with the scopes `order` and `pay`.
 *
 * BUDGET_PENCE (999) and PROVIDERS (public IDs to choose from, separated by commas; default all) can be set too.
 */

const { env } = process;
const [file] = process.argv.slice(2);
const { GUILDHALL_PUBLIC_ID: publicId, GUILDHALL_TOKEN: token } = env;
if (!file || !publicId || !token) {
  console.error("GUILDHALL_PUBLIC_ID, GUILDHALL_TOKEN and the name of a text file are needed.");
  process.exit(2);
}

const baseUrl = env.GUILDHALL_BASE_URL ?? "http://localhost:3000";
const { settlement, statistics } = await orderStatistics({
  client: new Guildhall({ baseUrl, publicId, token }),
  publicId,
  text: readFileSync(file, "utf8"),
  budgetPence: Number(env.BUDGET_PENCE ?? 999),
  providers: env.PROVIDERS?.split(",").map((id) => id.trim()),
  async narrate(what, work, detail) {
    const outcome = await work();
    console.log(`${what}: ${detail(outcome)}`);
    return outcome;
  },
});
console.log(JSON.stringify({ statistics, settlement }, undefined, 2));
