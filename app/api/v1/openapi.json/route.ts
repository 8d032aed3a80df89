import { serve } from "#lib/api/route.ts";
import { getOpenApi } from "#lib/api/status.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getOpenApi);
