/** Learns a configuration from a HAR of one login: names and kinds, and no value that is a secret or about a person. */

import { isAbsoluteUri } from "../../../ground/http/address.ts";
import { parseJwt } from "../../../ground/crypto/jwt_parts.ts";
import { signingAlgorithms } from "../../../ground/crypto/platform.ts";
import type { Members } from "../../../ground/values/members.ts";
import { isPersonal } from "../../../server/oauth/people/claims.ts";
import { isJsonObject } from "../../../ground/schema/json_object.ts";
import { present } from "../../../ground/values/present.ts";
import { type LearnContext, learnLifetimes, learnSecret, learnUris, readTexts } from "./learn_parts.ts";
import { guessMethod, learnClaims, learnMetadata, type Provider, standardClaims } from "./learn_metadata.ts";
import { type Part, part, type Parts } from "./part.ts";
import { isPlainName, listNameWords, mayNameClaim } from "./plain_name.ts";
import {
  type Har,
  idOf,
  namedParams,
  readBasic,
  readHar,
  type Recorded,
  type RecordedLogin,
} from "./read_har.ts";
import type { Learned } from "./write_learned.ts";
import { writeValue } from "../../../ground/values/write_value.ts";

/** `provider` is the metadata that the user named beside the HAR. */
export function learnHar(har: Har, context: LearnContext, provider?: Provider): Learned {
  const login = readHar(har, context, provider?.metadata);
  const { metadata: announced } = login;
  if (announced === undefined) {
    context.leaveOut("The HAR has no metadata: what the requests do not show is as Postern does it.");
  }
  const metadata = keepOpenMembers(announced ?? observe(login), login);
  const methods = readTexts(metadata["token_endpoint_auth_methods_supported"]);
  const clients = readTexts(login.logins.map(({ params }) => params.get("client_id")))
    .map((id, index) => learnClient([id, `client-${index + 1}`], methods, login, context));
  const asked = readTexts(login.logins.flatMap(({ params }) => (params.get("scope") ?? "").split(" ")));
  const completed = {
    ...metadata,
    // The metadata may lack the scopes that clients ask for, and the methods by which they authenticate.
    scopes_supported: [...readTexts(metadata["scopes_supported"]), ...login.keepOpen(asked, "A scope")],
    token_endpoint_auth_methods_supported: methods.length === 0
      ? []
      : [...methods, ...clients.map(({ method }) => method)],
  };
  const source = announced ? "the metadata, or from the recorded requests" : "the recorded requests";
  const learned = learnMetadata({ ...provider, metadata: completed }, context, source);
  const { issuer, paths, scopes } = learned;
  const parts: Parts = {
    ...(announced === undefined ? { issuer, paths, scopes } : learned),
    ...learnAnswers(login.tokens),
    resources: learnResources(login, writeValue(metadata["issuer"]), context),
    clients: { items: clients.map(({ client }) => client), from: "From the recorded requests." },
    ...learnPeople(login, clients.map(({ id }) => id), context),
  };
  return { parts, ...present({ metadata: announced && metadata }) };
}

/** Returns the metadata that the requests show. The issuer is in a callback (RFC 9207) and in ID tokens. */
function observe({ all, logins: [login], tokens, userinfo }: RecordedLogin): Members {
  const { url } = login!;
  const ofTokens = readClaims(tokens, "id_token").map(({ iss }) => iss);
  const issuer = readTexts([...all.map(({ params }) => params.get("iss")), ...ofTokens])
    .find((iss) => URL.canParse(iss) && url.startsWith(`${iss.replace(/\/$/, "")}/`)) ?? new URL(url).origin;
  return {
    ...{ issuer, authorization_endpoint: url },
    ...{ token_endpoint: tokens[0]?.url, userinfo_endpoint: userinfo[0]?.url },
  };
}

function keepOpenMembers({ issuer, ...others }: Members, { keepOpen }: RecordedLogin): Members {
  const keep = (texts: readonly string[]) => keepOpen(texts, "An address or a value of the metadata");
  const open = Object.entries(others).map(([name, value]) => [
    name,
    Array.isArray(value) ? keep(readTexts(value)) : typeof value === "string" ? keep([value])[0] : value,
  ]);
  // The file has only the path of the issuer.
  const [own = new URL(writeValue(issuer)).origin] = keep([writeValue(issuer)]);
  return { issuer: own, ...present(Object.fromEntries(open)) };
}

/** Returns the URIs without a query and user info, which may have secrets, and without the fragment. */
function keepUris(
  uris: readonly string[],
  what: string,
  { keepOpen }: RecordedLogin,
  { leaveOut }: LearnContext,
): readonly string[] {
  if (uris.some((uri) => uri.includes("?"))) {
    leaveOut(`${what} had a query, which is not taken over: write it yourself.`);
  }
  const bare = uris.map((uri) => uri.replace(/[?#].*$/s, "").replace(/:\/\/[^/]*@/, "://"));
  return keepOpen(readTexts(bare), what);
}

/** Returns the APIs that tokens are for. */
function learnResources(login: RecordedLogin, issuer: string, context: LearnContext): Part | undefined {
  const { all, tokens } = login;
  const requested = readTexts(all.map(({ params }) => params.get("resource"))).filter(isAbsoluteUri);
  const audiences = readTexts(readClaims(tokens, "access_token").flatMap(({ aud }) => aud));
  if (audiences.some((each) => !requested.includes(each) && !each.startsWith(issuer))) {
    context.leaveOut(
      "An access token has an audience that no parameter resource requests: add it to tokenClaims.",
    );
  }
  return part(
    keepUris(requested, "A resource", login, context),
    "From the parameter resource of the requests.",
  );
}

/** Returns how a client authenticates, and how that is known. */
function findMethod(
  requests: readonly Recorded[],
  methods: readonly string[],
): readonly [method: string, reason: string] {
  const has = (name: string) => requests.some(({ params }) => params.has(name));
  // The browser has no token request, so a server sends it, which usually has a secret.
  if (!has("grant_type")) {
    return [guessMethod(methods) ?? "none", "There is no token request in the HAR: a guess."];
  }
  const hasBasic = requests.some((each) => readBasic(each).length > 0);
  const method = hasBasic ? "client_secret_basic" : has("client_secret") ? "client_secret_post" : "none";
  return [method, "How the token request authenticates the client."];
}

/** `other` takes the place of an id that cannot be written. The returned id is absent then. */
function learnClient(
  [id, other]: readonly [id: string, other: string],
  methods: readonly string[],
  login: RecordedLogin,
  context: LearnContext,
): { readonly id: string | undefined; readonly method: string; readonly client: Part } {
  const requests = login.all.filter((each) => idOf(each) === id);
  const [method, reason] = findMethod(requests, methods);
  const [open] = login.keepOpen([id], "The id of a client", `${other} here`);
  const used = namedParams.filter((name) => requests.some(({ params }) => params.has(name)));
  const uris = readTexts(requests.map(({ params }) => params.get("redirect_uri")));
  const redirectUris = keepUris(uris, "A redirect URI", login, context);
  if (requests.some(({ params }) => params.has("client_assertion"))) {
    context.leaveOut("A client has a key: add its jwks.");
  }
  const hasPkce = used.includes("code_challenge");
  if (!hasPkce && method === "none") {
    context.leaveOut("A login of a client without a secret needs PKCE here.");
  }
  const members: Parts = {
    client_id: part(
      open ?? other,
      `${open === undefined ? "Invented" : "From the requests"}. Its requests have ${used.join(", ")}.`,
    ),
    client_secret: method === "none" ? undefined : learnSecret(undefined, context),
    ...learnUris(open ?? other, { redirect_uris: redirectUris }, context),
    token_endpoint_auth_method: part(method, reason),
    rotate_refresh_tokens: learnRotation(requests, method, context),
    require_pkce: part(
      hasPkce || method === "none" ? undefined : false,
      "The requests have no code_challenge.",
    ),
  };
  return { id: open, method, client: { members, from: "From the recorded requests." } };
}

function learnRotation(
  requests: readonly Recorded[],
  method: string,
  { leaveOut }: LearnContext,
): Part | undefined {
  const keepsToken = requests.some(({ params, answer }) => {
    const sent = params.get("refresh_token");
    return sent !== undefined && "access_token" in answer && (answer["refresh_token"] ?? sent) === sent;
  });
  if (!keepsToken) return undefined;
  if (method !== "none") return part(false, "A refresh does not replace the token.");
  leaveOut("A refresh token of a client without a secret stays the same. Postern replaces it.");
  return undefined;
}

function readClaims(tokens: readonly Recorded[], name: string): readonly Members[] {
  return tokens.flatMap(({ answer }) => parseJwt(writeValue(answer[name])) ?? []).map(({ claims }) => claims);
}

/** Learns from the answers of the token endpoint: lifetimes, and the form of tokens. */
function learnAnswers(tokens: readonly Recorded[]): Parts {
  const find = (name: string) =>
    tokens.map(({ answer }) => answer[name]).findLast((each) => each !== undefined);
  const access = find("access_token");
  const [jwt, id] = [access, find("id_token")].map((token) => parseJwt(writeValue(token)));
  const alg = signingAlgorithms.find((each) => id?.header["alg"] === each);
  const { exp, iat } = id?.claims ?? {};
  return {
    ...present({ alg: part(alg, "From the header of the recorded ID token.") }),
    accessTokens: part(
      access !== undefined && jwt === undefined ? "opaque" : undefined,
      "The recorded access token is no JWT.",
    ),
    accessTokenType: part(
      jwt?.header["typ"] === "JWT" ? "JWT" : undefined,
      "From the header of the access token.",
    ),
    lifetimes: learnLifetimes({
      accessToken: part(find("expires_in"), "From expires_in of the token response."),
      idToken: part(Number(exp) - Number(iat), "From exp and iat of the recorded ID token."),
    }),
  };
}

function learnPeople(
  { tokens, userinfo, keepOpen }: RecordedLogin,
  clientIds: readonly (string | undefined)[],
  { leaveOut }: LearnContext,
): Parts {
  const recorded = {
    accessToken: readClaims(tokens, "access_token"),
    idToken: readClaims(tokens, "id_token"),
    userinfo: userinfo.map(({ answer }) => answer),
  };
  const all = Object.fromEntries(Object.values(recorded).flat().flatMap((claims) => Object.entries(claims)));
  const named = keepOpen(readTexts(Object.keys(all)), "A claim").filter(isPersonal);
  const ofPersons = new Set(
    namingClaims.flatMap((name) => listNameWords(writeValue(all[name] ?? ""))).filter(({ length }) =>
      length > 2
    ),
  );
  const open = named.filter((name) => mayNameClaim(name, ofPersons));
  if (open.length < named.length) leaveOut("The name of a claim may be that of a person, so it is left out.");
  const isOpen = (name: string) =>
    clientIds.includes(name) ||
    isPlainName(name) && keepOpen([name], "A name in a claim", "invented").length > 0;
  const values = open.map((name) => [name, inventLike(all[name], isOpen)]);
  const listed = Object.entries(recorded).map(([token, claims]) => {
    const names = open.filter((name) => claims.some((each) => Object.hasOwn(each, name)));
    return [token, token === "userinfo" ? names.filter((name) => !standardClaims.includes(name)) : names];
  });
  return learnClaims(
    Object.fromEntries(values),
    Object.fromEntries(listed),
    "From the names of the claims in recorded tokens and answers.",
  );
}

/** Claims whose values name persons. */
const namingClaims: readonly string[] = [
  ...["name", "given_name", "family_name", "middle_name", "nickname", "preferred_username", "email"],
  ...["unique_name", "upn", "login", "username"],
];

/** Returns a value of the same kind, with the same names in objects if these are open. */
function inventLike(value: unknown, isOpen: (name: string) => boolean, depth = 0): unknown {
  const invent = (each: unknown) => inventLike(each, isOpen, depth + 1);
  if (typeof value === "string") return "invented";
  if (typeof value === "number") return 1;
  if (Array.isArray(value)) return value.slice(0, 1).map(invent);
  if (!isJsonObject(value)) return true;
  const members = depth > 3 ? [] : Object.entries(value).slice(0, 20);
  return Object.fromEntries(
    members.map(([name, each], index) => [isOpen(name) ? name : `invented_${index + 1}`, invent(each)]),
  );
}
