/**
 * Whether an `Accept` header asks for one media type at least as much as for another. Ranges such as `*\/*` ask for neither, and a
 * weight of 0 refuses.
 */
export function prefers(accept: string | null | undefined, type: string, other: string): boolean {
  if (!accept) return false;
  const ranges = accept.toLowerCase().split(",");
  const weight = (wanted: string) => {
    const range = ranges.find((each) => each.split(";", 1)[0]?.trim() === wanted);
    if (range === undefined) return 0;
    const q = /;\s*q=([\d.]+)/.exec(range)?.[1];
    return q === undefined ? 1 : Number(q);
  };
  return weight(type) > 0 && weight(type) >= weight(other);
}
