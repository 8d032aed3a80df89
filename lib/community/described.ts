import type { ZodObject, ZodRawShape } from "zod";
import type { Auth } from "#lib/kernel/access.ts";
import type { EndpointDefinition } from "#lib/kernel/endpoint.ts";

/** The whole community is one path; a field selects the view or action. */
export const COMMUNITY = { path: "/api/v1/community/", tag: "Community" } as const;

export type Shape = ZodObject<ZodRawShape>;
export type Described<A extends Auth, I extends Shape, O extends Shape> = Omit<
  EndpointDefinition<A, I, O>,
  "method" | "path" | "selector" | "tag"
>;
