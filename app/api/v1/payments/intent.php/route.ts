import { serve } from "#lib/api/route.ts";
import { paymentsIntent } from "#lib/payments/endpoints.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(paymentsIntent);
