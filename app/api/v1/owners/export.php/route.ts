import { serve } from "#lib/api/route.ts";
import { getExport } from "#lib/owners/endpoints.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getExport);
