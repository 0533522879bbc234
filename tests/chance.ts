/**
 * Chance that a seed repeats. Each test has a stream of its own, from the seed of the run, its file and its name. What
 * servers in this process ask of `crypto.getRandomValues` comes from that stream.
 */
import { digest } from "../src/ground/crypto/platform.ts";
import { readVariable } from "./environment.ts";

/** The seed of the run. */
export const seed: string = readVariable("POSTERN_TEST_SEED") ?? String(Math.floor(Math.random() * 2 ** 32));

/** Whether all random text begins with "-" and has no digit, as the stress runs want it. */
const isAwkward = readVariable("POSTERN_TEST_RANDOM") === "awkward";
/** The octets of an id. */
const idLength = 16;

export interface Chance {
  /** Returns a number from 0 to below 1. */
  number(): number;
  /** Returns an integer from 0 to below `limit`. */
  below(limit: number): number;
  pick<Item>(items: readonly Item[]): Item;
  fill(octets: Uint8Array): void;
}

/** Creates a stream. The same names give the same numbers in each run with the same seed. */
export function createChance(...names: readonly string[]): Chance {
  const next = createNumbers([seed, ...names].join("\n"));
  const number = () => next() / 2 ** 32;
  const below = (limit: number) => Math.floor(number() * limit);
  return {
    number,
    below,
    pick: (items) => items[below(items.length)]!,
    fill(octets) {
      for (let index = 0; index < octets.length; index += 4) {
        const word = next();
        for (let at = index; at < Math.min(index + 4, octets.length); at++) {
          octets[at] = word >>> (8 * (at - index)) & 255;
        }
      }
      // A library that rejects some values draws a few octets again until it has others.
      if (isAwkward && octets.length >= idLength) makeAwkward(octets);
    },
  };
}

/** Returns the generator sfc32 of 32-bit numbers. */
function createNumbers(text: string): () => number {
  const { buffer, byteOffset } = digest("sha256", text);
  const words = new DataView(buffer, byteOffset);
  let [a, b, c, counter] = [0, 4, 8, 12].map((at) => words.getUint32(at, true)) as [
    number,
    number,
    number,
    number,
  ];
  return () => {
    const sum = (a + b + counter) >>> 0;
    counter = (counter + 1) >>> 0;
    a = (b ^ (b >>> 9)) >>> 0;
    b = (c + (c << 3)) >>> 0;
    c = ((c << 21 | c >>> 11) + sum) >>> 0;
    return sum;
  };
}

/**
 * Changes octets so that their base64url has no digit, and "-" stands where an id begins. A digit has the bits 11 first, and begins at an even bit: the second bit of such a pair becomes 0.
 */
function makeAwkward(octets: Uint8Array): void {
  for (const [index, octet] of octets.entries()) {
    octets[index] = index % idLength === 0 ? 0b11111010 : octet & ~((octet & octet >>> 1 & 0b01010101) << 1);
  }
}

let current = createChance();

/** The stream of the test that runs. */
export function chance(): Chance {
  return current;
}

/** Begins the stream of a test. */
export function enterTest(file: string, name: string): void {
  current = createChance(file, name);
}

// Large arrays are not split, because all callers want less than the platform's limit of 65,536 octets.
Object.defineProperty(crypto, "getRandomValues", {
  configurable: true,
  writable: true,
  value: <Octets extends ArrayBufferView>(array: Octets): Octets => {
    current.fill(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    return array;
  },
});
