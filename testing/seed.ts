import { randomInt } from "node:crypto";
import fc from "fast-check";

const DEFAULT_SEED = 20_261_122;
const LARGEST = 2 ** 31 - 1;

/**
 * The one seed of everything that tests choose at random: the same in every run, unless `TEST_SEED` is another number, or `random`.
 * A number other than the default is printed, so that the run can be repeated with `TEST_SEED=number`.
 */
export const SEED = readSeed(process.env.TEST_SEED);
/** Whether the choices are the usual ones, about which a test may know what they cover. */
export const isDefaultSeed = SEED === DEFAULT_SEED;

// Child processes, the browser's tests among them, use the same seed.
process.env.TEST_SEED = String(SEED);
fc.configureGlobal({ seed: SEED });
if (!isDefaultSeed) console.log(`TEST_SEED=${SEED}`);

/** fast-check with that seed. */
export { fc };

function readSeed(text: string | undefined): number {
  if (text === "random") return randomInt(LARGEST);
  const seed = Number(text || DEFAULT_SEED);
  if (!Number.isSafeInteger(seed) || seed < 0 || seed > LARGEST)
    throw new Error(`TEST_SEED must be "random" or a whole number from 0 to ${LARGEST}, not "${text}".`);
  return seed;
}
