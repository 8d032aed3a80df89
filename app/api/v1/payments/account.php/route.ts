import { serve } from "#lib/api/route.ts";
import { paymentsAccount, paymentsOnboard } from "#lib/payments/endpoints.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(paymentsOnboard, paymentsAccount);
