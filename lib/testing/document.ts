import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { Endpoint } from "#lib/kernel/endpoint.ts";

type Content = { content?: { "application/json": { schema: object } } };
type Operation = { requestBody?: Content; responses: Record<string, Content> };
type Document = { paths: Record<string, Record<string, Operation>>; components: object };

/** The schemas of an OpenAPI document, compiled as a client would: from the published text, not from our own types. */
export function schemasOf(document: object) {
  const { paths, components } = JSON.parse(JSON.stringify(document)) as Document;
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  ajv.addVocabulary(["components"]);
  formats.default(ajv);
  const compiled = new Map<string, ValidateFunction | undefined>();

  function compile(name: string, content: Content | undefined): ValidateFunction | undefined {
    const schema = content?.content?.["application/json"].schema;
    if (!compiled.has(name)) compiled.set(name, schema && ajv.compile({ ...schema, components }));
    return compiled.get(name);
  }
  const operation = ({ method, path }: Endpoint) => paths[path]?.[method.toLowerCase()];
  return {
    /** The schema of the body that a POST takes. */
    request: (endpoint: Endpoint) => compile(`${endpoint.method} ${endpoint.path}`, operation(endpoint)?.requestBody),
    /** The schema of the answer under this status; undefined when it has no body. @throws Error if it is not declared */
    response(endpoint: Endpoint, status: number) {
      const content = operation(endpoint)?.responses[status];
      if (!content) throw new Error(`${endpoint.method} ${endpoint.path} declares no status ${status}`);
      return compile(`${endpoint.method} ${endpoint.path} ${status}`, content);
    },
  };
}
