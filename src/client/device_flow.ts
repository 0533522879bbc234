/** Writes the requests of a device login, and polls for its answer (RFC 8628). */

import type { Pair } from "../http/form.ts";

export const deviceGrantType = "urn:ietf:params:oauth:grant-type:device_code";

export interface DeviceTerms {
  readonly scope: string | undefined;
  readonly resources?: readonly string[];
  /** Parameters that are added, or replace the others. */
  readonly more?: Readonly<Record<string, string | undefined>>;
}

/** The device authorization request (RFC 8628 §3.1). The credentials name the client. */
export function deviceParams({ scope, resources = [], more = {} }: DeviceTerms): readonly Pair[] {
  const named = Object.entries({ scope, ...more }).flatMap(([name, value]): readonly Pair[] =>
    value === undefined ? [] : [[name, value]]
  );
  return [...named, ...resources.map((each): Pair => ["resource", each])];
}

/** The token request of a device, which it repeats until the person has answered (RFC 8628 §3.4). */
export function deviceCodeParams(deviceCode: string): readonly Pair[] {
  return [["grant_type", deviceGrantType], ["device_code", deviceCode]];
}
