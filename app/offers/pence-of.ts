/** `4.99` → 499, as the interface takes it; what is no amount of pounds comes back as it was, to be refused there. */
export function penceOf(pounds: string): string {
  const [, whole, part = ""] = /^£?\s*(\d{1,9})(?:\.(\d{1,2}))?$/.exec(pounds.trim().replaceAll(",", "")) ?? [];
  return whole === undefined ? pounds : String(Number(whole) * 100 + Number(part.padEnd(2, "0")));
}
