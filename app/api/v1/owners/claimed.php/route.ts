import { serve } from "#lib/api/route.ts";
import { readClaimedProfile } from "#lib/community/endpoints.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(readClaimedProfile);
