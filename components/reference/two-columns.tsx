import type { ReactNode } from "react";

/**
 * A table of names on the left and their meanings on the right; `children` are its rows. It is styled in the style sheet, because
 * a page may have hundreds of rows.
 */
export function TwoColumns({
  caption,
  heads: [left, right],
  children,
}: {
  caption: string;
  heads: [string, string];
  children: ReactNode;
}) {
  return (
    <table className="field-table">
      <caption className="sr-only">{caption}</caption>
      <colgroup>
        <col />
        <col />
      </colgroup>
      <thead className="sr-only">
        <tr>
          <th scope="col">{left}</th>
          <th scope="col">{right}</th>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
