import { readPounds } from "../browser/pounds.ts";

/** `4.99` → 499, as the interface takes it; what is no amount of pounds comes back as it was, to be refused there. */
export function penceOf(pounds: string): string {
  return String(readPounds(pounds) ?? pounds);
}
