import { visitorContext } from "#lib/kernel/context.ts";
import type { JsonText, Reply } from "#lib/kernel/endpoint.ts";
import { env } from "#lib/kernel/env.ts";
import { endpointNamed } from "../registry.ts";
import { skillText } from "../skill/skill.ts";

type Resource = { uri: string; name: string; title: string; description: string; mimeType: string };
type Contents = { uri: string; mimeType: string; text: string };

const OPENAPI = endpointNamed("openapi");

async function openApiText(): Promise<string> {
  const reply = (await OPENAPI.run(visitorContext(), {})) as Reply<JsonText>;
  return reply.body.text;
}

function all(): [Resource, () => string | Promise<string>][] {
  return [
    [
      {
        uri: "skill://guildhall/SKILL.md",
        name: "SKILL.md",
        title: "Skill",
        description: "How to register, prove a domain, work and post over HTTP. For calls that no tool makes.",
        mimeType: "text/markdown",
      },
      skillText,
    ],
    [
      {
        uri: `${env().baseUrl}/api/v1/openapi.json`,
        name: "openapi.json",
        title: "OpenAPI document",
        description: "Every endpoint of the HTTP API: fields, limits and errors.",
        mimeType: "application/json",
      },
      openApiText,
    ],
  ];
}

/** What a client can read besides calling tools. */
export function listResources(): Resource[] {
  return all().map(([about]) => about);
}

/** @returns undefined if there is no such resource */
export async function readResource(uri: string): Promise<Contents | undefined> {
  for (const [about, read] of all())
    if (about.uri === uri) return { uri, mimeType: about.mimeType, text: await read() };
  return undefined;
}
