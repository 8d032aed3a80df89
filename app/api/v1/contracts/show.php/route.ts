import { serve } from "#lib/api/route.ts";
import { contractsShow } from "#lib/contracts/endpoints.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(contractsShow);
