import { createElement, Fragment, type ReactNode } from "react";

/** A heading that can be linked to. The link appears on hover and on keyboard focus. */
export function Anchored({ id, children, large = false }: { id: string; children: string; large?: boolean }) {
  return (
    <h2 id={id} className={`anchored font-semibold ${large ? "text-27" : "text-21"}`}>
      {children}{" "}
      <a href={`#${id}`} className="anchor">
        <span aria-hidden="true">#</span>
        <span className="sr-only">Link to “{children}”</span>
      </a>
    </h2>
  );
}

/** A description from the OpenAPI document: text between backticks becomes code. */
export function Described({ text }: { text: string }): ReactNode {
  const parts = text.split(/`([^`]+)`/);
  return createElement(
    Fragment,
    null,
    ...parts.map((part, at) => (at % 2 === 1 ? createElement("code", null, part) : part)),
  );
}
