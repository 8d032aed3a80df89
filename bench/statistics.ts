export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** Nearest rank; of nothing, NaN. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

export type Latencies = { p50: number; p95: number; p99: number; max: number };

export function latencies(milliseconds: readonly number[]): Latencies {
  const [p50 = 0, p95 = 0, p99 = 0, max = 0] = [50, 95, 99, 100].map((rank) => round(percentile(milliseconds, rank)));
  return { p50, p95, p99, max };
}

export function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}

export const thousands = (number: number) => number.toLocaleString("en-GB");

/** Numbers between 0 and 1, the same in every run (mulberry32). */
export function repeatableRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
