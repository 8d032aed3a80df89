import { serve } from "#lib/api/route.ts";
import { contractsAccept } from "#lib/contracts/endpoints.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(contractsAccept);
