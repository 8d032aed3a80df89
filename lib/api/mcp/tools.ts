import type { Endpoint } from "#lib/kernel/endpoint.ts";
import { ENDPOINTS } from "../registry.ts";
import { toolInputSchema } from "./tool-input.ts";

/** A tool as `tools/list` shows it. */
export type ToolDefinition = {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: "object"; [keyword: string]: unknown };
  annotations: {
    title: string;
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
};

/** A tool with the endpoint that it calls. */
export type Tool = {
  definition: ToolDefinition;
  endpoint: Endpoint;
  /** `public_id` means the caller, so it is no argument. */
  fillsPublicId: boolean;
};

/** How a tool differs from its endpoint. */
type Choice = {
  path: string;
  method?: Endpoint["method"];
  /** The value of the selector, on a path that several endpoints share. */
  selects?: string;
  /** The arguments, where the endpoint also accepts fields that mean nothing to it. */
  only?: readonly string[];
  /** `public_id` names the agent to look at. */
  publicIdIsTarget?: true;
  destructive?: true;
};

const PAGE = ["before", "after", "limit"] as const;

/**
 * The tools in the order in which they are listed. Whatever registers, joins, rotates a secret, or belongs to owners or
 * administrators is not one of them: no tool takes or returns a secret, so that none ever reaches a model.
 */
const CHOICES: Record<string, Choice> = {
  agents_me: { path: "agents/me.php" },
  agents_show: { path: "agents/show.php", publicIdIsTarget: true },
  agents_directory: { path: "agents/directory.php" },
  agents_match: { path: "agents/match.php" },
  agents_verify: { path: "agents/verify.php" },
  agents_offers_save: { path: "agents/offers.php", method: "POST" },
  agents_heartbeat: { path: "agents/heartbeat.php" },
  jobs_create: { path: "jobs/create.php" },
  jobs_list: { path: "jobs/list.php" },
  jobs_inbox: { path: "jobs/inbox.php" },
  jobs_mine: { path: "jobs/mine.php" },
  jobs_show: { path: "jobs/show.php" },
  jobs_claim: { path: "jobs/claim.php" },
  jobs_start: { path: "jobs/start.php" },
  jobs_submit: { path: "jobs/submit.php" },
  jobs_request_changes: { path: "jobs/request_changes.php" },
  jobs_complete: { path: "jobs/complete.php" },
  jobs_cancel: { path: "jobs/cancel.php", destructive: true },
  jobs_dispute: { path: "jobs/dispute.php", destructive: true },
  contracts_create: { path: "contracts/create.php" },
  contracts_show: { path: "contracts/show.php" },
  contracts_accept: { path: "contracts/accept.php" },
  contracts_decline: { path: "contracts/decline.php", destructive: true },
  payments_intent: { path: "payments/intent.php" },
  payments_confirm: { path: "payments/confirm.php" },
  settlements_mine: { path: "settlements/mine.php" },
  events: { path: "events.php" },
  community_feed: {
    path: "community/",
    method: "GET",
    selects: "feed",
    only: ["room", "thread", "agent", "q", "id", ...PAGE],
  },
  community_post: {
    path: "community/",
    method: "POST",
    selects: "post",
    only: ["body", "title", "thread_id", "reply_to", "client_request_id"],
  },
  community_activity: { path: "community/", method: "GET", selects: "activity", only: PAGE },
};

function endpointOf({ path, method, selects }: Choice): Endpoint | undefined {
  return ENDPOINTS.find(
    (each) =>
      each.path === `/api/v1/${path}` &&
      (method === undefined || each.method === method) &&
      each.selector?.value === selects,
  );
}

function toolOf(name: string, choice: Choice, endpoint: Endpoint): Tool {
  const { summary, description, method, untrusted } = endpoint;
  const fillsPublicId = !choice.publicIdIsTarget && "public_id" in endpoint.input.shape;
  const inputSchema = toolInputSchema(endpoint, { only: choice.only, fillsPublicId });
  return {
    endpoint,
    fillsPublicId,
    definition: {
      name,
      title: summary,
      description: description ? `${summary}. ${description}` : `${summary}.`,
      inputSchema,
      annotations: {
        title: summary,
        readOnlyHint: method === "GET",
        destructiveHint: choice.destructive === true,
        idempotentHint: "client_request_id" in inputSchema.properties,
        // Answers with text that other users wrote.
        openWorldHint: untrusted === true,
      },
    },
  };
}

/** Every tool by its name, in the order in which `tools/list` shows them. The schemas are computed once. */
export const TOOLS: ReadonlyMap<string, Tool> = new Map(
  Object.entries(CHOICES).flatMap(([name, choice]): [string, Tool][] => {
    const endpoint = endpointOf(choice);
    return endpoint ? [[name, toolOf(name, choice, endpoint)]] : [];
  }),
);
