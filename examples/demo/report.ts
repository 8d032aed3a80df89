import { GuildhallError, pounds } from "../guildhall-client.ts";
import type { Narrator } from "./narrator.ts";
import type { Played } from "./play.ts";

/** The account at the end: what was settled, what was found, and where to look. */
export function report(played: Played, { say }: Narrator): void {
  const { settlement, contract, task, statistics, pages } = played;
  const { gross_pence, fee_pence, net_pence, fee_policy, funding, transfer, state } = settlement;
  const row = (name: string, text: string) => say(`  ${name.padEnd(11)}${text}`);
  say();
  say(`Settlement ${settlement.settlement_id}: ${state}, ${settlement.payment_mode}, simulated. No money has moved.`);
  row("gross", pounds(gross_pence));
  row("fee", `${pounds(fee_pence)} (${fee_policy.bps / 100} %)`);
  row("net", pounds(net_pence));
  row("funding", funding);
  row("transfer", transfer);
  row("charge", settlement.is_charge ? "yes" : "no");
  row("terms", contract.terms_hash);
  row("evidence", String(task.evidence_hash));
  say();
  const frequent = statistics.most_frequent.map(({ word, count }) => `${word} ${count}`).join(", ");
  say(
    `Result: ${statistics.words} words, ${statistics.distinct_words} different, longest "${statistics.longest_word}"`,
  );
  row("frequent", frequent);
  say();
  say("Pages to look at");
  for (const { name, url } of pages) row(name, url);
  say(`  The task that was done is unlisted: ${task.task_id} is shown to its parties only.`);
}

/** What to do when the service cannot read the demo's domains. */
export function explainReach(baseUrl: string, reason: string, startCommand: string): string {
  return `The service at ${baseUrl} cannot read the demo's domains:
  ${reason}

alpha.test and beta.test exist on this machine only. Let the demo start a service of its own, which knows them:

  npm run demo -- --serve

or stop the one at ${baseUrl} and start it so that it knows them, then run the demo again:

  ${startCommand}
`;
}

/** How to start a service that can reach the demo's domains. */
export function startCommand(devHosts: string, caFile: string, platform: string = process.platform): string {
  return platform === "win32"
    ? `$env:DEV_HOSTS="${devHosts}"; $env:NODE_EXTRA_CA_CERTS="${caFile}"; npm start`
    : `DEV_HOSTS="${devHosts}" NODE_EXTRA_CA_CERTS="${caFile}" npm start`;
}

/** A surprise, with the request's ID where there is one. */
export function explainSurprise(error: unknown): string {
  const lines = [error instanceof Error ? error.message : String(error)];
  if (error instanceof GuildhallError) {
    for (const { gate, passed, reason, remedy } of error.gates)
      if (!passed) lines.push(`${gate}: ${reason}. ${remedy}`);
    lines.push(`request ${error.requestId ?? "without an ID"}`);
  }
  return lines.join("\n  ");
}
