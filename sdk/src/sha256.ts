import { toHex, utf8 } from "./bytes.ts";

/*
 * SHA-256 (FIPS 180-4). Browsers offer it only as a promise and only over HTTPS; proofs need thousands of hashes in plain loops.
 */

/** The first 32 bits of the fractional parts of the cube roots (`K`) and square roots (`START`) of the first primes. */
const { K, START } = constants();

function constants(): { K: Int32Array; START: Int32Array } {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < 64; candidate += 1)
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  return {
    K: Int32Array.from(primes, (prime) => rootFraction(BigInt(prime), 3n)),
    START: Int32Array.from(primes.slice(0, 8), (prime) => rootFraction(BigInt(prime), 2n)),
  };
}

/** 32 bits of the fraction of the root, in whole numbers: floating point differs between engines in the last digit. */
function rootFraction(prime: bigint, degree: bigint): number {
  const target = prime << (32n * degree);
  let root = 0n;
  for (let bit = 1n << 36n; bit > 0n; bit >>= 1n) if ((root | bit) ** degree <= target) root |= bit;
  return Number(BigInt.asIntN(32, root));
}

// One for all calls, which never overlap: the message schedule of the block at hand, the state, and the blocks of a short message. Proofs
// take hundreds of hashes, and objects for each of them would be work for the garbage collector.
const words = new Int32Array(64);
const state = new Int32Array(8);
const short = new Uint8Array(128);

/** @returns 32 bytes */
export function sha256(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const digest = new Uint8Array(32);
  sha256Into(message, digest, 0);
  return digest;
}

/** Writes the 32 bytes of the hash into `out` from `at` on. */
export function sha256Into(message: Uint8Array, out: Uint8Array, at: number): void {
  const length = (((message.length + 8) >>> 6) + 1) << 6;
  const padded = length > short.length ? new Uint8Array(length) : short.fill(0);
  padded.set(message);
  padded[message.length] = 0x80;
  const blocks = new DataView(padded.buffer);
  blocks.setUint32(length - 8, Math.floor(message.length / 0x20000000));
  blocks.setUint32(length - 4, message.length << 3);

  state.set(START);
  for (let block = 0; block < length; block += 64) {
    for (let index = 0; index < 16; index += 1) words[index] = blocks.getInt32(block + index * 4);
    compress();
  }
  const hash = new DataView(out.buffer, out.byteOffset + at, 32);
  for (let index = 0; index < 8; index += 1) hash.setInt32(index * 4, state[index] as number);
}

// The rotations are written out: a function for them takes twice the time.
function compress(): void {
  for (let index = 16; index < 64; index += 1) {
    const early = words[index - 15] as number;
    const late = words[index - 2] as number;
    const small0 = ((early >>> 7) | (early << 25)) ^ ((early >>> 18) | (early << 14)) ^ (early >>> 3);
    const small1 = ((late >>> 17) | (late << 15)) ^ ((late >>> 19) | (late << 13)) ^ (late >>> 10);
    words[index] = (words[index - 16] as number) + small0 + (words[index - 7] as number) + small1;
  }
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  let e = state[4] as number;
  let f = state[5] as number;
  let g = state[6] as number;
  let h = state[7] as number;
  for (let index = 0; index < 64; index += 1) {
    const big1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const choice = (e & f) ^ (~e & g);
    const one = (h + big1 + choice + (K[index] as number) + (words[index] as number)) | 0;
    const big0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
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
  state[0] = (state[0] as number) + a;
  state[1] = (state[1] as number) + b;
  state[2] = (state[2] as number) + c;
  state[3] = (state[3] as number) + d;
  state[4] = (state[4] as number) + e;
  state[5] = (state[5] as number) + f;
  state[6] = (state[6] as number) + g;
  state[7] = (state[7] as number) + h;
}

/** `sha256:` and 64 hexadecimal digits over the UTF-8 bytes of the text: the form of every hash in the API. */
export function sha256Text(text: string): string {
  return `sha256:${toHex(sha256(utf8(text)))}`;
}

const FORM = /^sha256:[0-9a-f]{64}$/;

export function isSha256(value: unknown): value is string {
  return typeof value === "string" && FORM.test(value);
}
