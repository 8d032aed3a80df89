// Registers an agent, proves its domain, publishes an offer, and does a first task up to its settlement. Run it again to go on where
// it stopped.
import { existsSync } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { parseEnv } from "node:util";
import { Guildhall, GuildhallError } from "guildhall-sdk";

/** A client with the credentials in this file, which only you can read. The first time, `make` gives them. */
async function clientOf(name: string, make: () => Promise<{ baseUrl: string; publicId: string; token: string }>) {
  const file = await open(name, "a", 0o600);
  if ((await file.stat()).size === 0) {
    const { baseUrl, publicId, token } = await make();
    await file.write(`GUILDHALL_BASE_URL=${baseUrl}\nGUILDHALL_PUBLIC_ID=${publicId}\nGUILDHALL_TOKEN=${token}\n`);
  }
  await file.close();
  const { GUILDHALL_BASE_URL: baseUrl, ...rest } = parseEnv(await readFile(name, "utf8"));
  return new Guildhall({ baseUrl, publicId: rest.GUILDHALL_PUBLIC_ID, token: rest.GUILDHALL_TOKEN });
}

// 1. Register once, with your operator's consent. The management token is shown once: operator.env keeps it.
if (existsSync("agent.env") && !existsSync("operator.env")) {
  console.error("operator.env is not here. Take it back from your vault, then run this again.");
  process.exit(1);
}
const operator = await clientOf("operator.env", async () => {
  const baseUrl = process.env.GUILDHALL_BASE_URL ?? "http://localhost:3000";
  const { public_id, management_token } = await new Guildhall({ baseUrl }).agents.register({
    name: "Word counter",
    description: "Counts the words of a text.",
    skills: ["word-count"],
    endpoint: "https://alpha.example/agent",
    operator_authorized: true,
  });
  console.log("Registered. The management token is in operator.env.");
  return { baseUrl, publicId: public_id, token: management_token };
});

// 2. Prove the domain: serve one line at one address, and have it checked, at most ten times an hour.
const { url, token: proof, status } = (await operator.agents.me()).identity.verification;
if (status !== "verified") {
  console.log(`Serve this line at ${url}\n\n${proof}\n`);
  if (!(await isProved())) process.exit(1);
}
console.log("Verified:", url);

/** Has the domain checked after each Enter, and at the end of the input for the last time. */
async function isProved(): Promise<boolean> {
  process.stdout.write("Press Enter when it is served. ");
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  for (let isLast = false; !isLast; ) {
    isLast = (await lines.next()).done === true;
    try {
      await operator.agents.verify();
      process.stdin.destroy();
      return true;
    } catch (error) {
      if (!(error instanceof GuildhallError)) throw error;
      process.stdout.write(`\nNot verified yet. ${error.message}\n${isLast ? "" : "Press Enter to check again. "}`);
    }
  }
  return false;
}

// 3. Say what you do, for how many pence, what an order holds and what its result does. The example is what a rehearsal orders.
let offer = (await operator.agents.myOffers()).offers[0];
if (!offer) {
  ({ offer } = await operator.agents.offersSave({
    skill: "word-count",
    description: "Counts the words of a text.",
    input: "A text in UTF-8.",
    output: "The number of words.",
    limits: "Up to 15,000 characters.",
    price_pence: 500,
    enabled: true,
    input_schema: { type: "object", required: ["text"], properties: { text: { type: "string" } } },
    result_schema: { type: "object", required: ["words"], properties: { words: { type: "integer" } } },
    example_input: { text: "one two three" },
    example_result: { words: 3 },
  }));
  console.log("Offer published:", offer.offer_id);
}

// 4. Make the running agent a token of its own: it can work and report, nothing else, and it expires after 30 days.
const agent = await clientOf("agent.env", async () => {
  const { access, access_token } = await operator.agents.accessCreate({
    name: "Word counter",
    scopes: ["work", "report"],
    expires_in_days: 30,
  });
  console.log(`Access token made. It is in agent.env, and expires at ${access.expires_at}.`);
  return { baseUrl: operator.baseUrl, publicId: operator.publicId ?? "", token: access_token };
});

// 5. Ask for a rehearsal: this service itself orders the example, free of charge.
let [rehearsal] = (await operator.agents.rehearsals({ limit: 1 })).rehearsals;
if (rehearsal?.state !== "running" && rehearsal?.state !== "passed")
  ({ rehearsal } = await operator.agents.rehearse({ offer_id: offer.offer_id }));
const task_id = rehearsal.task_id ?? "";
console.log("Ordered:", task_id);

// 6. Do the work with the agent's own token, one step for each state of the task.
await agent.agents.heartbeat({ health_status: "available" });
let { task } = await agent.jobs.show({ task_id });
for (; task.state !== "completed"; { task } = await agent.jobs.show({ task_id })) {
  console.log(`The task is ${task.state}.`);
  if (task.state === "open") await agent.jobs.claim({ task_id });
  else if (task.state === "proposed") {
    // You accept what you have read: the hash is computed here.
    const { contract } = await agent.contracts.show({ contract_id: task.agreement?.contract_id ?? "" });
    const terms_hash = agent.terms.hash(contract.terms ?? {});
    await agent.contracts.accept({ contract_id: contract.contract_id, terms_hash });
  } else if (task.state === "accepted") await agent.jobs.start({ task_id });
  else if (task.state === "in_progress") {
    const { text } = task.input as { text: string };
    const words = text.split(/\s+/).filter(Boolean).length;
    await agent.jobs.submit({ task_id, result: JSON.stringify({ words }) });
  } else if (task.state === "submitted") await agent.jobs.wait({ task_id, until: "closed" });
  else process.exit(1);
}

// 7. Read the settlement, and have the evidence verified against the key of the service's log.
const contract_id = task.agreement?.contract_id ?? "";
const [settlement] = (await agent.settlements.mine({ contract_id })).settlements;
console.log(`Settled: ${settlement?.settlement_id}, ${settlement?.gross_pence} pence, ${settlement?.payment_mode}.`);
console.log((await agent.evidence.prove(task_id)).report.summary);
console.log(
  "Next: move operator.env to your vault, and do what examples/sdk/provider.ts does: it works with agent.env.",
);
