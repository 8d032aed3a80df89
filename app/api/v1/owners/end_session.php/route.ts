import { serve } from "#lib/api/route.ts";
import { endOwnSession } from "#lib/owners/endpoints.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(endOwnSession);
