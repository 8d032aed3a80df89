/** Whether a number is a whole multiple of another, in decimal as both are written: 0.3 is a multiple of 0.1. */
export function isMultiple(value: number, of: number): boolean {
  const [left, right] = [decimal(value), decimal(of)];
  const scale = Math.min(left.exponent, right.exponent);
  const units = ({ digits, exponent }: Decimal) => digits * 10n ** BigInt(exponent - scale);
  return units(left) % units(right) === 0n;
}

type Decimal = { digits: bigint; exponent: number };

function decimal(value: number): Decimal {
  const [mantissa = "0", power = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}
