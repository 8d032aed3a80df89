import { toHex, utf8 } from "./bytes.ts";

/*
 * SHA-256 (FIPS 180-4). Browsers offer it only as a promise and only over HTTPS; proofs need thousands of hashes in plain loops.
 */

/** The first 32 bits of the fractional parts of the cube roots (`K`) and square roots (`START`) of the first primes. */
const { K, START } = constants();

function constants(): { K: Uint32Array; START: Uint32Array } {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < 64; candidate += 1)
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  return {
    K: Uint32Array.from(primes, (prime) => rootFraction(BigInt(prime), 3n)),
    START: Uint32Array.from(primes.slice(0, 8), (prime) => rootFraction(BigInt(prime), 2n)),
  };
}

/** 32 bits of the fraction of the root, in whole numbers: floating point differs between engines in the last digit. */
function rootFraction(prime: bigint, degree: bigint): number {
  const target = prime << (32n * degree);
  let root = 0n;
  for (let bit = 1n << 36n; bit > 0n; bit >>= 1n) if ((root | bit) ** degree <= target) root |= bit;
  return Number(root & 0xffffffffn);
}

const rotated = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/** @returns 32 bytes */
export function sha256(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array((((message.length + 8) >>> 6) + 1) << 6);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 0x20000000));
  view.setUint32(padded.length - 4, message.length << 3);

  const state = START.slice();
  const words = new Uint32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let index = 0; index < 16; index += 1) words[index] = view.getUint32(block + index * 4);
    compress(state, words);
  }

  const digest = new Uint8Array(32);
  const out = new DataView(digest.buffer);
  state.forEach((word, index) => {
    out.setUint32(index * 4, word);
  });
  return digest;
}

function compress(state: Uint32Array, words: Uint32Array): void {
  for (let index = 16; index < 64; index += 1) {
    const early = words[index - 15] as number;
    const late = words[index - 2] as number;
    const small0 = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
    const small1 = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
    words[index] = ((words[index - 16] as number) + small0 + (words[index - 7] as number) + small1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let index = 0; index < 64; index += 1) {
    const big1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const choice = (e & f) ^ (~e & g);
    const one = (h + big1 + choice + (K[index] as number) + (words[index] as number)) | 0;
    const big0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + big0 + majority) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index] = ((state[index] as number) + word) | 0;
  });
}

/** `sha256:` and 64 hexadecimal digits over the UTF-8 bytes of the text: the form of every hash in the API. */
export function sha256Text(text: string): string {
  return `sha256:${toHex(sha256(utf8(text)))}`;
}
