/**
 * The store calls of each operation: the budget that `tests/scale/operation_costs_test.ts` holds, and what `docs/scale.md`
 * and the simulation count with. A change that adds a call here makes the operation dearer on every store.
 */
import type { StoreCall, Verb } from "./counted_store.ts";

type Line = `${Verb} ${string}`;

/**
 * One line for each call, in the order of the calls: verb, kind, and the octets of the value as JSON. A put has the
 * lifetime of its record in seconds, too.
 */
const lines: Readonly<Record<string, readonly Line[]>> = {
  first_login: [
    "read grant 0",
    "read throttle 0",
    "create throttle 14 60",
    "delete throttle 0",
    "create session 239 28800",
    "read consent 0",
    "read grant 0",
    "read session 239",
    "read consent 0",
    "read grant 0",
    "read session 239",
    "read consent 0",
    "replace session 245 28800",
    "create grant 524 3900",
    "read consent 0",
    "create consent 178 31536000",
    "read throttle 0",
    "read grant 524",
    "read session 245",
    "replace grant 727 5184000",
  ],
  next_login: [
    "read session 245",
    "read consent 178",
    "create grant 524 3900",
    "read throttle 0",
    "read grant 524",
    "read session 245",
    "replace grant 727 5184000",
  ],
  pushed_login: [
    "read throttle 0",
    "write pushed_request 410 390",
    "read pushed_request 410",
    "read grant 0",
    "read session 245",
    "read consent 178",
    "create grant 524 3900",
    "read throttle 0",
    "read grant 524",
    "read session 245",
    "replace grant 727 5184000",
  ],
  dpop_login: [
    "read session 245",
    "read consent 178",
    "create grant 524 3900",
    "read throttle 0",
    "create once 21 180",
    "read grant 524",
    "read session 245",
    "replace grant 727 5184000",
  ],
  registered_login: [
    "read client 894",
    "read session 267",
    "read client 894",
    "read grant 0",
    "read session 267",
    "read client 894",
    "create grant 558 3900",
    "read client 894",
    "read throttle 0",
    "read grant 558",
    "read session 267",
    "replace grant 580 3900",
  ],
  refresh: [
    "read throttle 0",
    "read grant 727",
    "read session 245",
    "replace grant 727 5184000",
  ],
  userinfo: [
    "read revoked_token 0",
    "read grant 727",
    "read session 245",
  ],
  dpop_userinfo: [
    "read revoked_token 0",
    "read grant 727",
    "read session 245",
    "create once 21 180",
  ],
  introspection: [
    "read throttle 0",
    "read revoked_token 0",
    "read grant 754",
    "read session 245",
  ],
  opaque_introspection: [
    "read throttle 0",
    "read access_token 309",
    "read revoked_token 0",
    "read grant 754",
    "read session 245",
  ],
  revocation: [
    "read throttle 0",
    "read grant 727",
    "read grant 727",
    "replace grant 728 5184000",
  ],
  access_token_revocation: [
    "read throttle 0",
    "write revoked_token 24 3600",
  ],
  client_credentials: [
    "read throttle 0",
  ],
  client_credentials_with_key: [
    "create once 21 120",
  ],
  opaque_client_credentials: [
    "read throttle 0",
    "create access_token 225 3600",
  ],
  registration: [
    "read throttle 0",
    "create client 872 Infinity",
  ],
  sign_out: [
    "read session 245",
    "read session 245",
    "replace session 74 28800",
  ],
  key_set: [
    "read key_set 1952",
  ],
  discovery: [],
};

export const operationCosts: ReadonlyMap<string, readonly StoreCall[]> = new Map(
  Object.entries(lines).map(([name, calls]) => [name, calls.map(readLine)]),
);

export function formatCall({ verb, kind, octets, lifetime }: StoreCall): Line {
  return `${verb} ${kind} ${octets}${lifetime === 0 ? "" : ` ${lifetime}`}`;
}

function readLine(line: Line): StoreCall {
  const [verb, kind = "", octets, lifetime = 0] = line.split(" ");
  return { verb: verb as Verb, kind, octets: Number(octets), lifetime: Number(lifetime) };
}
