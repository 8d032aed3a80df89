import { GuildhallError } from "#sdk/index.ts";
import { pounds } from "../pounds.ts";
import type { Narrator } from "./narrator.ts";
import type { Played } from "./play.ts";

/** What was settled, what was counted and, if the service stays up, which pages to look at. */
export function report(played: Played, { say }: Narrator, { stays }: { stays: boolean }): void {
  const { settlement, contract, task, statistics, pages, proof } = played;
  const { gross_pence, fee_pence, net_pence, fee_policy, funding, transfer, state } = settlement;
  const row = (name: string, text: string) => say(`  ${name.padEnd(16)}${text}`);
  say();
  say(`Settlement ${settlement.settlement_id}: ${state}, ${settlement.payment_mode}, simulated. No money has moved.`);
  row("gross", pounds(gross_pence));
  row("fee", `${pounds(fee_pence)} (${fee_policy.bps / 100} %)`);
  row("net", pounds(net_pence));
  row("funding", funding);
  row("transfer", transfer);
  row("charge", settlement.is_charge ? "yes" : "no");
  row("terms", contract.terms_hash);
  say();
  const frequent = statistics.most_frequent.map(({ word, count }) => `${word} ${count}`).join(", ");
  say(
    `Result: ${statistics.words} words, ${statistics.distinct_words} different, longest "${statistics.longest_word}"`,
  );
  row("frequent", frequent);
  if (proof) {
    say();
    say("Evidence, which anyone can verify without this service:");
    say(`  npx --no-install guildhall verify ${proof.file} --key '${proof.key}'`);
  }
  if (!stays) return;
  say();
  say("Pages to look at");
  for (const { name, url } of pages) row(name, url);
  say(`  The completed task, ${task.task_id}, is unlisted: only its parties can see it.`);
}

const CONDITIONS = `A service knows them if it was started with npm start on this machine, with its own database (no DATABASE_URL), HOST and
BASE_URL on localhost, TEST payments, no DEV_HOSTS, and the same DATA_DIR as the demo.`;

/** Why the demo does not use a service that may be running. */
export function explainOwnService({ DEV_HOSTS }: NodeJS.ProcessEnv): string {
  const reason = DEV_HOSTS
    ? "DEV_HOSTS is set, and a service that is started with it does not know the demo's domains. "
    : "";
  return `No running service was found that knows the demo's domains, so the demo starts its own. ${reason}${CONDITIONS}
`;
}

/** What to do if the service cannot reach the demo's domains; `reason` is what it answered, if it was asked. */
export function explainUnreachable(baseUrl: string, reason?: string): string {
  return `The service at ${baseUrl} cannot reach the demo's domains, which exist on this machine only.${reason ? `\n  ${reason}` : ""}

${CONDITIONS} Or let the demo start its own service:

  npm run demo -- --serve
`;
}

/** What went wrong, with the blocking gates and the request's ID if there are any. */
export function explainError(error: unknown): string {
  const lines = [error instanceof Error ? error.message : String(error)];
  if (error instanceof GuildhallError) {
    for (const { gate, passed, reason, remedy } of error.gates)
      if (!passed) lines.push(`${gate}: ${reason}. ${remedy}`);
    lines.push(error.requestId ? `request ${error.requestId}` : "without a request ID");
  }
  return lines.join("\n  ");
}
