import { type FieldDoc, shapeAnchor } from "./model.ts";

function TypeWords({ field }: { field: FieldDoc }) {
  const { type, shape, bounds } = field;
  const [before = "", after = ""] = shape ? type.split(shape) : [type];
  return (
    <>
      {before}
      {shape ? <a href={`#${shapeAnchor(shape)}`}>{shape}</a> : null}
      {after}
      {bounds.map((bound) => `; ${bound}`).join("")}
    </>
  );
}

/** Fields with their form on the left and their meaning on the right. `optional` is the word for one that may be missing. */
export function FieldTable({
  caption,
  fields,
  optional,
}: {
  caption: string;
  fields: readonly FieldDoc[];
  optional: string;
}) {
  return (
    <table className="mt-1 w-full table-fixed border-rule border-t">
      <caption className="sr-only">{caption}</caption>
      <colgroup>
        <col className="w-2/5" />
        <col />
      </colgroup>
      <thead className="sr-only">
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field.name} className="border-rule border-b align-top">
            <th scope="row" className="py-2 pe-4 font-normal">
              <code className="text-15 [overflow-wrap:anywhere]">{field.name}</code>
              <span className="block text-13 text-muted">
                <TypeWords field={field} />
              </span>
            </th>
            <td className="py-2">
              {field.description}
              {field.required ? null : <span className="text-13 text-muted"> {optional}.</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
