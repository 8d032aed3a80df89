import { text } from "node:stream/consumers";
import { deliver, textOf } from "../text-statistics.ts";

// The provider's work, which `guildhall provider` runs for each order: the order comes as JSON, and what is printed is submitted.

const order = JSON.parse(await text(process.stdin));
const input = textOf(order);
if (input === undefined) throw new Error("The order holds no text to count.");
process.stdout.write(deliver(input, { isFree: order.terms.amount_pence === 0 }));
