import { healthz } from "#lib/api/probes.ts";

export const dynamic = "force-dynamic";
export const GET = healthz;
