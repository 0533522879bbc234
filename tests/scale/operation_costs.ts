/**
 * The store calls of each operation: the budget that `tests/scale/operation_costs_test.ts` holds, and what `docs/scale.md`
 * counts with. A change that adds a call here makes the operation dearer on every store.
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
    "create session 258 28860",
    "read consent 0",
    "read grant 0",
    "read session 258",
    "read consent 0",
    "read grant 0",
    "read session 258",
    "read consent 0",
    "replace session 264 28860",
    "create grant 543 3900",
    "read consent 0",
    "create consent 178 31536000",
    "read throttle 0",
    "read grant 543",
    "read session 264",
    "replace grant 765 5184000",
  ],
  next_login: [
    "read session 264",
    "read consent 178",
    "create grant 543 3900",
    "read throttle 0",
    "read grant 543",
    "read session 264",
    "replace grant 765 5184000",
  ],
  pushed_login: [
    "read throttle 0",
    "write pushed_request 429 390",
    "read pushed_request 429",
    "read grant 0",
    "read session 264",
    "read consent 178",
    "create grant 543 3900",
    "read throttle 0",
    "read grant 543",
    "read session 264",
    "replace grant 765 5184000",
  ],
  dpop_login: [
    "read session 264",
    "read consent 178",
    "create grant 543 3900",
    "read throttle 0",
    "create once 21 181",
    "read grant 543",
    "read session 264",
    "replace grant 873 5184000",
  ],
  registered_login: [
    "read client 896",
    "read session 286",
    "read consent 212",
    "read client 896",
    "create grant 577 3900",
    "read client 896",
    "read throttle 0",
    "read grant 577",
    "read session 286",
    "replace grant 599 3900",
  ],
  refresh: [
    "read throttle 0",
    "read grant 765",
    "read session 264",
    "replace grant 765 5184000",
  ],
  userinfo: [
    "read revoked_token 0",
    "read grant 765",
    "read session 264",
  ],
  dpop_userinfo: [
    "read revoked_token 0",
    "read grant 873",
    "read session 264",
    "create once 21 181",
  ],
  introspection: [
    "read throttle 0",
    "read revoked_token 0",
    "read grant 810",
    "read session 264",
  ],
  opaque_introspection: [
    "read throttle 0",
    "read access_token 309",
    "read revoked_token 0",
    "read grant 810",
    "read session 264",
  ],
  revocation: [
    "read throttle 0",
    "read grant 765",
    "read grant 765",
    "replace grant 766 5184000",
  ],
  access_token_revocation: [
    "read throttle 0",
    "write revoked_token 24 3720",
  ],
  client_credentials: [
    "read throttle 0",
  ],
  client_credentials_with_key: [
    "create once 21 240",
  ],
  opaque_client_credentials: [
    "read throttle 0",
    "create access_token 225 3720",
  ],
  device_login_begun: [
    "create device_request 163 1200",
    "create user_code 38 1200",
  ],
  device_login_polled: [
    "read device_request 163",
    "read grant 0",
    "read device_polls 0",
    "create device_polls 36 1200",
  ],
  device_login_approved: [
    "read throttle 0",
    "read throttle 0",
    "create throttle 14 600",
    "read throttle 0",
    "create throttle 14 600",
    "read user_code 38",
    "read device_request 163",
    "read throttle 14",
    "replace throttle 14 600",
    "read throttle 14",
    "replace throttle 14 600",
    "read device_request 163",
    "read grant 0",
    "read session 264",
    "read device_request 163",
    "read grant 0",
    "read session 264",
    "read device_request 163",
    "read grant 0",
    "read session 264",
    "replace session 271 28860",
    "create grant 303 3780",
    "read device_request 163",
    "read grant 303",
    "read session 271",
    "replace grant 525 5184000",
  ],
  token_exchange: [
    "read throttle 0",
    "read revoked_token 0",
    "read grant 810",
    "read session 264",
  ],
  jwt_of_person: [
    "read throttle 0",
    "read grant 0",
    "create grant 226 3600",
  ],
  jwt_of_workload: [
    "read throttle 0",
  ],
  registration: [
    "read throttle 0",
    "create client 896 Infinity",
  ],
  sign_out: [
    "read session 264",
    "read session 264",
    "replace session 74 28860",
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
