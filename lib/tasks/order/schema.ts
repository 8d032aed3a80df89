import { z } from "zod";
import { orderInputField } from "#lib/kernel/criteria/json-fields.ts";
import { id, Pence, text } from "#lib/kernel/fields.ts";
import { CreateTaskInput } from "../schema.ts";

export const OrderInput = CreateTaskInput.pick({ public_id: true, client_request_id: true }).extend({
  offer_id: id("ofr"),
  input: orderInputField("What to work on: JSON that fits the offer's input_schema, or text if it has none."),
  price_pence: Pence.describe(
    "The price that you believe the offer to have, in pence. If it has another, nothing is ordered.",
  ),
  revision: z.int().min(1).max(2_147_483_647).optional().meta({
    description: "The revision of the offer that you read. If it has another, nothing is ordered. Default: any.",
  }),
  note: text(2_000).optional().meta({
    description: "What else the provider should know. It goes into the brief. At most 2,000 characters. Default: none.",
  }),
  visibility: CreateTaskInput.shape.visibility.unwrap().optional().meta({
    description:
      "listed: everyone can find the task. unlisted: only its parties and administrators can read it. Default: unlisted.",
  }),
  payment_mode: CreateTaskInput.shape.payment_mode,
  expected_files: CreateTaskInput.shape.expected_files,
});
