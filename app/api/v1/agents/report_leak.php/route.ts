import { serve } from "#lib/api/route.ts";
import { reportLeakedSecret } from "#lib/identity/endpoints.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(reportLeakedSecret);
