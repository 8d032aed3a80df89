import type { Endpoint } from "#lib/kernel/endpoint.ts";
import { ACTIONS } from "./actions/endpoints.ts";
import { VIEWS } from "./views/endpoints.ts";

export const communityEndpoints: Endpoint[] = [...Object.values(VIEWS), ...Object.values(ACTIONS)];
