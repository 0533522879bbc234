/** Learns a configuration from a HAR of one login: names and kinds, and no value that is a secret or about a person. */

import { Buffer } from "node:buffer";
import { parseJwt } from "../../../server/crypto/jwt_parts.ts";
import { signingAlgorithms } from "../../../server/crypto/platform.ts";
import type { Members } from "../../../server/oauth/members.ts";
import { claimsOfScope } from "../../../server/oauth/people/claims.ts";
import { isJsonObject, type JsonObject, parseJsonObject } from "../../../server/schema/json_object.ts";
import { present } from "../../../server/values/present.ts";
import { failed } from "../command_error.ts";
import { isMetadata } from "./fetch_provider.ts";
import { createContext, type ExportContext, learnLifetimes, learnSecret, learnUris } from "./learn_export.ts";
import { learnClaims, learnMetadata, type LearnOptions, learnScopes, readTexts } from "./learn_metadata.ts";
import { type Part, part, type Parts } from "./part.ts";
import type { Learned } from "./write_learned.ts";

/** A recorded request with its answer, if that is a JSON object. */
interface Recorded {
  /** Without a query, a fragment and user info. */
  readonly url: string;
  readonly params: ReadonlyMap<string, string>;
  readonly authorization: string;
  readonly answer: JsonObject;
}

/** The parameters whose values are no secrets. The others of this list are named only. */
const openParams = [
  ...["client_id", "redirect_uri", "scope", "response_type", "response_mode", "grant_type", "resource"],
  ...["audience", "prompt", "display", "max_age", "acr_values", "ui_locales", "code_challenge_method"],
];
const closedParams = [
  ...["state", "nonce", "code_challenge", "login_hint", "id_token_hint", "request", "request_uri", "claims"],
];

export function isHar(value: unknown): value is { readonly log: { readonly entries: readonly unknown[] } } {
  return isJsonObject(value) && isJsonObject(value["log"]) && Array.isArray(value["log"]["entries"]);
}

export function learnHar(
  { log }: { readonly log: { readonly entries: readonly unknown[] } },
  options: LearnOptions,
): Learned {
  const entries = log.entries.filter(isJsonObject);
  const all = entries.flatMap(readEntry);
  const logins = all.filter(({ params }) => params.has("client_id") && params.has("response_type"));
  const [login] = logins;
  if (login === undefined) {
    throw failed("the HAR has no authorization request with client_id and response_type");
  }
  const tokens = all.filter(({ params }) => params.has("grant_type"));
  const isOpen = createGuard(entries, all);
  const announced = all.map(({ answer }) => answer).find(isMetadata);
  const userinfo = all.filter(({ authorization, answer }) =>
    /^bearer /i.test(authorization) && "sub" in answer
  );
  const observed = {
    issuer: new URL(login.url).origin,
    authorization_endpoint: login.url,
    ...present({ token_endpoint: tokens[0]?.url, userinfo_endpoint: userinfo[0]?.url }),
  };
  const metadata = guardMetadata(announced ?? observed, isOpen);
  const source = announced === undefined ? "the recorded requests" : "the metadata";
  const { issuer, paths, ...others } = learnMetadata({ metadata }, { ...options, source });
  const context = createContext({ ...options, keepsSecrets: false });
  const answers = tokens.map(({ answer }) => answer);
  const scopes = readTexts([
    ...readTexts(metadata["scopes_supported"]),
    ...logins.flatMap(({ params }) => (params.get("scope") ?? "").split(" ")),
  ])
    .filter((name) => isOpen(name) && !readTexts(options.usual["scopes_supported"]).includes(name));
  const ids = readTexts(logins.map(({ params }) => params.get("client_id"))).filter(isOpen);
  const clients = ids.map((id) => learnClient(id, all.filter((each) => idOf(each) === id), isOpen, context));
  const parts: Parts = {
    issuer,
    paths,
    ...(announced === undefined ? {} : others),
    ...learnAnswers(answers),
    scopes: learnScopes(scopes, "From the scope of the requests, and from the metadata if the HAR has it."),
    // The methods of the metadata may lack that of a recorded client.
    clientAuthMethods: undefined,
    clients: { items: clients, from: "From the recorded requests." },
    ...learnPeople(answers, userinfo.map(({ answer }) => answer), isOpen),
  };
  return { parts, leftOut: context.leftOut, ...(announced === undefined ? {} : { metadata }) };
}

function guardMetadata(metadata: Members, isOpen: (text: string) => boolean): Members {
  const open = Object.entries(metadata).filter(([name, value]) =>
    name === "issuer" || typeof value !== "string" || isOpen(value)
  );
  const guard = (value: unknown) => Array.isArray(value) ? readTexts(value).filter(isOpen) : value;
  return Object.fromEntries(open.map(([name, value]) => [name, guard(value)]));
}

function readEntry({ request, response }: JsonObject): readonly Recorded[] {
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
function readBasic({ authorization }: Pick<Recorded, "authorization">): readonly string[] {
  const [, text = ""] = /^basic (.*)$/i.exec(authorization) ?? [];
  const pair = Buffer.from(text, "base64").toString();
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(pair) ?? [];
  return id === undefined ? [] : [id, secret!].map((each) => new URLSearchParams(`v=${each}`).get("v")!);
}

function idOf(recorded: Recorded): string | undefined {
  return recorded.params.get("client_id") ?? readBasic(recorded)[0];
}

/** Returns whether a text may be written: it has no secret of the HAR, no mail address and no token. */
function createGuard(entries: readonly JsonObject[], all: readonly Recorded[]): (text: string) => boolean {
  const secrets = new Set<string>();
  for (const message of entries.flatMap(({ request, response }) => [request, response])) {
    for (const [name, value] of listHeaders(message)) {
      if (/cookie|auth|token|key/.test(name)) value.split(/[\s;=,]+/).forEach((each) => secrets.add(each));
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

function learnClient(
  id: string,
  requests: readonly Recorded[],
  isOpen: (text: string) => boolean,
  context: ExportContext,
): Part {
  const values = (name: string) => readTexts(requests.map(({ params }) => params.get(name)));
  // A query and user info may have secrets, and a redirect URI has no fragment.
  const uris = values("redirect_uri").map((uri) => uri.replace(/[?#].*$/s, "").replace(/:\/\/[^/]*@/, "://"));
  if (!uris.every(isOpen) || values("redirect_uri").some((uri) => uri.includes("?"))) {
    context.leaveOut("A redirect URI had a query or a secret, which is not taken over: write it yourself.");
  }
  if (values("client_assertion").length > 0) context.leaveOut("A client has a key: add its jwks.");
  const used = [...openParams, ...closedParams].filter((name) =>
    requests.some(({ params }) => params.has(name))
  );
  const hasBasic = requests.some((each) => readBasic(each).length > 0);
  const method = hasBasic
    ? "client_secret_basic"
    : values("client_secret").length > 0
    ? "client_secret_post"
    : "none";
  const hasPkce = values("code_challenge").length > 0;
  const members: Parts = {
    client_id: part(id, `From the requests. They use ${used.join(", ")}.`),
    client_secret: method === "none" ? undefined : learnSecret(undefined, context),
    ...learnUris("", { redirect_uris: uris.filter(isOpen) }, context),
    token_endpoint_auth_method: part(
      method,
      "How the token request authenticates the client, if there is one.",
    ),
    require_pkce: part(hasPkce ? undefined : false, "The requests have no code_challenge."),
  };
  return { members, from: "From the recorded requests." };
}

function readClaims(answers: readonly JsonObject[], name: string): readonly Members[] {
  return answers.flatMap(({ [name]: token }) => parseJwt(String(token)) ?? []).map(({ claims }) => claims);
}

/** Learns from the answers of the token endpoint: lifetimes, and the form of tokens. */
function learnAnswers(answers: readonly JsonObject[]): Parts {
  const seconds = answers.map(({ expires_in }) => expires_in).find((each) => each !== undefined);
  const [access, id] = ["access_token", "id_token"].map((name) =>
    answers.map(({ [name]: token }) => token).filter((token) => typeof token === "string").at(-1)
  );
  const jwt = access === undefined ? undefined : parseJwt(access);
  const isOpaque = access !== undefined && jwt === undefined;
  const alg = signingAlgorithms.find((each) => id !== undefined && parseJwt(id)?.header["alg"] === each);
  return {
    ...present({ alg: part(alg, "From the header of the recorded ID token.") }),
    accessTokens: part(isOpaque ? "opaque" : undefined, "The recorded access token is no JWT."),
    accessTokenType: part(
      jwt?.header["typ"] === "JWT" ? "JWT" : undefined,
      "From the header of the access token.",
    ),
    lifetimes: learnLifetimes({ accessToken: part(seconds, "From expires_in of the token response.") }),
  };
}

function learnPeople(
  answers: readonly JsonObject[],
  userinfo: readonly JsonObject[],
  isOpen: (text: string) => boolean,
): Parts {
  const ofTokens = {
    accessToken: readClaims(answers, "access_token"),
    idToken: readClaims(answers, "id_token"),
    userinfo,
  };
  const all = Object.values(ofTokens).flat();
  const values = inventLike(Object.fromEntries(all.flatMap((claims) => Object.entries(claims))), isOpen);
  const ofScopes = Object.values(claimsOfScope).flat();
  const listed = Object.entries(ofTokens).map(([token, claims]) => {
    const names = readTexts(claims.flatMap((each) => Object.keys(each))).filter(isOpen);
    return [token, token === "userinfo" ? names.filter((name) => !ofScopes.includes(name)) : names];
  });
  return learnClaims(
    values as Members,
    Object.fromEntries(listed),
    "From the names of the claims in recorded tokens and answers.",
  );
}

/** Returns a value of the same kind, with the same names in objects. */
function inventLike(value: unknown, isOpen: (text: string) => boolean, depth = 0): unknown {
  if (typeof value === "string") return "invented";
  if (typeof value === "number") return 1;
  if (Array.isArray(value)) return value.slice(0, 1).map((each) => inventLike(each, isOpen, depth + 1));
  if (!isJsonObject(value)) return true;
  const members = depth > 3 ? [] : Object.entries(value).filter(([name]) => isOpen(name));
  return Object.fromEntries(members.map(([name, each]) => [name, inventLike(each, isOpen, depth + 1)]));
}
