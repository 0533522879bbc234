/** What only code can bring to a server, checked: a program without types may bring anything. */

import { type SeamName, seamNames } from "./oauth/seams.ts";

/** Throws a `TypeError` for what would fail at the first request only, far from whoever wrote it. */
export function requireParts(options: unknown): void {
  if (!isObject(options)) throw new TypeError("Cannot create server: its options must be an object");
  const { store, seams, now, random, ...others } = options;
  if (store !== undefined) requireStore(store);
  if (seams !== undefined) requireSeams(seams);
  if (now !== undefined) requireClock(now);
  if (random !== undefined && !(isFunction(random) && random(0) instanceof Uint8Array)) {
    wrong("random", "must be a function from a length to a Uint8Array of so many octets");
  }
  for (const name of ["fetch", "journal"]) {
    if (others[name] !== undefined && !isFunction(others[name])) wrong(name, "must be a function");
  }
}

const verbs = ["get", "put", "delete", "close"];

function requireStore(store: unknown): void {
  const lacking = verbs.filter((verb) => !isObject(store) || !isFunction(store[verb]));
  if (lacking.length > 0) {
    wrong("store", `must have the verbs of a Store, and has no ${lacking.join(", no ")}`);
  }
}

export function requireKeyList(keys: unknown): void {
  if (isObject(keys) && Array.isArray(keys["keys"])) {
    wrong("signingKeys", "must be a list of private JWKs: of a key set, give its keys");
  }
  if (!Array.isArray(keys)) wrong("signingKeys", "must be a list of private JWKs");
  const at = keys.findIndex((key) => !isObject(key));
  if (at !== -1) wrong(`signingKeys[${at}]`, "must be a private JWK");
}

function requireSeams(seams: unknown): void {
  if (!isObject(seams)) wrong("seams", "must be an object of functions");
  for (const [name, seam] of Object.entries(seams)) {
    if (!seamNames.includes(name as SeamName)) {
      wrong(`seams.${name}`, `is not known: known are ${seamNames.join(", ")}`);
    }
    if (seam !== undefined && !isFunction(seam)) wrong(`seams.${name}`, "must be a function");
  }
}

// In seconds the year 5138; in milliseconds a day of 1973.
const farthest = 1e11;

function requireClock(now: unknown): void {
  const time = isFunction(now) ? now() : undefined;
  if (typeof time !== "number" || !Number.isFinite(time)) {
    wrong("now", "must be a function that returns seconds since 1970");
  }
  if (time >= farthest) wrong("now", "must return seconds since 1970, and seems to return milliseconds");
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isFunction(value: unknown): value is (...args: readonly unknown[]) => unknown {
  return typeof value === "function";
}

function wrong(place: string, expected: string): never {
  throw new TypeError(`Cannot create server: ${place} ${expected}`);
}
