/**
 * The VAT that a fee contains, in pence, rounded to the nearest penny, and the fee without it; both always add up to the fee. Pure.
 * @param hundredths the rate in hundredths of a per cent: 2,000 is 20 %
 */
export function splitVat(feePence: number, hundredths: number): { vatPence: number; exVatPence: number } {
  const whole = 10_000 + hundredths;
  const vatPence = Math.floor((2 * feePence * hundredths + whole) / (2 * whole));
  return { vatPence, exVatPence: feePence - vatPence };
}
