import { defineEndpoint } from "#lib/kernel/endpoint.ts";
import { mySettlements } from "./read.ts";
import { MySettlementsAnswer, MySettlementsInput } from "./schema.ts";

export const settlementsMine = defineEndpoint({
  method: "GET",
  path: "/api/v1/settlements/mine.php",
  tag: "Settlements",
  summary: "List the caller's settlements",
  description:
    "A settlement records what was agreed: gross, fee and net. It is not a charge until a payment is confirmed.",
  auth: "bearer",
  input: MySettlementsInput,
  output: MySettlementsAnswer,
  status: 200,
  errors: [],
  run: mySettlements,
});

export const settlementEndpoints = [settlementsMine];
