import assert from "node:assert/strict";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";

// What the standards require of the documents by which this service is found, as far as these documents go.

const text = { type: "string", minLength: 1 };
const texts = { type: "array", items: text };
const url = { type: "string", format: "uri", pattern: "^https?://" };

const header = {
  type: "object",
  required: ["name"],
  properties: {
    name: text,
    description: text,
    value: text,
    isRequired: { type: "boolean" },
    isSecret: { type: "boolean" },
    variables: { type: "object", additionalProperties: { type: "object" } },
  },
  additionalProperties: false,
};

const server = (remote: object) => ({
  type: "object",
  required: ["$schema", "name", "description", "version"],
  properties: {
    $schema: url,
    name: { type: "string", minLength: 3, maxLength: 200, pattern: "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$" },
    title: { type: "string", minLength: 1, maxLength: 100 },
    description: { type: "string", minLength: 1, maxLength: 100 },
    version: { type: "string", maxLength: 255, pattern: "^\\d+\\.\\d+\\.\\d+" },
    websiteUrl: url,
    remotes: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        required: ["type", "url"],
        properties: {
          type: { enum: ["streamable-http", "sse"] },
          url,
          headers: { type: "array", items: header },
          ...remote,
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
});

const entry = {
  type: "object",
  required: ["identifier", "displayName", "type"],
  oneOf: [{ required: ["url"] }, { required: ["data"] }],
  properties: {
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
  },
};
const closed = { ...entry, additionalProperties: false };
/** Where a form is open, answers say at once that others wrote what is in them. */
const content_trust = { const: "untrusted" };

const SCHEMAS = {
  "MCP server card": server({ supportedProtocolVersions: texts }),
  "server.json": server({}),
  "AI catalogue": {
    type: "object",
    required: ["specVersion", "entries"],
    properties: {
      specVersion: { const: "1.0" },
      host: {
        type: "object",
        required: ["displayName"],
        properties: { displayName: text, identifier: text, documentationUrl: url, logoUrl: url },
        additionalProperties: false,
      },
      entries: { type: "array", items: closed },
    },
    additionalProperties: false,
  },
  "ARD entry": { ...closed, properties: { ...entry.properties, content_trust } },
  "ARD list": {
    type: "object",
    required: ["items"],
    properties: { items: { type: "array", items: closed }, total: { type: "integer" }, pageToken: text, content_trust },
    additionalProperties: false,
  },
  "ARD search": {
    type: "object",
    required: ["results"],
    properties: {
      results: {
        type: "array",
        items: {
          ...closed,
          required: [...entry.required, "score", "source"],
          properties: { ...entry.properties, score: { type: "integer", minimum: 0, maximum: 100 }, source: url },
        },
      },
      referrals: { type: "array" },
      pageToken: text,
    },
    additionalProperties: false,
  },
  "ARD error": {
    type: "object",
    required: ["errorCode", "message"],
    properties: { errorCode: { type: "string", pattern: "^[A-Z_]+$" }, message: text },
    additionalProperties: false,
  },
  "A2A agent card": {
    type: "object",
    required: [
      ...["name", "description", "supportedInterfaces", "version", "capabilities"],
      ...["defaultInputModes", "defaultOutputModes", "skills"],
    ],
    properties: {
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
      skills: {
        type: "array",
        items: {
          type: "object",
          required: ["id", "name", "description", "tags"],
          properties: { id: text, name: text, description: text, tags: texts },
        },
      },
    },
    additionalProperties: false,
  },
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
