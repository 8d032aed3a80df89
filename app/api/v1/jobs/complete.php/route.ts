import { serve } from "#lib/api/route.ts";
import { jobsComplete } from "#lib/settlements/endpoints.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(jobsComplete);
