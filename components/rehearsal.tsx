/** What a LIVE payment moves; a rehearsal is one with a test key. */
export const liveMoney = (rehearsal: boolean | undefined) => (rehearsal ? "test money" : "real money");

/** Stands where LIVE is spoken of, as long as it is only rehearsed. */
export function RehearsalNote({ shown }: { shown: boolean | undefined }) {
  if (!shown) return null;
  return <p className="mt-3 max-w-measure text-13 text-muted">This is a rehearsal: no real money moves.</p>;
}
