import { serve } from "#lib/api/route.ts";
import { getMyOffers } from "#lib/identity/endpoints.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getMyOffers);
