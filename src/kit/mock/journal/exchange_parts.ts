/** Takes a journal entry apart: the parameters, JSON members and headers of its request and its response. */

import { parseJwt, unwrapResponse } from "../../../ground/crypto/jwt_parts.ts";
import { isFormType } from "../../../ground/http/body.ts";
import type { Pair } from "../../../ground/http/form.ts";
import { findHeader, type JournalEntry, type Message } from "../../../server/oauth/contracts/journal.ts";
import { hidden } from "../../../server/oauth/secrets/redaction.ts";
import { type JsonObject, parseJsonObject } from "../../../ground/schema/json_object.ts";
import { decodePercent } from "../../../ground/http/address.ts";

/** An exchange with its secrets. It stays in memory. */
export interface ExchangeParts {
  readonly query: readonly Pair[];
  /** Empty if the body of the request is not a form. */
  readonly form: readonly Pair[];
  readonly requestMembers: JsonObject | undefined;
  readonly responseMembers: JsonObject | undefined;
  /** The parameters in the address to which the response redirects, also in its fragment, as they were sent. */
  readonly sent: readonly Pair[];
  /** The same, with those inside of a JWT (JARM) in its place. */
  readonly redirected: readonly Pair[];
}

export function readExchangeParts({ request, response }: JournalEntry): ExchangeParts {
  const isForm = isFormType(findHeader(request, "content-type"));
  const { query = "", fragment = "" } = splitLocation(findHeader(response, "location") ?? "");
  const sent = [...readPairs(query), ...readPairs(fragment)];
  return {
    query: readPairs(request.query),
    form: isForm ? readPairs(request.body ?? "") : [],
    requestMembers: readMembers(request),
    responseMembers: readMembers(response),
    sent,
    redirected: unwrapResponse(sent),
  };
}

/**
 * Returns the flow of an exchange. A request that was refused before the server knew its flow belongs to the one that its
 * code or token names: codes, refresh tokens and the jti of access tokens begin with the id of the flow.
 */
export function flowOf(
  { entry: { facts, request }, begins }: {
    readonly entry: JournalEntry;
    readonly begins?: string | undefined;
  },
): string | undefined {
  if (facts.flow !== undefined || facts.refusal === undefined) return facts.flow ?? begins;
  const presented = /(?:^|&)(?:code|refresh_token|token)=([\w-]{22})\./.exec(request.body ?? "")?.[1];
  if (presented !== undefined) return presented;
  const token = /^\w+ +(\S+)$/.exec(findHeader(request, "authorization") ?? "")?.[1] ?? "";
  const name = parseJwt(token)?.claims["jti"] ?? token;
  return typeof name === "string" ? /^([\w-]{22})\./.exec(name)?.[1] : undefined;
}

export function findParameter({ form, query }: ExchangeParts, name: string): string | undefined {
  return [...form, ...query].find(([each, value]) => each === name && value !== "")?.[1];
}

export function findRedirected({ redirected }: ExchangeParts, name: string): string | undefined {
  return redirected.find(([each]) => each === name)?.[1];
}

export function findAnswered({ responseMembers }: ExchangeParts, name: string): string | undefined {
  const value = responseMembers?.[name];
  return typeof value === "string" ? value : undefined;
}

export function splitLocation(
  location: string,
): { readonly address: string; readonly query: string | undefined; readonly fragment: string | undefined } {
  const [, address = "", query, fragment] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(location) ?? [];
  return { address, query, fragment };
}

/** A piece without the usual form of a name may be a secret: its name is hidden, and the whole piece is the value. */
export function splitPairs(form: string): readonly Pair[] {
  return form.split("&").filter((piece) => piece !== "").map((piece): Pair => {
    const name = /^[a-z][a-z_]{0,39}(?==)/.exec(piece)?.[0];
    return name === undefined ? [hidden, piece] : [name, piece.slice(name.length + 1)];
  });
}

function readPairs(form: string): readonly Pair[] {
  return splitPairs(form).map(([name, value]) => [name, decodeValue(value) ?? value]);
}

/** Returns `undefined` if the encoding is wrong. */
export function decodeValue(encoded: string): string | undefined {
  return decodePercent(encoded.replaceAll("+", " "));
}

export function readMembers(message: Message): JsonObject | undefined {
  const type = findHeader(message, "content-type") ?? "";
  return /^application\/([\w.-]+\+)?json\b/i.test(type) ? parseJsonObject(message.body ?? "") : undefined;
}
