import type { z } from "zod";
import { prisma } from "#lib/db/client.ts";
import type { Prisma, Template } from "#lib/db/generated/client.ts";
import { transaction } from "#lib/db/tx.ts";
import { iso } from "#lib/kernel/clock.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { ApiError, notFound } from "#lib/kernel/errors.ts";
import {
  type RemoveTemplateInput,
  type SaveTemplateInput,
  TEMPLATE_BYTES,
  TEMPLATE_FIELDS,
  TEMPLATES_PER_KIND,
  type TemplateWire,
} from "./schema.ts";

/** The identity's templates, by kind and name. */
export async function readTemplates(ctx: ServiceContext): Promise<{ templates: TemplateWire[] }> {
  const found = await prisma().template.findMany({
    where: { identityId: ctx.actor.id },
    orderBy: [{ kind: "asc" }, { name: "asc" }],
  });
  return { templates: found.map(view) };
}

/**
 * Saves a template under its name, in place of an earlier one of that name.
 * @throws ApiError invalid_input (a field that the task or offer would not take, or too large), quota_exceeded
 */
export async function saveTemplate(ctx: ServiceContext, input: z.output<typeof SaveTemplateInput>) {
  const { kind, name } = input;
  const fields = checkFields(kind, input.fields) as Prisma.InputJsonObject;
  const identityId = ctx.actor.id;
  const key = { identityId_kind_name: { identityId, kind, name } };
  const savedAt = ctx.clock.now();
  return transaction(async (tx) => {
    // One at a time for each identity, so that the count is exact.
    await tx.$executeRaw`SELECT 1 FROM identities WHERE id = ${identityId} FOR NO KEY UPDATE`;
    const others = await tx.template.count({ where: { identityId, kind, NOT: { name } } });
    if (others >= TEMPLATES_PER_KIND) throw tooMany(kind);
    await tx.template.upsert({
      where: key,
      create: { identityId, kind, name, fields, savedAt },
      update: { fields, savedAt },
    });
    const all = await tx.template.findMany({ where: { identityId }, orderBy: [{ kind: "asc" }, { name: "asc" }] });
    return { templates: all.map(view) };
  });
}

/** @throws ApiError not_found if there is no template of this kind and name */
export async function removeTemplate(ctx: ServiceContext, { kind, name }: z.output<typeof RemoveTemplateInput>) {
  const { count } = await prisma().template.deleteMany({ where: { identityId: ctx.actor.id, kind, name } });
  if (count === 0) throw notFound();
  return readTemplates(ctx);
}

function view({ kind, name, fields, savedAt }: Template): TemplateWire {
  return { kind, name, fields: fields as Record<string, unknown>, saved_at: iso(savedAt) };
}

/** The fields as they were given, checked like those of the task or offer that will be made of them. */
function checkFields(kind: keyof typeof TEMPLATE_FIELDS, fields: Record<string, unknown>): Record<string, unknown> {
  const checked = TEMPLATE_FIELDS[kind].safeParse(fields);
  if (!checked.success) {
    const problems = checked.error.issues
      .slice(0, 5)
      .map(({ path, message, ...issue }) =>
        "keys" in issue && Array.isArray(issue.keys)
          ? { path: `fields.${issue.keys[0]}`, message: `is not a field of ${kind === "task" ? "a task" : "an offer"}` }
          : { path: ["fields", ...path].join("."), message },
      );
    throw refused(problems);
  }
  if (Buffer.byteLength(JSON.stringify(fields)) > TEMPLATE_BYTES)
    throw refused([{ path: "fields", message: `must have at most ${TEMPLATE_BYTES} bytes of JSON` }]);
  return fields;
}

function refused(problems: { path: string; message: string }[]): ApiError {
  const [first] = problems;
  return new ApiError("invalid_input", `${first?.path} ${first?.message}.`, { fieldErrors: problems });
}

function tooMany(kind: string): ApiError {
  return new ApiError(
    "quota_exceeded",
    `This identity already has ${TEMPLATES_PER_KIND} ${kind} templates, the maximum. Remove one first.`,
    { reason: "templates" },
  );
}
