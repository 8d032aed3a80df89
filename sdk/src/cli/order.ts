import { readFileSync } from "node:fs";
import { HireStopped } from "../hire.ts";
import { amountOf, onlyArgument, UsageError } from "./command.ts";
import type { Special } from "./session.ts";
import { GUILDHALL } from "./started-as.ts";

/** Exit code when no offer suits, the task ended, or its result was not accepted. */
const NOT_DONE = 8;

export const order: Special = {
  name: ["order"],
  about: "Order an offer, and wait for its result",
  more: `The counterpart of provider: orders, funds a TEST task, and with --wait goes on until there is a result, which is printed on standard
output. With --complete, a result that passes all machine-checked criteria is completed, and the settlement and what the evidence proves are said;
otherwise the task is left to you. The same --request-id goes on with the same order. FILE holds JSON, or text if the offer has no input schema;
- is standard input. Progress is on standard error.

Exit code ${NOT_DONE}: the offer is too expensive, the task ended, or its result was not accepted.`,
  usage: "OFFER_ID --input FILE --max-price POUNDS [--wait] [--complete] [--request-id ID]",
  options: {
    input: { value: "FILE", about: "The input: a file of JSON or text, or - for standard input." },
    "max-price": { value: "POUNDS", about: "The most that may be paid, such as 9.99." },
    "max-price-pence": { value: "N", about: "The same in whole pence, such as 999." },
    wait: { about: "Wait for the result, and print it." },
    complete: { about: "Complete the task if its result passes all checks. Waits, too." },
    "request-id": { value: "ID", about: "Identifies this order: the same ID never orders twice. Default: a new one." },
  },
  examples: [`${GUILDHALL} order ofr_… --input input.json --max-price 9.99`],
  async run({ positionals, flags, settings, output, signal }) {
    const offer = onlyArgument(positionals, "Give one offer's ID.");
    const file = flags.input;
    const maxPricePence = amountOf("max-price", flags);
    if (typeof file !== "string" || maxPricePence === undefined)
      throw new UsageError("--input and --max-price are required.");
    const completes = flags.complete === true;
    const requestId = flags["request-id"];
    // Without --wait, the rest of the hire ends with the order.
    const stop = new AbortController();
    const hire = settings.client().hire({
      offer,
      input: inputIn(file),
      maxPricePence,
      signal: AbortSignal.any([signal, stop.signal]),
      ...(typeof requestId === "string" ? { clientRequestId: requestId } : {}),
      ...(completes ? {} : { review: () => false }),
    });
    try {
      for await (const { stage, task } of hire) {
        const again =
          stage === "ordered" ? ` (to go on after an interruption: --request-id ${hire.clientRequestId})` : "";
        output.note(`${stage.replaceAll("_", " ")}: ${task.task_id}${again}`);
        if (stage === "ordered" && flags.wait !== true && !completes) {
          output.line(
            output.isJson ? JSON.stringify({ task_id: task.task_id, request_id: hire.clientRequestId }) : task.task_id,
          );
          stop.abort();
          return 0;
        }
      }
      const { result, settlement, evidence } = await hire.result;
      output.line(result);
      if (settlement)
        output.note(
          `settled: ${settlement.settlement_id}, ${settlement.gross_pence} pence, ${settlement.payment_mode}`,
        );
      output.note(`evidence: ${evidence.report.summary}`);
      return 0;
    } catch (error) {
      if (!(error instanceof HireStopped)) throw error;
      const isResult = error.reason === "not_accepted";
      if (isResult) output.line(error.task?.result ?? "");
      if (!isResult || completes) output.note(error.message);
      if (isResult) {
        const on = `--task-id ${error.task?.task_id}`;
        output.note(`to accept it: ${settings.command(`jobs complete ${on}`)}`);
        output.note(`to send it back: ${settings.command(`jobs request-changes ${on} --reason '…'`)}`);
      }
      return isResult && !completes ? 0 : NOT_DONE;
    }
  },
};

function inputIn(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    throw new UsageError(`--input cannot be read: ${(error as Error).message}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
