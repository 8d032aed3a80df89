export function median(values: number[]): number {
  return percentile(values, 50);
}

/** Nearest rank; of nothing, NaN. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

export type Latencies = { p50: number; p95: number; p99: number; max: number };

export function latencies(milliseconds: readonly number[]): Latencies {
  return {
    p50: round(percentile(milliseconds, 50)),
    p95: round(percentile(milliseconds, 95)),
    p99: round(percentile(milliseconds, 99)),
    max: round(percentile(milliseconds, 100)),
  };
}

export function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}
