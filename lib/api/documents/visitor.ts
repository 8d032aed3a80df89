import { accessOf } from "#lib/kernel/access.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { JsonText, Reply } from "#lib/kernel/endpoint.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { parseInput } from "../input.ts";
import { endpointNamed } from "../registry.ts";

/**
 * What a public call answers to anyone, without `ok`.
 * @param id the name of the call, such as `jobsList`
 * @returns undefined if what it asks for does not exist, or is not for everyone
 * @throws ApiError invalid_input
 */
export async function readAsVisitor<Body>(id: string, given: Record<string, unknown> = {}): Promise<Body | undefined> {
  const endpoint = endpointNamed(id);
  if (endpoint.method !== "GET" || !accessOf(endpoint.auth).anonymous) throw new Error(`${id} is not a public read`);
  const { selector } = endpoint;
  const value = selector ? { ...given, [selector.field]: selector.value } : { ...given };
  const input = parseInput(endpoint.input, { value });
  try {
    const result = await endpoint.run(visitorContext(), input);
    const body = result instanceof Reply ? result.body : result;
    return (body instanceof JsonText ? JSON.parse(body.text as string) : body) as Body;
  } catch (error) {
    if (error instanceof ApiError && error.code === "not_found") return undefined;
    throw error;
  }
}
