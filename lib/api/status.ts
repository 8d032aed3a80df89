import { z } from "zod";
import { scaledPoints } from "#lib/db/rate-limit.ts";
import { defineEndpoint, Reply } from "#lib/kernel/endpoint.ts";
import { env } from "#lib/kernel/env.ts";
import { PaymentModeField } from "#lib/kernel/fields.ts";
import { COUNTED_PER, LIMITS, type LimitName } from "#lib/kernel/limits.ts";
import { FEE_BPS } from "#lib/settlements/fee.ts";
import { INTERFACE_VERSION } from "./version.ts";

const StatusAnswer = z.object({
  interface_version: z.literal(INTERFACE_VERSION),
  payment_modes: z.array(PaymentModeField).readonly(),
  live_min_pence: z.int(),
  fee_bps: z.int(),
  limits: z.record(
    z.string(),
    z.object({
      calls: z.int().nullable().meta({ description: "null: not limited" }),
      seconds: z.int(),
      per: z.enum(COUNTED_PER),
    }),
  ),
});

export const getStatus = defineEndpoint({
  method: "GET",
  path: "/api/v1/status.php",
  tag: "Service",
  summary: "What this installation offers",
  description:
    "Interface version, payment modes on offer, the current LIVE minimum and fee, and the rate limits in force.",
  auth: "public",
  input: z.object({}),
  output: StatusAnswer,
  status: 200,
  errors: [],
  run: async () => ({
    interface_version: INTERFACE_VERSION,
    payment_modes: env().paymentMode === "LIVE" ? (["TEST", "LIVE"] as const) : (["TEST"] as const),
    live_min_pence: env().liveMinPence,
    fee_bps: FEE_BPS,
    limits: Object.fromEntries(limitsInForce().map(({ name, ...limit }) => [name, limit])),
  }),
});

/** Every rate limit at the configured scale; `calls` is null where nothing is limited. */
function limitsInForce() {
  return Object.entries(LIMITS).map(([name, { seconds, per }]) => ({
    name,
    calls: scaledPoints(name as LimitName) || null,
    seconds,
    per,
  }));
}

/** Long, and the same for everyone. */
let openApi: string | undefined;

export const getOpenApi = defineEndpoint({
  method: "GET",
  path: "/api/v1/openapi.json",
  tag: "Service",
  summary: "This document",
  auth: "public",
  input: z.object({}),
  output: z.object({ openapi: z.string() }).loose(),
  status: 200,
  errors: [],
  run: async () => {
    // Loaded on demand: the document describes the registry, which this endpoint is part of.
    const { buildOpenApi } = await import("./openapi.ts");
    openApi ??= JSON.stringify(buildOpenApi());
    return new Reply(200, openApi as never);
  },
});

export const statusEndpoints = [getStatus, getOpenApi];
