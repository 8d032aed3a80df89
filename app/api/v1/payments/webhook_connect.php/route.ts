import { serveWebhook } from "#lib/api/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveWebhook("/api/v1/payments/webhook_connect.php");
