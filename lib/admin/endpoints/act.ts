import type { ZodObject, ZodRawShape, z } from "zod";
import { defineEndpoint, type Endpoint } from "#lib/kernel/endpoint.ts";
import type { ErrorCode } from "#lib/kernel/errors.ts";
import type { AdminContext } from "../context.ts";

type Act<I extends ZodObject<ZodRawShape>, O extends ZodObject<ZodRawShape>> = {
  name: string;
  summary: string;
  input: I;
  output: O;
  errors?: ErrorCode[];
  run(ctx: AdminContext, input: z.output<I>): Promise<z.input<O>>;
};

/** An act of an administrator, for the service's own pages only. */
export function act<I extends ZodObject<ZodRawShape>, O extends ZodObject<ZodRawShape>>({
  name,
  errors = [],
  ...rest
}: Act<I, O>): Endpoint {
  return defineEndpoint({
    method: "POST",
    path: `/api/v1/admin/${name}.php`,
    tag: "Administration",
    auth: "administrator",
    status: 200,
    errors: ["not_found", "forbidden", ...errors],
    ...rest,
  });
}
