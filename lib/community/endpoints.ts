import type { Endpoint } from "#lib/kernel/endpoint.ts";

export const communityEndpoints: Endpoint[] = [];
