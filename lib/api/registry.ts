import { adminEndpoints } from "#lib/admin/endpoints.ts";
import { communityEndpoints, ownersCommunityEndpoints } from "#lib/community/endpoints.ts";
import { contractEndpoints } from "#lib/contracts/endpoints.ts";
import { identityEndpoints } from "#lib/identity/endpoints.ts";
import { accessOf } from "#lib/kernel/access.ts";
import type { Endpoint } from "#lib/kernel/endpoint.ts";
import { nearest } from "#lib/kernel/mistakes.ts";
import { callId } from "#lib/kernel/operation-id.ts";
import { oauthEndpoints } from "#lib/oauth/endpoints.ts";
import { accessEndpoints } from "#lib/owners/access/endpoints.ts";
import { ownerEndpoints } from "#lib/owners/endpoints.ts";
import { paymentEndpoints } from "#lib/payments/endpoints.ts";
import { recordEndpoints } from "#lib/record/endpoints.ts";
import { evidenceEndpoints } from "#lib/record/evidence/endpoints.ts";
import { notificationEndpoints } from "#lib/record/notifications/endpoints.ts";
import { trackRecordEndpoints } from "#lib/record/track-record/endpoints.ts";
import { webhookEndpoints } from "#lib/record/webhooks/endpoints.ts";
import { settlementEndpoints } from "#lib/settlements/endpoints.ts";
import { rehearsalEndpoints } from "#lib/settlements/rehearsals/endpoints.ts";
import { taskEndpoints } from "#lib/tasks/endpoints.ts";
import { fileTransfers } from "#lib/tasks/files/endpoints.ts";
import { statusEndpoints } from "./status.ts";

/** Every published endpoint. Routing, documentation and generated tests follow from this list. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...statusEndpoints(() => ({ endpoints: ENDPOINTS.filter(isLive), transfers: TRANSFERS.filter(isLive) })),
  ...identityEndpoints,
  ...accessEndpoints,
  ...taskEndpoints,
  ...contractEndpoints,
  ...settlementEndpoints,
  ...rehearsalEndpoints,
  ...paymentEndpoints,
  ...evidenceEndpoints,
  ...trackRecordEndpoints,
  ...recordEndpoints,
  ...webhookEndpoints,
  ...communityEndpoints,
  ...ownerEndpoints,
  ...notificationEndpoints,
  ...oauthEndpoints,
  ...ownersCommunityEndpoints,
];

const BY_NAME = new Map(ENDPOINTS.map((endpoint) => [callId(endpoint), endpoint]));

/** The call of this name, such as `jobsList`. */
export function endpointNamed(name: string): Endpoint {
  const endpoint = BY_NAME.get(name);
  if (!endpoint) throw new Error(`No call of the API has the name ${name}.`);
  return endpoint;
}

/** Published calls whose body or answer is a file. They are no tools and no generated methods: a client streams. */
export const TRANSFERS: readonly Endpoint[] = fileTransfers;

/** The endpoints of the administration pages: routed like the others, but not published. */
export const ADMIN_ENDPOINTS: readonly Endpoint[] = adminEndpoints;

export const ADMIN_PATHS: ReadonlySet<string> = new Set(ADMIN_ENDPOINTS.map(({ path }) => path));

/** Endpoints that share a method and path. The value of `field` decides which one is meant. */
export type Family = { field: string; members: Map<string, Endpoint> };

export type Methods = { GET?: Endpoint | Family; POST?: Endpoint | Family; PUT?: Endpoint };

export function isFamily(entry: Endpoint | Family): entry is Family {
  return "members" in entry;
}

const PATHS = new Map<string, Methods>();
for (const endpoint of [...ENDPOINTS, ...ADMIN_ENDPOINTS, ...TRANSFERS]) {
  const { method, path, selector } = endpoint;
  const methods = PATHS.get(path) ?? {};
  const known = methods[method];
  if (selector && method !== "PUT") {
    const family: Family = known && isFamily(known) ? known : { field: selector.field, members: new Map() };
    family.members.set(selector.value, endpoint);
    methods[method] = family;
  } else if (known) throw new Error(`${method} ${path} is registered twice`);
  else Object.assign(methods, { [method]: endpoint });
  PATHS.set(path, methods);
}

/** The methods of a path; undefined for an unknown path. A registered path that ends in a slash also works without it. */
export function methodsOf(path: string): Methods | undefined {
  const methods = PATHS.get(path) ?? PATHS.get(`${path}/`) ?? PATHS.get(path.replace(LAST_PART, "/{file}"));
  return methods && Object.values(methods).every(isLive) ? methods : undefined;
}

/** What a path with `{file}` has in its place. */
export const LAST_PART = /(?<=\/files)\/([^/{}]+)$/;

/** Whether this installation offers it. */
export function isLive(entry: Endpoint | Family): boolean {
  return isFamily(entry) || entry.live?.() !== false;
}

/** Whether an agent can make this call: neither what needs a browser session nor what belongs to the pages of this service. */
export function isForAgents({ auth, tag }: Endpoint): boolean {
  const { anonymous, bearer, ownPages } = accessOf(auth);
  return tag !== "Owners" && (bearer !== undefined || (anonymous === true && !ownPages));
}

const PUBLISHED = [...new Set(ENDPOINTS.map(({ path }) => path))];

/** `/api/v1/jobs/create.php`, `/jobs/create` and `Jobs/Create.php/` name the same call. */
const callIn = (path: string) =>
  path
    .toLowerCase()
    .replace(/^\/?(?:api\/)?(?:v\d+\/)?|\.php\/?$/g, "")
    .replace(/[^a-z/]/g, "");

/** The published path that an unknown one is most like, if one is near enough. */
export function nearestPath(path: string): string | undefined {
  return nearest(withoutIds(path), PUBLISHED, callIn);
}

const ID_SEGMENT = /\/[a-z]{3}_[1-9A-HJ-NP-Za-km-z]{22}(?=\/|$)/g;

/** Other APIs have IDs in their paths: `jobs/ID/claim` is `jobs/claim` here, and `jobs/ID` is `jobs/show`. */
function withoutIds(path: string): string {
  const [, last] = /([^/]*)\/?$/.exec(path) ?? [];
  const call = path.replaceAll(ID_SEGMENT, "");
  return `/${last}`.replaceAll(ID_SEGMENT, "") === "" ? `${call}/show` : call;
}
