/** What only code can bring to a server, checked: a program without types may bring anything. */

import type { RandomBytes } from "../crypto/bytes.ts";
import { type SeamName, seamNames } from "../oauth/seams.ts";
import { describeUnknown } from "../schema/nearest.ts";
import { describeType } from "../schema/received.ts";
import { refuseOption } from "./set_up_mistake.ts";

/** Throws a `TypeError` for what would fail at the first request only, far from whoever wrote it. */
export function requireParts(options: unknown): void {
  if (!isObject(options)) {
    const came = describeType(options);
    throw new TypeError(`Cannot create server: its options must be an object, not ${came}`);
  }
  const { store, seams, now } = options;
  if (store !== undefined) requireStore(store);
  if (seams !== undefined) requireSeams(seams);
  if (now !== undefined) requireClock(now);
  for (const name of ["fetch", "journal", "random"]) {
    const part = options[name];
    if (part !== undefined && !isFunction(part)) {
      refuseOption(name, "must be a function", describeType(part));
    }
  }
}

/** Asked for when they are taken: at start they would be missing from a sequence that repeats. */
export function requireOctets(random: RandomBytes): RandomBytes {
  return (length) => {
    const octets: unknown = random(length);
    if (ArrayBuffer.isView(octets) && octets.byteLength === length) return octets as Uint8Array;
    throw new TypeError(`random(${length}) must return a Uint8Array of ${length} octets`);
  };
}

const verbs = ["get", "put", "delete", "close"];

function requireStore(store: unknown): void {
  const has = (verb: string) =>
    (isObject(store) || isFunction(store)) && isFunction(Reflect.get(store, verb));
  const lacking = verbs.filter((verb) => !has(verb));
  if (lacking.length > 0) {
    refuseOption("store", `must have the verbs of a Store, and has no ${lacking.join(", no ")}`);
  }
}

function requireSeams(seams: unknown): void {
  if (!isObject(seams)) refuseOption("seams", "must be an object of functions", describeType(seams));
  for (const name of seamNames) {
    const seam = seams[name];
    if (seam === undefined || isFunction(seam)) continue;
    refuseOption(`seams.${name}`, "must be a function", describeType(seam));
  }
  // What is no function may be there for the others; a function of another name was meant for one of these.
  for (const [name, seam] of Object.entries(seams)) {
    if (!isFunction(seam) || seamNames.includes(name as SeamName)) continue;
    refuseOption(`seams.${name}`, describeUnknown(name, seamNames));
  }
}

// In seconds the year 5138; in milliseconds a day of 1973.
const farthest = 1e11;

function requireClock(now: unknown): void {
  const time = isFunction(now) ? askedOnce(now) : undefined;
  if (typeof time !== "number" || !Number.isFinite(time)) {
    refuseOption("now", "must be a function that returns seconds since 1970");
  }
  if (time >= farthest) {
    refuseOption("now", "must return seconds since 1970, and seems to return milliseconds");
  }
}

function askedOnce(now: () => unknown): unknown {
  try {
    return now();
  } catch (cause) {
    throw new TypeError("Cannot create server: now throws", { cause });
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isFunction(value: unknown): value is (...args: readonly unknown[]) => unknown {
  return typeof value === "function";
}
