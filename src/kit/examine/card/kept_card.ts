/** A card as data for a file: without secrets, and without times and ids, so that two equal runs give equal files. */

import { levels } from "../../faults/misbehaviour.ts";
import { outcomes } from "../../faults/outcome.ts";
import { hidden, redactText } from "../../../server/oauth/secrets/redaction.ts";
import { checkSchema } from "../../../ground/schema/check_schema.ts";
import { isJsonObject, type JsonObject, parseJsonObject } from "../../../ground/schema/json_object.ts";
import { withReceived } from "../../../ground/schema/received.ts";
import type { Schema } from "../../../ground/schema/schema.ts";
import type { Card, CardRow } from "../examine.ts";
import type { RecordedRequest } from "../../mock/journal/recorded_request.ts";
import { type Grade, gradeOf } from "./grade.ts";
import { hideSecrets, shownClaims } from "./hide_secrets.ts";
import { present } from "../../../ground/values/present.ts";
import { parseJwt } from "../../../ground/crypto/jwt_parts.ts";

/** The version of the form in which cards are kept. */
export const cardVersion = 2;

/** A card in a file. */
export interface KeptCard extends Pick<Card, "runtime" | "phases" | "unfinished" | "neverSends" | "problem"> {
  /** The version of this form. `unharmed`, `crashed` and `not_applicable` are new in version 2. */
  readonly version: 1 | 2;
  /** A row for each misbehaviour, in the order of the catalogue. */
  readonly rows: readonly KeptRow[];
}

/** One line of a card in a file. */
export interface KeptRow extends Omit<CardRow, "requests"> {
  /** The requests that show the outcome: the ones with wrong answers first. */
  readonly requests: readonly KeptRequest[];
}

/** A recorded request in a file. It has no id, no times, and no key of the client, which is a new one in each run. */
export type KeptRequest = Omit<
  RecordedRequest,
  "raw" | "id" | "at" | "duration" | "flow" | "fault" | "provenKey"
>;

export function keepCard(card: Card | KeptCard): KeptCard {
  if ("version" in card) return card;
  const { rows, problem, driver: _driver, ...about } = card;
  const kept = problem === undefined ? {} : { problem: hideVarying(redactText(problem)) };
  return { version: cardVersion, ...about, ...kept, rows: rows.map(keepRow) };
}

export function keepRow({ requests, because, ...row }: CardRow): KeptRow {
  const grade = gradeOf(row);
  return {
    ...row,
    because: hideVarying(hideSecrets(because, requests)),
    requests: orderConcurrent(
      requests.map((request) => ({ request, kept: keepRequest(request, isEvidence(request, grade)) })),
    ),
  };
}

/** Whether the JSON of the response is kept. Metadata documents are long. */
function isEvidence({ altered }: RecordedRequest, grade: Grade): boolean {
  return grade === "unjudged" ? altered !== undefined : grade !== "passed";
}

function keepRequest(request: RecordedRequest, withAnswer: boolean): KeptRequest {
  const { raw: _raw, id: _id, at: _at, duration: _duration, flow: _flow, fault: _fault, ...shown } = request;
  const { provenKey: _provenKey, answer, ...facts } = shown;
  const kept = {
    ...facts,
    ...present({
      answer: withAnswer ? readAnswer(answer, request) : undefined,
    }),
  };
  return hideVaryingIn(kept) as KeptRequest;
}

/** Also shows the tokens that the client got: in the response, or from the server itself at a sign-out. */
function readAnswer(answer: JsonObject | undefined, request: RecordedRequest): JsonObject | undefined {
  const { response, facts } = request.raw();
  const { id_token: idToken } = parseJsonObject(response.body ?? "") ?? {};
  const [logoutToken] = Object.values(Object(facts.more?.["logout_token"]));
  const shown = present({ id_token: showJwt(idToken), logout_token: showToken(logoutToken) });
  return answer === undefined && shown.logout_token === undefined ? undefined : { ...answer, ...shown };
}

function hideVaryingIn(value: unknown, depth = 0): unknown {
  // A misbehaviour may nest lists more deeply than the JSON readers of others allow.
  if (depth > mostDepth && typeof value === "object" && value !== null) {
    return hideVaryingIn(JSON.stringify(value));
  }
  if (typeof value === "string") return shorten(hideVarying(value.slice(0, 2 * longestText)));
  // Members such as exp and iat are seconds since 1970.
  if (typeof value === "number") return value > 1e9 ? hiddenTime : value;
  if (Array.isArray(value)) return value.map((each) => hideVaryingIn(each, depth + 1));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, hideVaryingIn(each, depth + 1)]),
  );
}

const mostDepth = 20;
// A misbehaviour may send megabytes.
const longestText = 1000;

function shorten(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}

const hiddenTime = "[time]";
// Linux chooses free ports from here on. Other systems begin higher.
const lowestChosenPort = 32_768;

/** The numbers in the hosts of an examination change with the catalogue. */
function hideVarying(text: string): string {
  return text
    .replace(/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?/g, hiddenTime)
    .replace(/\b\d\d:\d\d:\d\d(\.\d+)?\b/g, hiddenTime)
    .replace(/\b1\d{9}(\d{3})?(\.\d+)?\b/g, hiddenTime)
    .replace(/\bduration_ms:? [\d.]+/g, `duration_ms ${hiddenTime}`)
    .replace(/\b\d+(\.\d+)? ?(ms|s|sec|secs|seconds?|minutes?)\b/g, hiddenTime)
    .replace(
      /(localhost|127\.0\.0\.1)(:|%3A)(\d{5})\b/gi,
      (found, host, colon, port) => Number(port) < lowestChosenPort ? found : `${host}${colon}[port]`,
    )
    // Some wrong values are in capitals, or lack the last letter.
    .replace(/(?<![a-z\d-])[sS]\d+[.-]((as|api|AS|API)[.-](test?|TEST?))\b/g, "$1");
}

const text: Schema = { type: "string" };
const rowTexts = ["name", "area", "level", "phase", "server", "client", "rule", "because"];
const row: Schema = {
  type: "object",
  required: [...rowTexts, "outcome", "requests"],
  properties: {
    ...Object.fromEntries([...rowTexts, "needs", "variant"].map((name) => [name, text])),
    area: { type: "string", pattern: "^[a-z_]+$" },
    level: { enum: levels },
    outcome: { enum: outcomes },
    requests: { type: "array", items: { type: "object" } },
  },
};
const keptCard: Schema = {
  type: "object",
  required: ["version", "phases", "rows"],
  properties: {
    version: { type: "integer", minimum: 1, maximum: cardVersion },
    runtime: text,
    problem: text,
    phases: { type: "array", items: text },
    unfinished: { type: "array", items: text },
    neverSends: { type: "array", items: text },
    rows: { type: "array", items: row },
  },
};

/** A card of docs/cards, as an earlier card: its rows have no sentences. */
const publishedCard: Schema = {
  ...keptCard,
  properties: {
    ...keptCard.properties,
    rows: { type: "array", items: { ...row, required: ["name", "outcome"] } },
  },
};

/** Reads a card from the text of a JSON file. Throws a TypeError if the text is not a card. */
export function readCard(json: string): KeptCard {
  const value = parse(json);
  const isPublished = isJsonObject(value) && isJsonObject(value["library"]);
  const found = checkSchema(value, isPublished ? publishedCard : keptCard);
  if (found === undefined) return value as unknown as KeptCard;
  const { place, problem, received } = found;
  throw new TypeError(`Cannot read the card: ${place || "the file"} ${withReceived(problem, received)}`);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new TypeError("Cannot read the card: the file is not JSON", { cause });
  }
}

interface Kept<T> {
  readonly request: Pick<RecordedRequest, "at" | "duration" | "method" | "path" | "altered">;
  readonly kept: T;
}

/** Chance decides which of equal calls at the same time succeeds, so their order here must not depend on it. */
function orderConcurrent<T>(all: readonly Kept<T>[]): readonly T[] {
  const groups: Kept<T>[][] = [];
  for (const each of all) {
    const group = groups.at(-1);
    if (group?.some((other) => isConcurrent(other, each))) group.push(each);
    else groups.push([each]);
  }
  return groups.flatMap((group) =>
    group.map(({ kept }) => ({ kept, text: JSON.stringify(kept) }))
      .sort((one, other) => one.text < other.text ? -1 : 1)
      .map(({ kept }) => kept)
  );
}

/** A wrong answer stays before the others. */
function isConcurrent({ request: one }: Kept<unknown>, { request: other }: Kept<unknown>): boolean {
  return one.method === other.method && one.path === other.path &&
    one.at <= other.at && other.at < one.at + one.duration &&
    (one.altered === undefined) === (other.altered === undefined);
}

// Any other member may hold a secret, data about a person, or a value that differs between two equal runs.
const shownHeader: ReadonlySet<string> = new Set(["alg", "typ", "kid", "crit"]);
/** Shows what a token says, because the fault may be there. Returns `undefined` for what is no such JWT. */
function showJwt(token: unknown): JsonObject | undefined {
  const parts = typeof token === "string" ? parseJwt(token) : undefined;
  return parts && { ...showToken(parts), signature: parts.signature && hidden };
}

function showToken(parts: unknown): JsonObject | undefined {
  const { header, claims } = Object(parts);
  if (!isJsonObject(header) || !isJsonObject(claims)) return undefined;
  return { header: hideOthers(header, shownHeader), claims: hideOthers(claims, shownClaims) };
}

function hideOthers(members: JsonObject, shown: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, shown.has(name) ? value : hidden]),
  );
}
