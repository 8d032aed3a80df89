const COMPARISON = /^\s*([\w.]+)\s*=\s*'([^'\p{Cc}]*)'\s*$/u;
const MOST_COMPARISONS = 20;

/**
 * Reads `type = 'application/json' AND publisher = 'example.com'` as the value of each field.
 * @returns undefined for anything else, and for a field that is compared twice
 */
export function parseFilter(text: string): Record<string, string[]> | undefined {
  if (text.trim() === "") return {};
  const comparisons = text.slice(0, 2_000).split(/\s+AND\s+/i);
  if (comparisons.length > MOST_COMPARISONS) return undefined;
  const found: Record<string, string[]> = {};
  for (const comparison of comparisons) {
    const [, path, value] = COMPARISON.exec(comparison) ?? [];
    if (path === undefined || value === undefined || Object.hasOwn(found, path)) return undefined;
    found[path] = [value];
  }
  return found;
}
