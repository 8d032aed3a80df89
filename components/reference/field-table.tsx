import { type FieldDoc, shapeHref } from "./model.ts";
import { Described } from "./prose.tsx";
import { TwoColumns } from "./two-columns.tsx";

function TypeWords({ field }: { field: FieldDoc }) {
  const { type, shape, bounds } = field;
  const words = [type, ...bounds].join("; ");
  if (!shape) return <small>{words}</small>;
  const [before, ...after] = words.split(shape);
  return (
    <small>
      {before}
      <a href={shapeHref(shape)}>{shape}</a>
      {after.join(shape)}
    </small>
  );
}

/**
 * Fields with their type on the left and their meaning on the right. `optional` marks a field that may be missing, `required` one that
 * must be sent.
 */
export function FieldTable({
  caption,
  fields,
  optional,
  required,
}: {
  caption: string;
  fields: readonly FieldDoc[];
  optional: string;
  required?: string;
}) {
  return (
    <TwoColumns caption={caption} heads={["Field", "Meaning"]}>
      {fields.map((field) => (
        <tr key={field.name}>
          <th scope="row">
            <code>{field.name}</code>{" "}
            {required && field.required ? <strong className="text-13 text-caution">{required} </strong> : null}
            <TypeWords field={field} />
          </th>
          <td>
            <Described text={field.description} />
            {field.required ? null : <small> {optional}.</small>}
          </td>
        </tr>
      ))}
    </TwoColumns>
  );
}
