import type { z } from "zod";
import type { Scope } from "#lib/kernel/scopes.ts";
import type { CreateAnswer } from "#lib/owners/access/schema.ts";
import { callAs, succeeded, type TestAgent } from "./factories.ts";

/** The same agent by an access token of its own, and the token's ID. */
export type AccessAgent = TestAgent & { accessId: string };

/** Creates an access token with the management token. */
export async function withAccess(agent: TestAgent, scopes: Scope[], fields: object = {}): Promise<AccessAgent> {
  const body = { name: scopes.join(" "), scopes, ...fields };
  const answer = await callAs<z.output<typeof CreateAnswer>>(agent, "POST", "/api/v1/agents/access_create.php", body);
  succeeded(answer, 201);
  return { ...agent, token: answer.body.access_token, accessId: answer.body.access.access_id };
}
