/** Checks the options that are not JSON, and refuses demo clients and people where other machines reach the server. */

import type { RandomBytes } from "../../ground/crypto/bytes.ts";
import { type SeamName, seamNames } from "../oauth/contracts/seams.ts";
import { refuseOption } from "../oauth/options/set_up_mistake.ts";
import { isJsonObject } from "../../ground/schema/json_object.ts";
import { describeUnknown } from "../../ground/schema/nearest.ts";
import { describeType } from "../../ground/schema/received.ts";
import { isReachedFromElsewhere, listNames } from "../oauth/clients/reach/reached_from_elsewhere.ts";
import type { Settings } from "../oauth/contracts/settings.ts";
import type { Configuration } from "./configuration.ts";

/** JavaScript callers have no type check. Without this one, wrong options would fail at the first request. */
export function requireParts(options: unknown): void {
  if (!isJsonObject(options)) {
    const received = describeType(options);
    throw new TypeError(`Cannot create server: its options must be an object, not ${received}`);
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

/** Checks each result. A check at start would use up octets, and change the sequence of a seeded generator. */
export function requireOctets(random: RandomBytes): RandomBytes {
  return (length) => {
    const octets: unknown = random(length);
    if (ArrayBuffer.isView(octets) && octets.byteLength === length) return octets as Uint8Array;
    throw new TypeError(`random(${length}) must return a Uint8Array of ${length} octets`);
  };
}

const methods = ["get", "put", "delete", "close"];

function requireStore(store: unknown): void {
  // Object() makes the check work for primitive values and null, too.
  const missing = methods.filter((name) => !isFunction(Object(store)[name]));
  if (missing.length > 0) {
    refuseOption("store", `must have the methods of a Store, but lacks ${missing.join(", ")}`);
  }
}

function requireSeams(seams: unknown): void {
  if (!isJsonObject(seams)) refuseOption("seams", "must be an object of functions", describeType(seams));
  for (const name of seamNames) {
    const seam = seams[name];
    if (seam === undefined || isFunction(seam)) continue;
    refuseOption(`seams.${name}`, "must be a function", describeType(seam));
  }
  // Other members may be data for the functions. A function with an unknown name is probably a misspelt seam.
  for (const [name, seam] of Object.entries(seams)) {
    if (!isFunction(seam) || seamNames.includes(name as SeamName)) continue;
    refuseOption(`seams.${name}`, describeUnknown(name, seamNames));
  }
}

// The year 5138 in seconds. A larger number is almost certainly a time in milliseconds.
const latestTime = 1e11;

function requireClock(now: unknown): void {
  const time = isFunction(now) ? readClock(now) : undefined;
  if (typeof time !== "number" || !Number.isFinite(time)) {
    refuseOption("now", "must be a function that returns seconds since 1970");
  }
  if (time >= latestTime) {
    refuseOption("now", "must return seconds since 1970: it seems to return milliseconds");
  }
}

function readClock(now: () => unknown): unknown {
  try {
    return now();
  } catch (cause) {
    throw new TypeError("Cannot create server: now throws", { cause });
  }
}

function isFunction(value: unknown): value is (...args: readonly unknown[]) => unknown {
  return typeof value === "function";
}

/** The demo credentials are published, so only `exposeDemo` allows them at an issuer that other machines can reach. */
export function requireOwnAccounts(
  { clients, people, exposeDemo = false }: Configuration,
  names: Pick<Settings, "issuer" | "also">,
): void {
  // A program that serves https itself may have an https issuer on loopback.
  if (exposeDemo || !isReachedFromElsewhere({ ...names, servesHttps: true })) return;
  const missing = clients === undefined ? "clients" : people === undefined ? "people" : undefined;
  if (missing === undefined) return;
  refuseOption(
    missing,
    `must be configured, because other machines may reach ${
      listNames(names)
    }, and anyone could use the demo ${missing}: ` +
      "configure clients and people, or set exposeDemo to true (--expose-demo)",
  );
}
