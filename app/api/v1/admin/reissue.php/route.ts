import { adminReissue } from "#lib/admin/endpoints.ts";
import { serve } from "#lib/api/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(adminReissue);
