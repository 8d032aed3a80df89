import { delimiter, join } from "node:path";

/** The PATH for examples that are run as they are printed: where there is no curl, a small one takes its place. */
export function pathWithCurl(): string {
  return `${process.env.PATH}${delimiter}${join(import.meta.dirname, "curl")}`;
}
