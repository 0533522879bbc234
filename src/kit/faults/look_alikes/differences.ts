/** Functions for differences that several providers have. */

import { digest } from "../../../ground/crypto/platform.ts";
import { encodeOctets } from "../../../ground/values/octets.ts";
import { present } from "../../../ground/values/present.ts";
import type { Pair } from "../../../ground/http/form.ts";
import { textOf } from "../../../ground/http/body.ts";
import { type Answer, withHeaders } from "../../../ground/http/message.ts";
import type { Claims, Members } from "../../../ground/values/members.ts";
import { readForm, readParams, requireParam } from "../../../server/oauth/contracts/params.ts";
import type { Refusal } from "../../../server/oauth/contracts/journal.ts";
import { setParam, without } from "../../../server/oauth/contracts/seams.ts";
import type { Endpoint, Services, TokenReader } from "../../../server/oauth/contracts/feature.ts";
import { checkToken, type TokenCheck } from "../../../server/oauth/tokens/find_token.ts";
import { parseJsonObject } from "../../../ground/schema/json_object.ts";
import { claimsOfScope, namesOfScopes, selectClaims } from "../../../server/oauth/people/claims.ts";
import {
  changeAt,
  changeClaims,
  changeJson,
  changeMetadata,
  changeParams,
  changeResponse,
  changeText,
  changeTokens,
  removing,
  together,
} from "../changes.ts";
import type { ActContext, CreateActs, Tools } from "../misbehaviour.ts";
import { publishCertificates } from "./certificates.ts";
import type { Acceptance, Difference, Laxness, Reading, ShownPerson, Source } from "./look_alike.ts";

/** The authorization response has no `iss` (RFC 9207), and the metadata does not promise one. */
const withoutIss = together(
  changeMetadata(removing("authorization_response_iss_parameter_supported")),
  changeParams((params) => setParam(params, "iss", undefined)),
);

export function sendsNoIss(source: Source): Difference {
  const server =
    "The authorization response has a code and a state, but no `iss`. The metadata does not promise one.";
  return { server, source, acts: withoutIss };
}

export function promisesNoIss(source: Source): Difference {
  const server = "The metadata does not promise an `iss` in the authorization response, so there is none.";
  return { server, source, acts: withoutIss };
}

/** Those of the metadata that OpenID Connect Discovery §3 requires. */
const requiredLists = [
  "response_types_supported",
  "subject_types_supported",
  "id_token_signing_alg_values_supported",
];

/** `kept`: the members of this server that the provider publishes, too. The other ones of `members` are those of the provider. */
export function publishesMetadata(
  source: Source,
  members: Members,
  kept: readonly string[] | "all" = [],
): Difference {
  const isKept = ([name, value]: readonly [string, unknown]) =>
    kept === "all" || typeof value === "string" || [...requiredLists, ...kept].includes(name);
  return {
    server: "The metadata have the addresses of the look-alike and the members that the provider publishes" +
      (kept === "all" ? "." : ", and no others."),
    source,
    acts: changeMetadata((metadata) => ({
      ...Object.fromEntries(Object.entries(metadata).filter(isKept)),
      ...members,
    })),
  };
}

export function publishesCertificates(source: Source): Difference {
  return {
    server:
      "Each published key has a certificate in `x5c`, and its thumbprints in `x5t` and `x5t#S256`. In a browser, it has none.",
    source,
    acts: publishCertificates,
  };
}

export function typesKeysAsJson(source: Source): Difference {
  return {
    server: "The keys have the type `application/json`.",
    source,
    acts: changeResponse(
      "jwks",
      (answer) =>
        "content-type" in answer.headers
          ? withHeaders(answer, { "content-type": "application/json" })
          : answer,
    ),
  };
}

export function typesAccessTokensAsJwt(source: Source): Laxness {
  const server = "The `typ` in the header of an access token is `JWT`, as that of an ID token.";
  return { server, source, sets: { accessTokenType: "JWT" } };
}

export function opaqueAccessTokens(source: Source): Laxness {
  const server = "An access token is an opaque string, and not a JWT.";
  return { server, source, sets: { accessTokens: "opaque" } };
}

export function sendsNoIdToken(source: Source): Difference {
  return {
    server: "The token response has no ID token, also if the scope has `openid`.",
    source,
    acts: changeTokens(removing("id_token")),
  };
}

export function sendsNoScope(source: Source): Difference {
  return { server: "The token response has no scope.", source, acts: changeTokens(removing("scope")) };
}

export function sendsNoCompleteUri(source: Source): Difference {
  return {
    server: "The response with the codes of a device has no verification_uri_complete.",
    source,
    acts: changeJson("device_authorization", removing("verification_uri_complete")),
  };
}

/** Whether the parameters of a redirect say that the person refuses. */
export function isDenial(params: readonly Pair[]): boolean {
  return params.some(([name, value]) => name === "error" && value === "access_denied");
}

export function cancelsAuthorization(source: Source): Difference {
  const server = "If the person refuses, the error is user_cancelled_authorize.";
  return renamesErrors(server, source, { access_denied: "user_cancelled_authorize" });
}

/** `names`: the error of the provider by that of this server. */
export function renamesErrors(
  server: string,
  source: Source,
  names: Readonly<Record<string, string>>,
): Difference {
  return {
    server,
    source,
    acts: changeParams((params) =>
      params.map(([name, value]) => [name, name === "error" ? names[value] ?? value : value])
    ),
  };
}

export function bearerInLowerCase(source: Source): Difference {
  return {
    server: "The token_type is `bearer` in lower case.",
    source,
    acts: changeTokens((members) =>
      members["token_type"] === "Bearer" ? { ...members, token_type: "bearer" } : members
    ),
  };
}

export function describesPersonInIdToken(source: Source): Difference {
  return {
    server:
      "The ID token has the claims about the person that the scope asks for, such as `name` with `profile`.",
    source,
    acts: changeClaims("id_token", describePerson),
  };
}

export function hashesNoAccessToken(source: Source): Difference {
  const server = "An ID token from the token endpoint has no at_hash.";
  return { server, source, acts: changeClaims("id_token", removing("at_hash")) };
}

/** Returns the texts in the claim `groups` of a person. */
export function groupsOf({ claims: { groups } }: Pick<ShownPerson, "claims">): readonly string[] {
  return Array.isArray(groups) ? groups.filter((each) => typeof each === "string") : [];
}

/** Returns each group of these people once. */
export function groupsAmong(people: readonly ShownPerson[]): readonly string[] {
  return [...new Set(people.flatMap(groupsOf))];
}

export function namesScopes(separator: string): CreateActs {
  return changeResponse(
    "userinfo",
    (answer, _tools, { exchange: { facts: { scope, refusal } } }) =>
      refusal === undefined || scope !== undefined
        ? withHeaders(answer, { "x-oauth-scopes": (scope ?? []).join(separator) })
        : answer,
  );
}

/** By the id, or by the email in any case. */
export function isCalled({ subject, claims: { email } }: ShownPerson, key: string | undefined): boolean {
  return key === subject || typeof email === "string" && key?.toLowerCase() === email.toLowerCase();
}

/** Some providers use an email as the username. */
export function loginOf({ username, claims: { email } }: Pick<ShownPerson, "username" | "claims">): string {
  return typeof email === "string" ? email : username;
}

/** Adds the claims about the person that the scope asks for. */
export function describePerson(
  claims: Claims,
  { findPerson }: Tools,
  { grant }: ActContext,
  namesOf: (scope: readonly string[]) => readonly string[] = namesOfScopes,
): Claims {
  const { subject = "", scope = [] } = grant ?? {};
  const person = findPerson(subject);
  return person === undefined ? claims : { ...selectClaims(person, namesOf(scope)), ...claims };
}

/** Leaves out the standard claims that the provider does not give. What a test adds stays. */
export function giveOnly(names: readonly string[], claims: Claims): Claims {
  const standard = Object.values(claimsOfScope).flat();
  return without(claims, ...standard.filter((each) => !names.includes(each)));
}

/** Accounts of such a provider always have the parts of their name. */
export function nameParts({ name, given_name, family_name }: Claims): Members {
  const [first, ...others] = typeof name === "string" ? name.split(" ") : [];
  return present({
    given_name: given_name ?? first,
    family_name: family_name ?? (others.join(" ") || undefined),
  });
}

export function forgoesPkce(source: Source): Laxness {
  return { server: "A client with a secret may omit PKCE.", source, forgoesPkce: "with_secret" };
}

export function eachForgoesPkce(source: Source): Laxness {
  return {
    server: "Each client may omit PKCE, also one without a secret.",
    source,
    forgoesPkce: "each_client",
  };
}

export function secretInForm(source: Source): Laxness {
  const server = "Each client with a secret may send it in the form.";
  return { server, source, sets: { secretMethods: ["client_secret_post"] } };
}

/** A client that has used one of the two may use the other one at its next request. */
export function secretEitherWay(source: Source): Laxness {
  const server =
    "Each client with a secret may send it by Basic or in the form, one of the two in a request.";
  return { server, source, sets: { secretMethods: ["client_secret_basic", "client_secret_post"] } };
}

export function sameSecretTwice(source: Source): Laxness {
  const server = "A request may have the same id and secret by Basic and among its parameters.";
  return { server, source, sets: { readsSecretTwice: true } };
}

export function revokesGrants(source: Source): Laxness {
  const server = "The revocation of a token ends all tokens of the same authorization.";
  return { server, source, sets: { revokesGrants: true } };
}

export function tokenRepeated(parameter: string, source: Source): Acceptance {
  return {
    server: "The query may repeat the access token of the Authorization header.",
    source,
    pairs(sent, request) {
      const token = /^Bearer (\S+)$/i.exec(request.header("authorization") ?? "")?.[1];
      return sent.filter(([name, value]) => name !== parameter || value !== token);
    },
  };
}

/** For an address with `parametersInQuery`, which reads the form and the query as one list. */
export function sameTokenTwice(source: Source): Acceptance {
  const isToken = ([name]: Pair) => name === "access_token";
  return {
    server: "The query and the form may have the same access token.",
    source,
    pairs: (sent) =>
      sent.filter((pair, at) =>
        !isToken(pair) || sent.findIndex((each) => isToken(each) && each[1] === pair[1]) === at
      ),
  };
}

export function json(source: Source): Acceptance {
  return { server: "The parameters may be a JSON object.", source, form: "json" };
}

export function parametersInQuery(source: Source): Acceptance {
  return { server: "A POST may have its parameters in the query.", source, form: "query" };
}

export function untypedForm(source: Source): Acceptance {
  return { server: "The form may come without a Content-Type.", source, form: "untyped" };
}

export function multipart(source: Source): Acceptance {
  return { server: "The form may be multipart/form-data.", source, form: "multipart" };
}

export function alsoGet(source: Source): Acceptance {
  return { server: "The request may be a GET, with its parameters in the query.", source, method: "GET" };
}

export function tokenInQuery(source: Source): Acceptance {
  return {
    server: "The access token may be the parameter access_token of the query.",
    source,
    token: "query",
  };
}

/** `beside`: the access token may also be in the query. */
export function tokenByScheme(scheme: string, source: Source, beside?: "query"): Acceptance {
  return {
    server: `The scheme of the Authorization header may be \`${scheme}\` in place of \`Bearer\`.`,
    source,
    pairs(sent, request) {
      const [, sentScheme = "", token = ""] = /^(\S+) +(\S+)$/.exec(request.header("authorization") ?? "") ??
        [];
      const isRead = sentScheme.toLowerCase() === scheme.toLowerCase();
      const read: readonly Pair[] = isRead ? [["access_token", token]] : [];
      return beside === undefined ? read : [...sent, ...read];
    },
  };
}

export function takesBase64Verifiers(): Laxness {
  return {
    server: "A `code_verifier` may be base64, with `+`, `/` and `=`.",
    source: {
      title: "git-credential-oauth as Debian 12 has it, which logs in so",
      url: "https://github.com/hickford/git-credential-oauth/blob/v0.4.2/main.go",
    },
    sets: { takesBase64Verifiers: true },
  };
}

/** Writes each access token of the endpoint in the form of the provider, which the setting ownTokenOf reads. */
export function writesTokens(write: (text: string, clientId?: string) => string) {
  return (usual: Endpoint["handle"]): Endpoint["handle"] => async (exchange, ...more) => {
    const answer = await usual(exchange, ...more);
    const members = parseJsonObject(textOf(answer.body));
    return typeof members?.["access_token"] === "string"
      ? withJson(answer, changeText(members, "access_token", (text) => write(text, exchange.facts.clientId)))
      : answer;
  };
}

/** So a page that asks without the person, as after its reload, gets a code. */
export function remembersConsent(source: Source): Laxness {
  const server =
    "A person who has consented to a client is not asked again for the same scopes, also by a page.";
  return { server, source, sets: { remembersConsent: true } };
}

export function opensInWindow(source: Source): Laxness {
  const server = "The page of a client may open the login in a window, and keep hold of it.";
  return { server, source, sets: { keepsOpener: true } };
}

export function separatesScopeByCommas(source: Source): Difference {
  return {
    server: "The scope in the token response is separated by commas.",
    source,
    acts: changeTokens((members) => changeText(members, "scope", (scope) => scope.replaceAll(" ", ","))),
  };
}

export function refreshesOnlyOffline(source: Source): Difference {
  return {
    server: "The token response has a refresh token only if the scope has offline_access.",
    source,
    acts: changeTokens((members, _tools, { grant }) =>
      grant?.scope.includes("offline_access") === false ? without(members, "refresh_token") : members
    ),
  };
}

export function keepsRefreshToken(source: Source): Difference {
  const server = "The response to a refresh has no refresh token, and the old one stays valid.";
  return { server, source, same: "refresh.not_rotated" };
}

/** For the endpoint of device authorization of such a provider. */
export function requiresScope(usual: Endpoint["handle"]): Endpoint["handle"] {
  return async (exchange, ...more) => {
    const form = await readForm(exchange);
    if (form.get("client_id") !== undefined) requireParam(form, "scope");
    return await usual(exchange, ...more);
  };
}

/** Checks a token of such a provider: a refresh token outlives its refresh. */
export function checkLasting(
  { superseded: _, ...token }: Parameters<typeof checkToken>[0],
  services: Services,
): Promise<TokenCheck> {
  return checkToken(token, services);
}

/** For the endpoint of introspection of such a provider. */
export function introspectsLasting(usual: Endpoint["handle"]): Endpoint["handle"] {
  return (exchange, services, ...more) => {
    const tokenReaders = services.slots.tokenReaders.map((reader): TokenReader => ({
      ...reader,
      async read(...sent) {
        const token = await reader.read(...sent);
        if (token === undefined) return undefined;
        const { superseded: _, ...lasting } = token;
        return lasting;
      },
    }));
    return usual(exchange, { ...services, slots: { ...services.slots, tokenReaders } }, ...more);
  };
}

export function hasCode(at: ActContext): boolean {
  return sentIn(at).has("code");
}

/** Returns the parameters of the form, which is the query of a GET. */
export function sentIn({ exchange: { bodyRead, otherFormRead, request } }: ActContext): URLSearchParams {
  const form = request.method === "GET" ? request.address.query : otherFormRead;
  return form === undefined
    ? readParams(request.header("content-type"), bodyRead)
    : new URLSearchParams(form);
}

/** Changes the refusals of the token endpoint, or of these. `undefined` leaves a refusal as it is. */
export function changeTokenErrors(
  change: (refusal: Members, at: ActContext, answer: Answer, tools: Tools) => Answer | undefined,
  endpoints: readonly string[] = ["token"],
): CreateActs {
  return changeAt("response", (answer, tools, at) => {
    const refusal = answer.status < 400 || !endpoints.includes(at.endpoint)
      ? undefined
      : parseJsonObject(textOf(answer.body));
    return typeof refusal?.["error"] === "string" ? change(refusal, at, answer, tools) ?? answer : answer;
  });
}

/** Returns the name of the parameter that a refused request lacks. */
export function nameMissing({ exchange: { facts: { refusal } } }: ActContext): string | undefined {
  const { reason = "", expected } = refusal ?? {};
  return reason === "missing_parameter" ? expected : /^(client_id|redirect_uri)_missing$/.exec(reason)?.[1];
}

export function revokesSilently(source: Source): Difference {
  return {
    server: "The answer to a revocation has no body.",
    source,
    acts: changeResponse("revoke", (answer) => {
      const { "content-type": _, ...headers } = answer.headers;
      return answer.status === 200 ? { ...answer, headers, body: "" } : answer;
    }),
  };
}

/** Returns what leaves scopes of a person out of a request of a client that acts for itself. */
export function withoutScopesOfPerson(names: readonly string[]): (sent: readonly Pair[]) => readonly Pair[] {
  return (sent) =>
    sent.some(([name, value]) => name === "grant_type" && value === "client_credentials")
      ? sent.map(([name, value]) => [name, name === "scope" ? withoutScopes(value, names) : value])
      : sent;
}

export function withoutScopes(scope: string, names: readonly string[]): string {
  return scope.split(" ").filter((each) => !names.includes(each)).join(" ");
}

/** How a provider refuses. The status is 400 if there is none. */
export type ProviderRefusal = readonly [error: string, description: string, status?: number];

/** By the reason of this server. A function reads what was refused. */
export type RefusalsByReason = Readonly<
  Record<string, ProviderRefusal | ((refusal: Refusal, at: ActContext) => ProviderRefusal)>
>;

/** Other refusals of the endpoints stay as they are. */
export function refusesByReason(
  server: string,
  source: Source,
  endpoints: readonly string[],
  refusals: RefusalsByReason,
): Difference {
  return {
    server,
    source,
    acts: () => ({
      response(answer, at) {
        const { endpoint, exchange: { facts: { refusal } } } = at;
        const refused = refusals[refusal?.reason ?? ""];
        const isRefused = answer.status >= 400 && endpoints.includes(endpoint);
        if (refusal === undefined || refused === undefined || !isRefused) return answer;
        const [error, error_description, status = 400] = typeof refused === "function"
          ? refused(refusal, at)
          : refused;
        return refuseWith({ error, error_description }, status, answer);
      },
    }),
  };
}

/** `words`: the descriptions by the error. `undefined`: the provider sends none. Other errors stay as they are. */
export function wordsRedirects(
  source: Source,
  words: Readonly<Record<string, string | undefined>>,
): Difference {
  return {
    server: "A redirect with an error, such as that of a person who refuses, has the words of the provider.",
    source,
    acts: changeParams((params) => {
      const { error = "" } = Object.fromEntries(params);
      return error in words ? setParam(params, "error_description", words[error]) : params;
    }),
  };
}

/** `words`: the descriptions by the error. `realmOf`: the realm, which is all that a request without a token gets. */
export function challengesAtUserinfo(
  source: Source,
  words: Readonly<Record<string, string>>,
  realmOf?: (issuer: string) => string | undefined,
): Difference {
  return {
    server:
      "Userinfo refuses a token with a challenge for `Bearer` in the words of the provider, and without a body.",
    source,
    acts: changeResponse("userinfo", (answer, { issuer }, { exchange: { facts, request } }) => {
      const { error = "", reason } = facts.refusal ?? {};
      const error_description = words[error];
      const isUserinfo = request.address.path.endsWith("/userinfo");
      if (answer.status < 400 || error_description === undefined || !isUserinfo) return answer;
      const realm = realmOf?.(issuer);
      const isBare = realm !== undefined && reason === "token_missing";
      const params = Object.entries({ ...present({ realm }), ...isBare ? {} : { error, error_description } });
      const challenge = params.map(([name, value]) => `${name}="${value}"`).join(", ");
      const { "content-type": _, ...headers } = answer.headers;
      return withHeaders({ ...answer, headers, body: "" }, { "www-authenticate": `Bearer ${challenge}` });
    }),
  };
}

/** Returns the same refusal for each reason for which a client is not authenticated. */
export function forCredentials(refusal: ProviderRefusal): Readonly<Record<string, ProviderRefusal>> {
  const reasons = ["client_unknown", "client_id_missing", "secret_wrong", "secret_expired", "secret_missing"];
  return Object.fromEntries(reasons.map((reason) => [reason, refusal]));
}

/** Returns the same refusal for each reason for which a code is of no use. */
export function forCodes(refusal: ProviderRefusal): Readonly<Record<string, ProviderRefusal>> {
  const reasons = ["code_unknown", "code_replayed", "code_revoked", "code_expired", "code_of_another_client"];
  return Object.fromEntries(reasons.map((reason) => [reason, refusal]));
}

/** Returns the same refusal for each reason for which a refresh token is of no use. */
export function forRefreshTokens(refusal: ProviderRefusal): Readonly<Record<string, ProviderRefusal>> {
  const reasons = ["unknown", "of_another_client", "expired", "revoked", "grant_ended", "reused", "replaced"];
  return Object.fromEntries(reasons.map((reason) => [`refresh_${reason}`, refusal]));
}

/** Returns the answer with this body, also if it had none. */
export function withJson(answer: Answer, body: Members): Answer {
  return withHeaders({ ...answer, body: JSON.stringify(body) }, { "content-type": "application/json" });
}

/** Leaves out the challenge of this server. */
export function refuseWith(body: Members, status: number, answer: Answer): Answer {
  const { "www-authenticate": _, ...headers } = answer.headers;
  return withJson({ ...answer, status, headers }, body);
}

/** Some providers report errors in a successful response. */
export function reportSuccessfully(members: Members, answer: Answer): Answer {
  return refuseWith(members, 200, answer);
}

/** `api` is what the URLs of the API begin with. The hint of this server is the message of `describe`. */
export function refusesUnknown(
  source: Source,
  api: RegExp,
  describe: (message: string) => Members,
  status = 501,
): Difference {
  return describesRefusals(
    `What this look-alike lacks of the API answers ${status} with an error of the form of that API.`,
    source,
    api,
    ({ body }, { exchange: { facts: { refusal } } }) =>
      refusal?.reason === "provider_path_unknown"
        ? { ...parseJsonObject(textOf(body)), ...describe(refusal.description) }
        : undefined,
    status,
  );
}

const phrases: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  501: "Not Implemented",
};

/** As `refusesUnknown`, for each refusal of the API. */
export function describesErrors(
  source: Source,
  api: RegExp,
  describe: (message: string, status: number, phrase: string) => Members,
): Difference {
  return describesRefusals(
    "Errors of the API have its form, also with 501 for what this look-alike lacks.",
    source,
    api,
    ({ status, body }, { exchange: { facts } }) => ({
      ...parseJsonObject(textOf(body)),
      ...describe(facts.refusal?.description ?? "", status, phrases[status]!),
    }),
  );
}

/** `api` is what the URLs of the API begin with. `describe` returns the body of a refusal, or leaves it as it is. */
export function describesRefusals(
  server: string,
  source: Source,
  api: RegExp,
  describe: (answer: Answer, at: ActContext) => Members | undefined,
  status?: number,
): Difference {
  return {
    server,
    source,
    acts: () => ({
      response(answer, at) {
        const { origin, path } = at.exchange.request.address;
        const body = answer.status >= 400 && api.test(origin + path) ? describe(answer, at) : undefined;
        return body === undefined ? answer : withJson({ ...answer, status: status ?? answer.status }, body);
      },
    }),
  };
}

export function plainTokenErrors(source: Source): Difference {
  return {
    server: "Errors of the token endpoint have the status 400 and the member `error` alone.",
    source,
    acts: changeTokenErrors(({ error }, _at, answer) => refuseWith({ error }, 400, answer)),
  };
}

/** Returns a number that stays the same for a person. */
export function numberFor(subject: string): number {
  return Number(firstOctets(subject, 4));
}

/** Returns the digits of a longer number. */
export function digitsFor(subject: string): string {
  return `${firstOctets(subject, 8) >> 2n}`;
}

function firstOctets(subject: string, count: number): bigint {
  return BigInt(`0x${encodeOctets(digest("sha256", subject), "hex", 0, count)}`);
}

/** Some providers do not name these parameters, because they have one value only. */
export function presumesCode(source: Source): Laxness {
  return {
    server: "An authorization request may omit response_type, and a token request grant_type.",
    source,
    reads: [
      { at: "authorize", pairs: presume("response_type", "code") },
      { at: "token", pairs: presume("grant_type", "authorization_code") },
    ],
  };
}

export function presumesRedirectUri(source: Source): Laxness {
  return {
    server:
      "The authorization request may omit the redirect_uri if the client has only one, and so may the token request.",
    source,
    sets: { presumesRedirectUri: true },
  };
}

export function splitsScopeAtCommas(source: Source): Laxness {
  const server = "The scope of a request may be separated by commas, with or without spaces.";
  return readsScope(server, source, (scope) => scope.replace(/, ?/g, " "));
}

/** Libraries repeat the scope of a login in the token request. */
export function readsScope(server: string, source: Source, read: (scope: string) => string): Laxness {
  const pairs: Reading["pairs"] = (sent) =>
    sent.map(([name, value]) => [name, name === "scope" ? read(value) : value]);
  return {
    server,
    source,
    reads: (["authorize", "device_authorization", "token"] as const).map((at) => ({ at, pairs })),
  };
}

/** Returns the names of a scope that is separated by commas or spaces. */
export function splitScope(scope: unknown): readonly string[] {
  return typeof scope === "string" ? scope.split(/[, ]+/).filter((name) => name !== "") : [];
}

/** The scope of the tokens is that of the login (RFC 6749 §4.1.3). Libraries repeat a scope there, often a fixed one. */
export function ignoresScopeOfCode(source: Source): Laxness {
  return {
    server: "A scope in the token request with a code changes nothing.",
    source,
    reads: [{
      at: "token",
      pairs: (sent) =>
        sent.some(([name, value]) => name === "grant_type" && value === "authorization_code")
          ? sent.filter(([name]) => name !== "scope")
          : sent,
    }],
  };
}

/** Adds a parameter that the sender has left out. */
export function presume(name: string, value: string): NonNullable<Reading["pairs"]> {
  return (sent) => sent.some((pair) => pair[0] === name && pair[1] !== "") ? sent : [...sent, [name, value]];
}

/** Gives a parameter of the provider its usual name at this path. A parameter that already has that name is dropped. */
export function renameParam(path: string, name: string, usual: string): NonNullable<Reading["pairs"]> {
  return (sent, { address }) =>
    address.path === path
      ? sent.filter(([each]) => each !== usual).map(([each, value]) => [each === name ? usual : each, value])
      : sent;
}

/** Returns the same GUID for the same text. Clients read its version (RFC 9562 §5.4). */
export function guidFor(text: string): string {
  const digits = encodeOctets(digest("sha256", text), "hex");
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`];
  return [...parts, `a${digits.slice(17, 20)}`, digits.slice(20, 32)].join("-");
}

/** By default, the `sub` of a person is the username. One that a test has configured stays. */
export function uuidOf({ username, subject }: Pick<ShownPerson, "username" | "subject">): string {
  return subject === username ? guidFor(subject) : subject;
}
