/** Writes the requests of a device login, and polls for its answer (RFC 8628). */

import type { Pair } from "../../ground/http/form.ts";
import { present } from "../../ground/values/present.ts";
import type { JsonObject } from "../../ground/schema/json_object.ts";
import { listPairs, resourcePairs } from "./flow.ts";

export const deviceGrantType = "urn:ietf:params:oauth:grant-type:device_code";

export interface DeviceOptions {
  readonly scope: string | undefined;
  readonly resources?: readonly string[];
  /** Parameters that are added, or replace the others. */
  readonly more?: Readonly<Record<string, string | undefined>>;
}

/** The device authorization request (RFC 8628 §3.1). The credentials name the client. */
export function deviceParams({ scope, resources, more }: DeviceOptions): readonly Pair[] {
  return [...listPairs({ scope, ...more }), ...resourcePairs(resources)];
}

/** The token request of a device, which it repeats until the person has answered (RFC 8628 §3.4). */
export function deviceCodeParams(deviceCode: string): readonly Pair[] {
  return [["grant_type", deviceGrantType], ["device_code", deviceCode]];
}

/** The device authorization response (RFC 8628 §3.2). */
export interface DeviceCodes {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly verificationUri: string;
  /** The address that fills in the code. Absent if it is not at the same server. */
  readonly completeUri?: string;
  /** In seconds, as the interval. */
  readonly expiresIn: number;
  readonly interval: number;
}

/** RFC 8628 §3.2: without an interval, the client waits so many seconds. */
const usualInterval = 5;

/** Returns `undefined` if the response lacks a code, an address or a lifetime. */
export function readDeviceCodes(members: JsonObject): DeviceCodes | undefined {
  const { device_code: deviceCode, user_code: userCode, expires_in: expiresIn } = members;
  const verificationUri = readAddress(members["verification_uri"]);
  const completeUri = readAddress(members["verification_uri_complete"]);
  const interval = readSeconds(members["interval"]);
  if (
    typeof deviceCode !== "string" || typeof userCode !== "string" || verificationUri === undefined ||
    typeof expiresIn !== "number"
  ) return undefined;
  // The response could lead the person to another server, whose page looks like that of this one.
  const isSame = completeUri?.origin === verificationUri.origin;
  return {
    deviceCode,
    userCode,
    verificationUri: verificationUri.href,
    ...present({ completeUri: isSame ? completeUri?.href : undefined }),
    expiresIn,
    interval: interval ?? usualInterval,
  };
}

function readAddress(value: unknown): URL | undefined {
  const isAddress = typeof value === "string" && /^https?:/i.test(value) && URL.canParse(value);
  return isAddress ? new URL(value) : undefined;
}

function readSeconds(value: unknown): number | undefined {
  return typeof value === "number" && value > 0 ? value : undefined;
}

export interface PollOptions<Reply> extends Pick<DeviceCodes, "interval" | "expiresIn"> {
  poll(): Promise<Reply>;
  errorOf(reply: Reply): unknown;
  wait(seconds: number): Promise<void>;
  /** In seconds. */
  now(): number;
}

/** Resolves to the last reply (RFC 8628 §3.5), or to `undefined` if the lifetime of the code has ended before. */
export async function pollForAnswer<Reply>(options: PollOptions<Reply>): Promise<Reply | undefined> {
  const { poll, errorOf, wait, now } = options;
  const endsAt = now() + options.expiresIn;
  let { interval } = options;
  while (now() + interval < endsAt) {
    await wait(interval);
    const reply = await poll();
    const error = errorOf(reply);
    if (error === "slow_down") interval += 5;
    else if (error !== "authorization_pending") return reply;
  }
  return undefined;
}
