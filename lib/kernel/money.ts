/** The largest amount that the card processor takes in one payment in GBP, in pence; offers and budgets stay within it. */
export const MAX_PENCE = 99_999_999;

export const CURRENCY = "GBP";

/** `123456` → `£1,234.56`. */
export function formatPence(pence: number): string {
  return new Intl.NumberFormat("en-GB", { style: "currency", currency: CURRENCY }).format(pence / 100);
}

export const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
