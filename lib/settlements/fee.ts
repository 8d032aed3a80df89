/** The platform's share in basis points (hundredths of a per cent) of the gross. */
export const FEE_BPS = 1_000;

export type FeePolicy = { bps: number; rounding: "net_down"; minimum_live_pence: number };

/** The fee policy in force, as terms and settlements record it. */
export function feePolicy(minimumLivePence: number): FeePolicy {
  return { bps: FEE_BPS, rounding: "net_down", minimum_live_pence: minimumLivePence };
}

/**
 * Splits a gross amount: the provider's net is rounded down to the penny and the fee is the rest, so that both always add
 * up to the gross exactly.
 * @param grossPence non-negative safe integer
 */
export function splitGross(grossPence: number, bps: number = FEE_BPS): { feePence: number; netPence: number } {
  if (!Number.isSafeInteger(grossPence) || grossPence < 0)
    throw new RangeError("grossPence must be a non-negative integer");
  const netPence = Number((BigInt(grossPence) * BigInt(10_000 - bps)) / 10_000n);
  return { feePence: grossPence - netPence, netPence };
}
