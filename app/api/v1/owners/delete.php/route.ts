import { serve } from "#lib/api/route.ts";
import { removeAccount } from "#lib/owners/endpoints.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(removeAccount);
