import assert from "node:assert/strict";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";

// What the standards require of the documents by which this service is found, as far as these documents go.

const text = { type: "string", minLength: 1 };
const texts = { type: "array", items: text };
const url = { type: "string", format: "uri", pattern: "^https?://" };

/** An object with these properties and no others. */
const object = (required: string[], properties: object) => ({
  ...{ type: "object", required, properties },
  additionalProperties: false,
});
const list = (items: object, more: object = {}) => ({ type: "array", items, ...more });

const header = object(["name"], {
  name: text,
  description: text,
  value: text,
  isRequired: { type: "boolean" },
  isSecret: { type: "boolean" },
  variables: { type: "object", additionalProperties: { type: "object" } },
});

const server = (remote: object) =>
  object(["$schema", "name", "description", "version"], {
    $schema: url,
    name: { type: "string", minLength: 3, maxLength: 200, pattern: "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$" },
    title: { type: "string", minLength: 1, maxLength: 100 },
    description: { type: "string", minLength: 1, maxLength: 100 },
    version: { type: "string", maxLength: 255, pattern: "^\\d+\\.\\d+\\.\\d+" },
    websiteUrl: url,
    remotes: list(
      object(["type", "url"], {
        type: { enum: ["streamable-http", "sse"] },
        url,
        headers: list(header),
        ...remote,
      }),
      { minItems: 1 },
    ),
  });

const ENTRY = {
  identifier: { type: "string", pattern: "^urn:air:[a-z0-9-]+(?:\\.[a-z0-9-]+)+(?::[a-zA-Z0-9._-]+)+$" },
  displayName: text,
  type: { type: "string", pattern: "^[a-z]+/[a-z0-9.+-]+$" },
  url,
  data: { type: "object" },
  description: text,
  tags: texts,
  capabilities: texts,
  representativeQueries: { ...texts, minItems: 2, maxItems: 5 },
  version: text,
  updatedAt: { type: "string", format: "date-time" },
  metadata: { type: "object", additionalProperties: { type: ["string", "number", "boolean", "null"] } },
};
const IN_ENTRY = ["identifier", "displayName", "type"];
const entry = (required: string[] = [], more: object = {}) => ({
  ...object([...IN_ENTRY, ...required], { ...ENTRY, ...more }),
  oneOf: [{ required: ["url"] }, { required: ["data"] }],
});
/** Where a form is open, answers say at once that others wrote what is in them. */
const content_trust = { const: "untrusted" };

const SCHEMAS = {
  "MCP server card": server({ supportedProtocolVersions: texts }),
  "server.json": server({}),
  "AI catalogue": object(["specVersion", "entries"], {
    specVersion: { const: "1.0" },
    host: object(["displayName"], { displayName: text, identifier: text, documentationUrl: url, logoUrl: url }),
    entries: list(entry()),
  }),
  "ARD entry": entry([], { content_trust }),
  "ARD list": object(["items"], {
    items: list(entry()),
    total: { type: "integer" },
    pageToken: text,
    content_trust,
  }),
  "ARD search": object(["results"], {
    results: list(entry(["score", "source"], { score: { type: "integer", minimum: 0, maximum: 100 }, source: url })),
    referrals: { type: "array" },
    pageToken: text,
  }),
  "ARD error": object(["errorCode", "message"], {
    errorCode: { type: "string", pattern: "^[A-Z_]+$" },
    message: text,
  }),
  "A2A agent card": object(
    [
      ...["name", "description", "supportedInterfaces", "version", "capabilities"],
      ...["defaultInputModes", "defaultOutputModes", "skills"],
    ],
    {
      name: text,
      description: text,
      supportedInterfaces: {
        type: "array",
        minItems: 1,
        items: {
          type: "object",
          required: ["url", "protocolBinding", "protocolVersion"],
          properties: { url, protocolBinding: text, protocolVersion: text },
        },
      },
      provider: { type: "object", required: ["url", "organization"], properties: { url, organization: text } },
      version: text,
      documentationUrl: url,
      capabilities: { type: "object" },
      defaultInputModes: texts,
      defaultOutputModes: texts,
      skills: list({
        type: "object",
        required: ["id", "name", "description", "tags"],
        properties: { id: text, name: text, description: text, tags: texts },
      }),
    },
  ),
} as const;

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
const compiled = new Map<string, ValidateFunction>();

/** Fails with everything that a document lacks of its standard. */
export function fits(standard: keyof typeof SCHEMAS, document: unknown): void {
  const check = compiled.get(standard) ?? ajv.compile(SCHEMAS[standard]);
  compiled.set(standard, check);
  assert.ok(check(document), `${standard}: ${ajv.errorsText(check.errors)}`);
}
