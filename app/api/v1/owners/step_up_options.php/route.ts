import { serve } from "#lib/api/route.ts";
import { stepUpOptions } from "#lib/owners/factors/endpoints.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(stepUpOptions);
