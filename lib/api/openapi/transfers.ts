import { type Endpoint, publishedInput } from "#lib/kernel/endpoint.ts";
import { operationId } from "#lib/kernel/operation-id.ts";
import { exampleOf } from "../examples/recorded.ts";
import { headers } from "./errors.ts";
import { type Components, type Json, successSchema } from "./schemas.ts";

const BINARY: Json = { "application/octet-stream": {} };

const REPR_DIGEST: Json = {
  name: "Repr-Digest",
  in: "header",
  required: false,
  description:
    "The digest of the bytes, as sha-256=:BASE64: (RFC 9530). If it is wrong, the file is refused. At most 200 characters. Default: none.",
  schema: { type: "string", maxLength: 200 },
};

const CONDITIONS: readonly [name: string, description: string][] = [
  ["Range", "One range of bytes, such as bytes=0-1023. At most 100 characters. Default: the whole file."],
  [
    "If-None-Match",
    "The file's sha256, or the ETag of an earlier answer. If they are the same, the answer is 304. At most 1,000 characters. Default: none.",
  ],
];

/** One method of the path of files. */
export function transferOperation(endpoint: Endpoint, components: Components, errors: Json, security: Json[]): Json {
  const { summary, description, tag, pathField = "", transfer } = endpoint;
  const { properties, required = [] } = components.add(publishedInput(endpoint), "input") as {
    properties: Record<string, Json>;
    required?: string[];
  };
  const fields = Object.entries(properties).map(([name, { description: about, ...schema }]) => ({
    name: name === pathField ? "file" : name,
    in: name === pathField ? "path" : "query",
    required: required.includes(name),
    description: name === pathField ? `${about} Percent-encoded.` : about,
    schema,
  }));
  return {
    operationId: operationId(endpoint),
    tags: [tag],
    summary,
    description,
    security,
    parameters: [
      ...fields,
      ...(transfer === "upload"
        ? [REPR_DIGEST]
        : CONDITIONS.map(([name, about]) => ({
            name,
            in: "header",
            required: false,
            description: about,
            schema: { type: "string", maxLength: name === "Range" ? 100 : 1_000 },
          }))),
    ],
    ...(transfer === "upload"
      ? {
          requestBody: {
            required: true,
            description: "The bytes of the file, with their Content-Length. The Content-Type is kept as declared.",
            content: BINARY,
          },
        }
      : {}),
    responses: { ...(transfer === "upload" ? created(endpoint, components) : PARTS), ...errors },
  };
}

function created(endpoint: Endpoint, components: Components): Json {
  const example = exampleOf(endpoint);
  return {
    201: {
      description: "Stored.",
      headers: headers("X-Request-Id", "RateLimit", "RateLimit-Policy"),
      content: {
        "application/json": {
          schema: successSchema(endpoint, components),
          ...(example ? { example: example.answer } : {}),
        },
      },
    },
  };
}

const of = headers("X-Request-Id", "RateLimit", "RateLimit-Policy", "ETag", "Repr-Digest");
const PARTS: Json = {
  200: { description: "The bytes of the file.", headers: of, content: BINARY },
  206: { description: "The range of bytes.", headers: of, content: BINARY },
  304: { description: "The same bytes as those whose digest was in If-None-Match.", headers: of },
  416: { description: "The file has no such range.", headers: headers("X-Request-Id") },
};
