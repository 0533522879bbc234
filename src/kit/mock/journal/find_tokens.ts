/** Finds the tokens of a recorded request and of its response. */

import { parseJwt } from "../../../ground/crypto/jwt_parts.ts";
import { findHeader, type JournalEntry } from "../../../server/oauth/contracts/journal.ts";
import type { EndpointName } from "../endpoints.ts";
import { readExchangeParts } from "./exchange_parts.ts";

export interface FoundToken {
  readonly name: string;
  readonly carriedBy: "request" | "response";
  readonly text: string;
}

const credentials: ReadonlySet<string> = new Set([
  ...["access_token", "refresh_token", "code", "token", "authorization"],
]);

/** Whether a value with this name is a code or a token of the server, which may be a JWT or not. */
export function isCredential(name: string): boolean {
  return credentials.has(name);
}

/** Whether the parameter is what a person types as second factor, and not the code of a client. */
export function isOneTimeCode(name: string, endpoint: EndpointName): boolean {
  return name === "code" && endpoint === "second_factor";
}

/** Returns the JWTs, and the codes and tokens that are no JWT. Those of the response come first. */
export function findTokens(entry: JournalEntry, endpoint: EndpointName): readonly FoundToken[] {
  const { query, form, redirected, responseMembers = {} } = readExchangeParts(entry);
  const dpop = findHeader(entry.request, "dpop");
  const [, token] = /^(?:bearer|dpop) +(\S+)$/i.exec(findHeader(entry.request, "authorization") ?? "") ?? [];
  const pick = (carriedBy: FoundToken["carriedBy"], values: Iterable<readonly [string, unknown]>) =>
    [...values].flatMap(([name, text]): readonly FoundToken[] =>
      typeof text === "string" && (isCredential(name) || parseJwt(text) !== undefined)
        ? [{ name, carriedBy, text }]
        : []
    );
  return [
    ...pick("response", [...Object.entries(responseMembers), ...redirected]),
    ...pick("request", [
      ...[...form, ...query].filter(([name]) => !isOneTimeCode(name, endpoint)),
      ...[["authorization", token], ["dpop", dpop]] as const,
    ]),
  ];
}
