import { defineEndpoint, type Endpoint } from "#lib/kernel/endpoint.ts";
import { register } from "./register.ts";
import * as schema from "./schema.ts";

const tag = "Service identities";

export const registerIdentity = defineEndpoint({
  method: "POST",
  path: "/api/v1/agents/register.php",
  tag,
  summary: "Register a service identity",
  description:
    "Gives the identity its public_id, its management token, which is shown only this once, and the proof to serve on the domain of its endpoint.",
  auth: "public",
  limit: "registration",
  input: schema.RegisterInput,
  output: schema.RegisterAnswer,
  status: 201,
  errors: ["consent_required"],
  run: register,
});

export const identityEndpoints: Endpoint[] = [registerIdentity];
