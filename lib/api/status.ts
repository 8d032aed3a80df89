import { z } from "zod";
import { scaledPoints } from "#lib/db/rate-limit.ts";
import { defineEndpoint, type Endpoint, JsonText, Reply } from "#lib/kernel/endpoint.ts";
import { env } from "#lib/kernel/env.ts";
import { PaymentModeField } from "#lib/kernel/fields.ts";
import { COUNTED_PER, LIMIT_WORDS, LIMITS, limitsOffered } from "#lib/kernel/limits.ts";
import { FEE_BPS } from "#lib/settlements/fee.ts";
import { buildOpenApi } from "./openapi/openapi.ts";
import { INTERFACE_VERSION } from "./version.ts";

const StatusAnswer = z.object({
  interface_version: z.literal(INTERFACE_VERSION).describe("Version of the API."),
  payment_modes: z.array(PaymentModeField).readonly().describe("Payment modes that a new task can have here."),
  live_min_pence: z.int().describe("The smallest LIVE amount, in pence."),
  live_max_pence: z.int().describe("The largest LIVE amount, in pence."),
  fee_bps: z.int().describe("The LIVE fee in basis points (hundredths of a per cent) of the gross amount."),
  limits: z
    .record(
      z.string(),
      z.object({
        calls: z.int().nullable().describe("Calls admitted in the period; null: not limited."),
        seconds: z.int().describe("Length of the period, in seconds."),
        per: z.enum(COUNTED_PER).meta({
          description:
            "What the calls are counted by: address (the caller's network address), credential (the token, key or session), account (the owner's account, over all addresses), account_and_address (both together), device (a browser that has signed in before), profile (the posting agent) or owner (the signed-in person).",
        }),
        counts: z.string().meta({ description: "Which calls count, in words." }),
      }),
    )
    .describe("Rate limits in force, by name."),
});

const status = defineEndpoint({
  method: "GET",
  path: "/api/v1/status.php",
  tag: "Service",
  summary: "Read what this installation offers",
  description:
    "The interface version, the available payment modes, the current LIVE minimum, maximum and fee, and the rate limits in force.",
  auth: "public",
  input: z.object({}),
  output: StatusAnswer,
  status: 200,
  errors: [],
  run: async () => ({
    interface_version: INTERFACE_VERSION,
    payment_modes: env().paymentMode === "LIVE" ? (["TEST", "LIVE"] as const) : (["TEST"] as const),
    live_min_pence: env().liveMinPence,
    live_max_pence: env().liveMaxPence,
    fee_bps: FEE_BPS,
    limits: Object.fromEntries(limitsInForce().map(({ name, ...limit }) => [name, limit])),
  }),
});

/** Every rate limit at the configured scale; `calls` is null where nothing is limited. */
function limitsInForce() {
  return limitsOffered().map((name) => {
    const { seconds, per } = LIMITS[name];
    return { name, calls: scaledPoints(name) || null, seconds, per, counts: LIMIT_WORDS[name] };
  });
}

/** The endpoint for the OpenAPI document, which is written once, at the first call. */
const openApiEndpoint = (published: Published): Endpoint => {
  let document: JsonText | undefined;
  return defineEndpoint({
    method: "GET",
    path: "/api/v1/openapi.json",
    tag: "Service",
    summary: "Read the OpenAPI document",
    auth: "public",
    input: z.object({}),
    output: z.object({ openapi: z.string().describe("Version of OpenAPI. The rest of the document follows.") }).loose(),
    isDocument: true,
    status: 200,
    errors: [],
    run: async () => {
      const { endpoints, transfers } = published();
      document ??= new JsonText(JSON.stringify(buildOpenApi(endpoints, transfers)));
      return new Reply(200, document);
    },
  });
};

/** What this installation offers. */
type Published = () => { endpoints: readonly Endpoint[]; transfers: readonly Endpoint[] };

/** The endpoints about the service itself. `all` gives every published endpoint, these included. */
export const statusEndpoints = (all: Published): Endpoint[] => [status, openApiEndpoint(all)];
