import { serve } from "#lib/api/route.ts";
import { contractsDecline } from "#lib/contracts/endpoints.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(contractsDecline);
