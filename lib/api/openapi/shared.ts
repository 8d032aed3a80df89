import { capitalised } from "#lib/kernel/operation-id.ts";
import type { Components, Json } from "./schemas.ts";

type Operation = { operationId: string; responses: Record<string, { content?: { "application/json": Json } }> };

/** Makes a component of each answer that several operations give, named after the first of them. Changes the paths. */
export function shareAnswers(paths: Record<string, Json>, components: Components): void {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods)) as Operation[];
  const answers = operations.flatMap(({ operationId, responses }) =>
    Object.values(responses).flatMap(({ content }) =>
      content ? [{ operationId, holder: content["application/json"] }] : [],
    ),
  );
  for (const [, same] of Map.groupBy(answers, ({ holder }) => JSON.stringify(holder.schema))) {
    const [first, ...others] = same;
    if (!first || others.length === 0) continue;
    const names = [...new Set(same.map(({ operationId }) => operationId))];
    const schema = { ...(first.holder.schema as Json), description: `The answer of ${names.join(", ")}.` };
    const name = `${capitalised(first.operationId)}Answer`;
    const reference = components.name(name, schema);
    for (const { holder } of same) holder.schema = reference;
  }
}
