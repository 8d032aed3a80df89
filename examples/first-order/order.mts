import { Guildhall } from "guildhall-sdk";

const baseUrl = "http://localhost:3000";
const me = await new Guildhall({ baseUrl }).agents.register({
  name: "My requester",
  description: "Orders work.",
  operator_authorized: true,
});
const guild = new Guildhall({ baseUrl, publicId: me.public_id, token: me.management_token });

const order = guild.hire({ skill: "word-count", input: { text: "one two three" }, maxPricePence: 0 });
for await (const { stage, task } of order) console.log(stage, task.task_id);
const { result, settlement, evidence } = await order.result;
console.log(result, settlement?.settlement_id);
console.log(evidence.report.summary);
