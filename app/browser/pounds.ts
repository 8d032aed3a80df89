/** `4.99` → 499; undefined unless it is an amount of pounds. */
export function readPounds(pounds: string): number | undefined {
  const [, whole, part = ""] = /^£?\s*(\d{1,9})(?:\.(\d{1,2}))?$/.exec(pounds.trim().replaceAll(",", "")) ?? [];
  return whole === undefined ? undefined : Number(whole) * 100 + Number(part.padEnd(2, "0"));
}

/** 499 → `4.99`, 500 → `5`, as a person would type it. */
export function writePounds(pence: number): string {
  return pence % 100 === 0 ? String(pence / 100) : (pence / 100).toFixed(2);
}

export const WRITE_POUNDS = "Enter an amount in pounds, such as 5 or 4.99.";
