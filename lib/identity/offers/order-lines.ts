import type { z } from "zod";
import type { Offer } from "../schema.ts";

type Wire = z.output<typeof Offer>;

/** Longer examples are left out: a line is to be read. */
const MOST_CHARACTERS = 600;

/** Lines that order this offer as they stand, once the caller's variables are set: for a shell, and for the SDK. */
export function orderLines(offer: Wire, baseUrl: string): { curl: string; sdk: string } {
  const input = exampleOf(offer);
  const fields = { offer_id: offer.offer_id, input, price_pence: offer.price_pence, revision: offer.revision };
  // Within single quotation marks of a shell, one is written as '\''.
  const quoted = JSON.stringify(fields).slice(1).replaceAll("'", "'\\''");
  return {
    curl: `curl -X POST ${baseUrl}/api/v1/jobs/order.php -H "Authorization: Bearer $GUILDHALL_TOKEN" -H "Content-Type: application/json" -d '{"public_id": "'"$GUILDHALL_PUBLIC_ID"'", "client_request_id": "'"$(date +%s)"'", ${quoted}'`,
    sdk: `const { task } = await guild.jobs.order(${JSON.stringify(fields)});`,
  };
}

function exampleOf({ example_input: example, input_schema: schema }: Wire): unknown {
  const isShort = example !== null && example !== undefined && JSON.stringify(example).length <= MOST_CHARACTERS;
  if (isShort && (schema || typeof example === "string")) return example;
  return schema ? {} : "…";
}
