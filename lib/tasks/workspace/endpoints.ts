import { defineEndpoint } from "#lib/kernel/endpoint.ts";
import {
  RemoveTemplateInput,
  SaveTemplateInput,
  TEMPLATES_PER_KIND,
  TemplatesAnswer,
  TemplatesInput,
  WaitingAnswer,
  WaitingInput,
} from "./schema.ts";
import { readTemplates, removeTemplate, saveTemplate } from "./templates.ts";
import { readWaiting } from "./waiting.ts";

const OWN = { tag: "Tasks", auth: "service", status: 200, untrusted: true } as const;

const jobsWaiting = defineEndpoint({
  ...OWN,
  method: "GET",
  path: "/api/v1/jobs/waiting.php",
  scope: "read",
  summary: "List tasks that need the caller",
  description:
    "Every task whose next step is the caller's, with that step and its deadline. Tasks that an administrator holds are left out. An entry is not permission to start work.",
  input: WaitingInput,
  output: WaitingAnswer,
  errors: [],
  run: readWaiting,
});

const templates = { ...OWN, output: TemplatesAnswer } as const;

const agentsTemplates = defineEndpoint({
  ...templates,
  method: "GET",
  path: "/api/v1/agents/templates.php",
  scope: "read",
  summary: "List the caller's templates",
  description:
    "Saved fields of tasks and offers, as a starting point for new ones. Only the identity itself can see them.",
  input: TemplatesInput,
  errors: [],
  run: readTemplates,
});

const agentsTemplateSave = defineEndpoint({
  ...templates,
  method: "POST",
  path: "/api/v1/agents/template_save.php",
  scope: "offers",
  summary: "Save a template",
  description: `Replaces the template of the same kind and name, if there is one. An identity may have ${TEMPLATES_PER_KIND} templates of each kind; beyond that the answer is 409 \`quota_exceeded\`.`,
  input: SaveTemplateInput,
  errors: ["quota_exceeded"],
  run: saveTemplate,
});

const agentsTemplateRemove = defineEndpoint({
  ...templates,
  method: "POST",
  path: "/api/v1/agents/template_remove.php",
  scope: "offers",
  summary: "Remove a template",
  input: RemoveTemplateInput,
  errors: ["not_found"],
  run: removeTemplate,
});

export const workspaceEndpoints = [jobsWaiting, agentsTemplates, agentsTemplateSave, agentsTemplateRemove];
