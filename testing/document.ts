import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { Endpoint } from "#lib/kernel/endpoint.ts";

type Content = { content?: { "application/json"?: { schema: object } } };
type Referable = Content | { $ref: string };
type Operation = { requestBody?: Content; responses: Record<string, Referable> };
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Content> };
};

/** The schemas of an OpenAPI document, compiled as a client would: from the published text, not from our own types. */
export function schemasOf(document: object) {
  // Components are compiled once, as a schema of their own that all others refer to.
  const text = JSON.stringify(document).replaceAll('"$ref":"#/', '"$ref":"https://document.test/#/');
  const { paths, components } = JSON.parse(text) as Document;
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  ajv.addVocabulary(["components", "discriminator", "x-maxBytes"]);
  formats.default(ajv);
  ajv.addSchema({ $id: "https://document.test/", components });
  const compiled = new Map<string, ValidateFunction | undefined>();

  function compile(name: string, content: Content | undefined): ValidateFunction | undefined {
    const schema = content?.content?.["application/json"]?.schema;
    if (!compiled.has(name)) compiled.set(name, schema && ajv.compile(schema));
    return compiled.get(name);
  }
  const operation = ({ method, path }: Endpoint) => paths[path]?.[method.toLowerCase()];
  return {
    /** The schema of the body that a POST takes. */
    request: (endpoint: Endpoint) => compile(`${endpoint.method} ${endpoint.path}`, operation(endpoint)?.requestBody),
    /** The schema of the answer under this status; undefined when it has no body. @throws Error if it is not declared */
    response(endpoint: Endpoint, status: number) {
      const answer = operation(endpoint)?.responses[status];
      if (!answer) throw new Error(`${endpoint.method} ${endpoint.path} declares no status ${status}`);
      const content = "$ref" in answer ? components.responses[answer.$ref.split("/").at(-1) ?? ""] : answer;
      return compile(`${endpoint.method} ${endpoint.path} ${status}`, content);
    },
  };
}
