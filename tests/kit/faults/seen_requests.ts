/** Requests as a verdict sees them, without a server. */

import { type Seen, toSeen } from "../../../src/kit/faults/seen.ts";
import type { Facts } from "../../../src/server/oauth/contracts/journal.ts";

export interface SeenTerms {
  /** Its number is also the second of its arrival. */
  readonly number: number;
  readonly method?: string;
  readonly path?: string;
  readonly query?: string;
  /** The members of a form. */
  readonly form?: Readonly<Record<string, string>>;
  readonly authorization?: string;
  readonly host?: string;
  /** A DPoP proof. */
  readonly dpop?: string;
  /** The version of MCP in the header. */
  readonly mcpVersion?: string;
  /** The JSON that is sent. */
  readonly json?: string;
  readonly status?: number;
  readonly location?: string;
  /** The Content-Type and the body of the answer. */
  readonly type?: string;
  readonly body?: string;
  readonly facts?: Partial<Facts>;
}

export function seenAt(
  endpoint: string,
  {
    number,
    method = "GET",
    path = `/${endpoint}`,
    query = "",
    form,
    authorization,
    host,
    dpop,
    mcpVersion,
    json,
    ...answer
  }: SeenTerms,
): Seen {
  const { status = 200, location, type, body, facts = {} } = answer;
  const header = (name: string, value: string | undefined) =>
    value === undefined ? [] : [[name, value] as const];
  const sentAs = form && "application/x-www-form-urlencoded";
  return toSeen({
    id: `${number}`,
    receivedAt: 1_800_000_000 + number,
    duration: 0,
    request: {
      ...{ method: form === undefined ? method : "POST", path, query },
      headers: [
        ...[...header("authorization", authorization), ...header("host", host), ...header("dpop", dpop)],
        ...header("mcp-protocol-version", mcpVersion),
        ...header("content-type", sentAs),
      ],
      ...(form === undefined ? {} : { body: `${new URLSearchParams(form)}` }),
      ...(json === undefined ? {} : { body: json }),
    },
    response: {
      status,
      headers: [...header("location", location), ...header("content-type", type)],
      ...(body === undefined ? {} : { body }),
    },
    facts,
  }, endpoint);
}
