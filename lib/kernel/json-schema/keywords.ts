import type { Rule } from "./check.ts";
import { PART_KEYWORDS } from "./part-keywords.ts";
import { VALUE_KEYWORDS } from "./value-keywords.ts";

/**
 * The keywords of JSON Schema 2020-12. A schema with any other keyword is refused, because a criterion that silently checks less
 * than it says is worse than none.
 */
export const KEYWORDS: Record<string, Rule> = { ...VALUE_KEYWORDS, ...PART_KEYWORDS };
