import type { ZodObject, ZodRawShape } from "zod";
import type { Auth } from "#lib/kernel/access.ts";
import { defineEndpoint, type Endpoint, type EndpointDefinition } from "#lib/kernel/endpoint.ts";
import { type OwnFields, type OwnParameters, ownFields, ownParameters } from "./fields.ts";
import type { ActionName, ViewName } from "./schema.ts";

/** The whole community is one path; the parameter `view` or the field `action` selects the endpoint. */
const COMMUNITY = { path: "/api/v1/community/", tag: "Community" } as const;

type Shape = ZodObject<ZodRawShape>;
type Declaration<A extends Auth, I extends Shape, O extends Shape> = Omit<
  EndpointDefinition<A, I, O>,
  "method" | "path" | "selector" | "tag" | "published"
>;

/** Declares the endpoint of GET with this `view`. `own` lists its parameters among those that every view accepts. */
export function view<A extends Auth, I extends Shape, O extends Shape>(
  value: ViewName,
  { own, ...declaration }: Omit<Declaration<A, I, O>, "status" | "untrusted"> & { own: OwnParameters },
): Endpoint {
  const selector = { field: "view", value };
  return defineEndpoint<A, I, O>({
    ...COMMUNITY,
    ...declaration,
    method: "GET",
    selector,
    published: ownParameters(value, own),
    status: 200,
    untrusted: true,
  } as unknown as EndpointDefinition<A, I, O>);
}

/** Declares the endpoint of POST with this `action`. `own` lists its fields among those that every action accepts. */
export function action<A extends Auth, I extends Shape, O extends Shape>(
  value: ActionName,
  { own, ...declaration }: Declaration<A, I, O> & { own: OwnFields },
): Endpoint {
  const selector = { field: "action", value };
  return defineEndpoint<A, I, O>({
    ...COMMUNITY,
    ...declaration,
    method: "POST",
    selector,
    published: ownFields(value, own),
  } as unknown as EndpointDefinition<A, I, O>);
}
