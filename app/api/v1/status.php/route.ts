import { serve } from "#lib/api/route.ts";
import { getStatus } from "#lib/api/status.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getStatus);
