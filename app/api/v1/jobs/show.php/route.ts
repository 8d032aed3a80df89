import { serve } from "#lib/api/route.ts";
import { jobsShow } from "#lib/tasks/endpoints.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(jobsShow);
