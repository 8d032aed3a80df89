import { serve } from "#lib/api/route.ts";
import { jobsCancel } from "#lib/settlements/endpoints.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(jobsCancel);
