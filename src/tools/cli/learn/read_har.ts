/** Reads the requests of a HAR, and tells which of its texts are no secrets. */

import { Buffer } from "node:buffer";
import { isJsonObject, type JsonObject, parseJsonObject } from "../../../server/schema/json_object.ts";

/** A recorded request with its answer, if that is a JSON object. */
export interface Recorded {
  /** Without a query, a fragment and user info. */
  readonly url: string;
  readonly params: ReadonlyMap<string, string>;
  readonly authorization: string;
  readonly answer: JsonObject;
}

/** The parameters whose values are no secrets. The others of this list are named only. */
export const openParams: readonly string[] = [
  ...["client_id", "redirect_uri", "scope", "response_type", "response_mode", "grant_type", "resource"],
  ...["audience", "prompt", "display", "max_age", "acr_values", "ui_locales", "code_challenge_method", "iss"],
];
export const closedParams: readonly string[] = [
  ...["state", "nonce", "code_challenge", "login_hint", "id_token_hint", "request", "request_uri", "claims"],
];

export function isHar(value: unknown): value is { readonly log: { readonly entries: readonly unknown[] } } {
  return isJsonObject(value) && isJsonObject(value["log"]) && Array.isArray(value["log"]["entries"]);
}

export function readEntry({ request, response }: JsonObject): readonly Recorded[] {
  if (!isJsonObject(request) || typeof request["url"] !== "string" || !URL.canParse(request["url"])) {
    return [];
  }
  const url = new URL(request["url"]);
  const { postData } = request;
  const form = isJsonObject(postData) ? postData : {};
  const fields = Array.isArray(form["params"]) ? form["params"].filter(isJsonObject) : [];
  const isForm = String(form["mimeType"]).startsWith("application/x-www-form-urlencoded");
  return [{
    url: url.origin + url.pathname,
    params: new Map([
      ...url.searchParams,
      ...fields.map(({ name, value }) => [String(name), String(value)] as const),
      ...new URLSearchParams(isForm ? String(form["text"] ?? "") : ""),
    ]),
    authorization: new Map(listHeaders(request)).get("authorization") ?? "",
    answer: parseJsonObject(readContent(response)) ?? {},
  }];
}

function readContent(response: unknown): string {
  const content = isJsonObject(response) && isJsonObject(response["content"]) ? response["content"] : {};
  const { text = "", encoding } = content;
  return encoding === "base64" ? Buffer.from(String(text), "base64").toString() : String(text);
}

function listHeaders(message: unknown): readonly (readonly [string, string])[] {
  const headers = isJsonObject(message) && Array.isArray(message["headers"]) ? message["headers"] : [];
  return headers.filter(isJsonObject).map(({ name, value }) => [String(name).toLowerCase(), String(value)]);
}

/** Returns the id and the secret of a client in the header. */
export function readBasic({ authorization }: Pick<Recorded, "authorization">): readonly string[] {
  const [, text = ""] = /^basic (.*)$/i.exec(authorization) ?? [];
  const pair = Buffer.from(text, "base64").toString();
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(pair) ?? [];
  return id === undefined ? [] : [id, secret!].map((each) => new URLSearchParams(`v=${each}`).get("v")!);
}

export function idOf(recorded: Recorded): string | undefined {
  return recorded.params.get("client_id") ?? readBasic(recorded)[0];
}

/** Returns whether a text may be written: it has no secret of the HAR, no mail address and no token. */
export function createGuard(
  entries: readonly JsonObject[],
  all: readonly Recorded[],
): (text: string) => boolean {
  const secrets = new Set<string>();
  for (const message of entries.flatMap(({ request, response }) => [request, response])) {
    for (const [name, value] of listHeaders(message)) {
      // The attributes of a cookie, such as Path, and `:authority` are also in the addresses of endpoints.
      const secret = name === "set-cookie" ? value.replaceAll(/;.*/g, "") : value;
      if (/cookie|auth(?!ority)|token|key/.test(name)) {
        secret.split(/[\s;=,]+/).forEach((each) => secrets.add(each));
      }
    }
  }
  for (const { params, authorization, answer } of all) {
    for (const [name, value] of params) if (!openParams.includes(name)) secrets.add(value);
    for (const [name, value] of Object.entries(answer)) {
      if (/(^|_)(token|secret|code)$/.test(name)) secrets.add(String(value));
    }
    secrets.add(readBasic({ authorization })[1] ?? "");
  }
  const long = [...secrets].filter(({ length }) => length >= 6);
  return (text) => {
    const plain = new URLSearchParams(`v=${text.replaceAll("&", "%26")}`).get("v")!;
    return text.length <= 200 &&
      ![text, plain].some((each) =>
        each.includes("@") || /eyJ|[\w-]{80}/.test(each) || long.some((secret) => each.includes(secret))
      );
  };
}
