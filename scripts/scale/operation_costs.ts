/**
 * The store calls of each operation: the budget that `tests/scale/operation_costs_test.ts` holds, and what `docs/scale.md`
 * and the simulation count with. A change that adds a call here makes the operation dearer on every store.
 */
import type { StoreCall, Verb } from "./counted_store.ts";

type Line = `${Verb} ${string}`;

/** One line for each call, in the order of the calls: verb, kind, and the octets of the value as JSON. */
const lines: Readonly<Record<string, readonly Line[]>> = {
  first_login: [
    "read grant 0",
    "read throttle 0",
    "create throttle 14",
    "delete throttle 0",
    "create session 234",
    "read consent 0",
    "read grant 0",
    "read session 234",
    "read consent 0",
    "read grant 0",
    "read session 234",
    "read consent 0",
    "replace session 240",
    "create grant 519",
    "read consent 0",
    "create consent 173",
    "read throttle 0",
    "read grant 519",
    "read session 240",
    "replace grant 722",
  ],
  next_login: [
    "read session 240",
    "read consent 173",
    "create grant 519",
    "read throttle 0",
    "read grant 519",
    "read session 240",
    "replace grant 722",
  ],
  pushed_login: [
    "read throttle 0",
    "write pushed_request 410",
    "read pushed_request 410",
    "read grant 0",
    "read session 240",
    "read consent 173",
    "create grant 519",
    "read throttle 0",
    "read grant 519",
    "read session 240",
    "replace grant 722",
  ],
  dpop_login: [
    "read session 240",
    "read consent 173",
    "create grant 519",
    "read throttle 0",
    "create once 21",
    "read grant 519",
    "read session 240",
    "replace grant 722",
  ],
  registered_login: [
    "read client 894",
    "read session 262",
    "read client 894",
    "read grant 0",
    "read session 262",
    "read client 894",
    "create grant 553",
    "read client 894",
    "read throttle 0",
    "read grant 553",
    "read session 262",
    "replace grant 575",
  ],
  refresh: [
    "read throttle 0",
    "read grant 722",
    "read session 240",
    "replace grant 722",
  ],
  userinfo: [
    "read revoked_token 0",
    "read grant 722",
    "read session 240",
  ],
  dpop_userinfo: [
    "read revoked_token 0",
    "read grant 722",
    "read session 240",
    "create once 21",
  ],
  introspection: [
    "read throttle 0",
    "read revoked_token 0",
    "read grant 749",
    "read session 240",
  ],
  opaque_introspection: [
    "read throttle 0",
    "read access_token 304",
    "read revoked_token 0",
    "read grant 749",
    "read session 240",
  ],
  revocation: [
    "read throttle 0",
    "read grant 722",
    "read grant 722",
    "replace grant 723",
  ],
  access_token_revocation: [
    "read throttle 0",
    "write revoked_token 24",
  ],
  client_credentials: [
    "read throttle 0",
  ],
  client_credentials_with_key: [
    "create once 21",
  ],
  opaque_client_credentials: [
    "read throttle 0",
    "create access_token 225",
  ],
  registration: [
    "read throttle 0",
    "create client 872",
  ],
  sign_out: [
    "read session 240",
    "read session 240",
    "replace session 74",
  ],
  key_set: [
    "read key_set 1952",
  ],
  discovery: [],
};

export const operationCosts: ReadonlyMap<string, readonly StoreCall[]> = new Map(
  Object.entries(lines).map(([name, calls]) => [name, calls.map(readLine)]),
);

export function formatCall({ verb, kind, octets }: StoreCall): Line {
  return `${verb} ${kind} ${octets}`;
}

function readLine(line: Line): StoreCall {
  const [verb, kind = "", octets] = line.split(" ");
  return { verb: verb as Verb, kind, octets: Number(octets) };
}
