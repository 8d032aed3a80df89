import { contractEndpoints } from "#lib/contracts/endpoints.ts";
import { identityEndpoints } from "#lib/identity/endpoints.ts";
import type { Endpoint } from "#lib/kernel/endpoint.ts";
import { paymentEndpoints } from "#lib/payments/endpoints.ts";
import { settlementEndpoints } from "#lib/settlements/endpoints.ts";
import { taskEndpoints } from "#lib/tasks/endpoints.ts";
import { statusEndpoints } from "./status.ts";

/** Every endpoint of the service: routing, documentation, clients and generated tests come from this list. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...statusEndpoints,
  ...identityEndpoints,
  ...taskEndpoints,
  ...contractEndpoints,
  ...settlementEndpoints,
  ...paymentEndpoints,
];

export type Methods = { GET?: Endpoint; POST?: Endpoint };

const PATHS = new Map<string, Methods>();
for (const endpoint of ENDPOINTS) {
  const methods = PATHS.get(endpoint.path) ?? {};
  if (methods[endpoint.method]) throw new Error(`${endpoint.method} ${endpoint.path} is registered twice`);
  methods[endpoint.method] = endpoint;
  PATHS.set(endpoint.path, methods);
}

/** What a path answers to, or undefined when it is none of ours. */
export function methodsOf(path: string): Methods | undefined {
  return PATHS.get(path);
}

/** Every registered path. */
export function registeredPaths(): string[] {
  return [...PATHS.keys()];
}
