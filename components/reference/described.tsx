import { createElement, Fragment, type ReactNode } from "react";

/** A description from the OpenAPI document: text between backticks becomes code. */
export function Described({ text }: { text: string }): ReactNode {
  const parts = text.split(/`([^`]+)`/);
  return createElement(
    Fragment,
    null,
    ...parts.map((part, at) => (at % 2 === 1 ? createElement("code", null, part) : part)),
  );
}
