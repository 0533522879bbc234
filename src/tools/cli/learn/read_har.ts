/** Reads the requests of a HAR, and tells which of its texts are no secrets. */

import type { Members } from "../../../ground/values/members.ts";
import { isJsonObject, type JsonObject, parseJsonObject } from "../../../ground/schema/json_object.ts";
import { decodeText } from "../../../ground/values/octets.ts";
import { failed } from "../terminal/command_error.ts";
import { isMetadata } from "./fetch_provider.ts";
import { type LearnContext, readObjects } from "./learn_parts.ts";
import { isAddress, listMembers, listValues } from "./list_values.ts";
import { writeValue } from "../../../ground/values/write_value.ts";

export interface Har {
  readonly log: { readonly entries: readonly unknown[] };
}

/** A recorded request with its answer, if that is a JSON object or a form. */
export interface Recorded {
  /** Without a query, a fragment and user info. */
  readonly url: string;
  readonly params: ReadonlyMap<string, string>;
  readonly authorization: string;
  readonly answer: JsonObject;
}

/** What a HAR has of a login. */
export interface RecordedLogin {
  readonly all: readonly Recorded[];
  /** The authorization requests. There is at least one. */
  readonly logins: readonly Recorded[];
  readonly tokens: readonly Recorded[];
  readonly userinfo: readonly Recorded[];
  readonly metadata: Members | undefined;
  /**
   * Returns the texts that may be written, because they have no secret of the HAR, no mail address and no token. `what`
   * names the others in the list of what is left out.
   */
  keepOpen(texts: readonly string[], what: string, instead?: string): readonly string[];
}

/** The parameters whose values are no secrets. The others of this list are named only. */
const openParams: readonly string[] = [
  ...["client_id", "redirect_uri", "scope", "response_type", "response_mode", "grant_type", "resource"],
  ...["audience", "prompt", "display", "max_age", "acr_values", "ui_locales", "code_challenge_method", "iss"],
];
export const namedParams: readonly string[] = [
  ...openParams,
  ...["state", "nonce", "code_challenge", "login_hint", "id_token_hint", "request", "request_uri", "claims"],
];

export function isHar(value: unknown): value is Har {
  return isJsonObject(value) && isJsonObject(value["log"]) && Array.isArray(value["log"]["entries"]);
}

/** `announced` is metadata that the user named beside the HAR. */
export function readHar({ log }: Har, { leaveOut }: LearnContext, announced?: Members): RecordedLogin {
  const entries = readObjects(log.entries);
  const all = entries.flatMap(readEntry);
  const logins = all.filter(({ params }) => params.has("client_id") && params.has("response_type"));
  if (logins.length === 0) {
    throw failed("the HAR has no authorization request with client_id and response_type");
  }
  const isOpen = createGuard(entries, all);
  const tokens = all.filter(({ params }) => params.has("grant_type"));
  const metadata = announced ?? all.map(({ answer }) => answer).find(isMetadata);
  // Chrome leaves out the header, unless the HAR has sensitive data.
  const userinfo = all.filter(({ url, authorization, answer }) =>
    (/^bearer /i.test(authorization) || url === metadata?.["userinfo_endpoint"]) && "sub" in answer
  );
  noteGaps({ logins, tokens, userinfo }, leaveOut);
  return {
    all,
    logins,
    tokens,
    userinfo,
    metadata,
    keepOpen(texts, what, instead = "left out") {
      if (!texts.every(isOpen)) {
        leaveOut(`${what} has a mail address, or a value that is secret in the HAR, so it is ${instead}.`);
      }
      return texts.filter(isOpen);
    },
  };
}

/** Notes what the HAR lacks, and what Postern does otherwise. A HAR of a browser has only what the browser requested. */
function noteGaps(
  { logins, tokens, userinfo }: Pick<RecordedLogin, "logins" | "tokens" | "userinfo">,
  leaveOut: LearnContext["leaveOut"],
): void {
  if (tokens.length === 0) {
    leaveOut("The HAR has no token request: claims, lifetimes and the method of the client are not learned.");
  } else if (tokens.every(({ answer }) => Object.keys(answer).length === 0)) {
    leaveOut("The token response has no content: claims and lifetimes are not learned.");
  }
  if (userinfo.length === 0) {
    leaveOut("The HAR has no answer of userinfo: its claims are not learned.");
  } else if (logins.some(({ params }) => params.has("resource"))) {
    leaveOut("The login names a resource, and Postern's userinfo refuses such a token: request another one.");
  }
}

function readEntry({ request, response }: JsonObject): readonly Recorded[] {
  if (!isJsonObject(request) || typeof request["url"] !== "string" || !URL.canParse(request["url"])) {
    return [];
  }
  const url = new URL(request["url"]);
  const form = objectIn(request, "postData");
  const content = objectIn(response, "content");
  const answered = readText(content);
  return [{
    url: url.origin + url.pathname,
    params: new Map([
      ...url.searchParams,
      ...readObjects(form["params"]).map(({ name, value }) => [writeValue(name), writeValue(value)] as const),
      ...readForm(readText(form), form["mimeType"]),
    ]),
    authorization: new Map(listHeaders(request)).get("authorization") ?? "",
    answer: parseJsonObject(answered) ?? Object.fromEntries(readForm(answered, content["mimeType"])),
  }];
}

function readText({ text = "", encoding }: JsonObject): string {
  return encoding === "base64" ? decodeText(writeValue(text), "base64") : writeValue(text);
}

function objectIn(value: unknown, name: string): JsonObject {
  return isJsonObject(value) && isJsonObject(value[name]) ? value[name] : {};
}

function readForm(text: string, mimeType: unknown): URLSearchParams {
  const isForm = writeValue(mimeType).startsWith("application/x-www-form-urlencoded");
  return new URLSearchParams(isForm ? text : "");
}

function listHeaders(message: unknown): readonly (readonly [string, string])[] {
  return readObjects(isJsonObject(message) && message["headers"])
    .map(({ name, value }) => [writeValue(name).toLowerCase(), writeValue(value)]);
}

/** Returns the id and the secret of a client in the header. */
export function readBasic({ authorization }: Recorded): readonly string[] {
  const [, text = ""] = /^basic (.*)$/i.exec(authorization) ?? [];
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(decodeText(text, "base64")) ?? [];
  return id === undefined ? [] : [id, secret!].map(decodeForm);
}

function decodeForm(text: string): string {
  return new URLSearchParams(`v=${text.replaceAll("&", "%26")}`).get("v")!;
}

export function idOf(recorded: Recorded): string | undefined {
  return recorded.params.get("client_id") ?? readBasic(recorded)[0];
}

/** A JWT or another long text, or a token as GitHub, GitLab, Slack, Google and Facebook write theirs. */
const tokenForm =
  /eyJ|[\w-]{80}|\b(?:gh[a-z]_|github_pat_|gl[a-z]{2,}-|xox[a-z][.-]|xapp-|ya29\.|1\/\/0|GOCSPX-|EAA\w{20})/;

/** Returns whether a text may be written. */
function createGuard(entries: readonly JsonObject[], all: readonly Recorded[]): (text: string) => boolean {
  const ofHeaders = entries.flatMap(({ request, response }) => [request, response]).flatMap(listHeaders)
    .filter(([name]) => /cookie|auth(?!ority)|token|key/.test(name))
    // The attributes of a cookie, such as Path, and `:authority` are also in the addresses of endpoints.
    .flatMap(([name, value]) =>
      (name === "set-cookie" ? value.replaceAll(/;.*/g, "") : value).split(/[\s;=,]+/)
    );
  const ofMessages = all.flatMap((each) => [
    ...[...each.params].filter(([name]) => !openParams.includes(name)).map(([, value]) => value),
    ...listSecrets(each.answer),
    ...readBasic(each).slice(1),
  ]);
  const origins = all.filter(({ params }) => params.has("response_type") || params.has("grant_type"))
    .map(({ url }) => new URL(url).origin);
  const posted = entries.flatMap((entry) => listPosted(entry, origins)).filter(isLong);
  // A word may be part of another one that is no secret.
  const words = new Set(posted.filter((each) => /^[a-z_-]+$/i.test(each)));
  const others = posted.filter((each) => !words.has(each));
  const secrets = [...new Set([...ofHeaders, ...ofMessages, ...others])].filter(isLong);
  return (text) =>
    text.length <= 200 &&
    ![text, decodeForm(text)].some((each) =>
      each.includes("@") || tokenForm.test(each) || secrets.some((secret) => each.includes(secret)) ||
      each.split(/[^\w-]+/).some((word) => words.has(word))
    );
}

function isLong({ length }: string): boolean {
  return length >= 6;
}

/** Returns what a page sends to the provider, such as a password. To others, it sends the names of all kinds of things. */
function listPosted({ request }: JsonObject, providers: readonly string[]): readonly string[] {
  const url = isJsonObject(request) ? writeValue(request["url"]) : "";
  const isProviders = providers.some((origin) => url.startsWith(`${origin}/`));
  return listValues(readText(objectIn(request, "postData")))
    .filter(([name, value]) =>
      secretName.test(name) || isProviders && !isOpenParam(name) && !isAddress(value)
    )
    .map(([, value]) => value);
}

/** Also as JSON may have it: `clientId`, `scopes`. */
function isOpenParam(name: string): boolean {
  const written = name.replaceAll(/[A-Z]/g, "_$&").toLowerCase();
  return [written, written.replace(/s$/, "")].some((each) => openParams.includes(each));
}

/** Slack has tokens inside of other members. */
function listSecrets(answer: JsonObject): readonly string[] {
  return listMembers(answer).filter(([name]) => secretName.test(name)).map(([, value]) => value);
}

const secretName =
  /(?:token|secret|code|pass(?:w(?:or)?d|phrase)?|pwd|pin|otp|key|session|credential|verifier|assertion)s?$/i;
