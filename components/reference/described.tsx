import { createElement, Fragment, type ReactNode } from "react";

/** What the interface says of itself: what stands between backticks is code, as in its OpenAPI document. */
export function Described({ text }: { text: string }): ReactNode {
  const parts = text.split(/`([^`]+)`/);
  return createElement(
    Fragment,
    null,
    ...parts.map((part, at) => (at % 2 === 1 ? createElement("code", null, part) : part)),
  );
}
