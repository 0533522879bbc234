/** Learns a configuration from a HAR of one login: names and kinds, and no value that is a secret or about a person. */

import { parseJwt } from "../../../server/crypto/jwt_parts.ts";
import { signingAlgorithms } from "../../../server/crypto/platform.ts";
import type { Members } from "../../../server/oauth/members.ts";
import { isResource } from "../../../server/oauth/tokens/resource.ts";
import { claimsOfScope } from "../../../server/oauth/people/claims.ts";
import { isJsonObject } from "../../../server/schema/json_object.ts";
import { present } from "../../../server/values/present.ts";
import {
  createContext,
  type LearnContext,
  learnLifetimes,
  type LearnOptions,
  learnSecret,
  learnUris,
  readTexts,
} from "./learn_parts.ts";
import { guessMethod, learnClaims, learnMetadata, type Provider } from "./learn_metadata.ts";
import { type Part, part, type Parts } from "./part.ts";
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

/** `provider` is the metadata that the user named beside the HAR. */
export function learnHar(har: Har, options: LearnOptions, provider?: Provider): Learned {
  const recorded = readHar(har);
  const { all, logins, tokens, userinfo, isOpen } = recorded;
  const context = addFilter(createContext(options), isOpen);
  const announced = provider?.metadata ?? recorded.metadata;
  reportAbsent({ metadata: announced, tokens: tokens[0], userinfo: userinfo[0] }, context);
  const metadata = keepOpenMembers(announced ?? observe(recorded), context);
  const methods = readTexts(metadata["token_endpoint_auth_methods_supported"]);
  const clients = readTexts(logins.map(({ params }) => params.get("client_id")))
    .map((id) => ({ id, requests: all.filter((each) => idOf(each) === id) }));
  const learned = learnMetadata(
    { ...provider, metadata: { ...metadata, ...listUsed(recorded, clients, metadata, context) } },
    options,
    announced === undefined ? "the recorded requests" : "the metadata, or from the recorded requests",
  );
  const { issuer, paths, scopes } = learned;
  const items = clients.map((client, index) => learnClient(client, `client-${index + 1}`, methods, context));
  const parts: Parts = {
    ...(announced === undefined ? { issuer, paths, scopes } : learned),
    ...learnAnswers(tokens),
    resources: learnResources(recorded, String(metadata["issuer"]), context),
    clients: { items, from: "From the recorded requests." },
    ...learnPeople(recorded, context),
  };
  return { parts, leftOut: context.leftOut, ...(announced === undefined ? {} : { metadata }) };
}

interface RecordedClient {
  readonly id: string;
  readonly requests: readonly Recorded[];
}

interface HarContext extends LearnContext {
  /** Returns the texts that may be written. `what` names the others in the list of what is left out. */
  readonly keepOpen: (texts: readonly string[], what: string, instead?: string) => readonly string[];
}

function addFilter(context: LearnContext, isOpen: RecordedLogin["isOpen"]): HarContext {
  return {
    ...context,
    keepOpen(texts, what, instead = "left out") {
      if (!texts.every(isOpen)) {
        const reason = "has a mail address, or a value that is secret in the HAR";
        context.leaveOut(`${what} ${reason}, so it is ${instead}.`);
      }
      return texts.filter(isOpen);
    },
  };
}

/** A HAR of a browser has only what the browser requested. */
function reportAbsent(found: Members, { leaveOut }: HarContext): void {
  const sentences = {
    metadata: "The HAR has no metadata: what the requests do not show is as Postern does it.",
    tokens: "The HAR has no token request: claims, lifetimes and the method of the client are not learned.",
    userinfo: "The HAR has no answer of userinfo: its claims are not learned.",
  };
  for (const [name, sentence] of Object.entries(sentences)) if (found[name] === undefined) leaveOut(sentence);
}

/** Returns the metadata that the requests show. The issuer is in a callback (RFC 9207) and in ID tokens. */
function observe({ all, logins: [login], tokens, userinfo }: RecordedLogin): Members {
  const { url } = login!;
  const ofTokens = readClaims(tokens, "id_token").map(({ iss }) => iss);
  const issuer = readTexts([...all.map(({ params }) => params.get("iss")), ...ofTokens])
    .find((iss) => URL.canParse(iss) && url.startsWith(`${iss.replace(/\/$/, "")}/`)) ?? new URL(url).origin;
  return {
    ...{ issuer, authorization_endpoint: url },
    ...present({ token_endpoint: tokens[0]?.url, userinfo_endpoint: userinfo[0]?.url }),
  };
}

function keepOpenMembers({ issuer, ...others }: Members, { keepOpen }: HarContext): Members {
  const keep = (texts: readonly string[]) => keepOpen(texts, "An address or a value of the metadata");
  const open = Object.entries(others).filter(([, value]) =>
    typeof value !== "string" || keep([value]).length > 0
  )
    .map(([name, value]) => [name, Array.isArray(value) ? keep(readTexts(value)) : value]);
  // The file has only the path of the issuer.
  const [own = new URL(String(issuer)).origin] = keep([String(issuer)]);
  return { issuer: own, ...Object.fromEntries(open) };
}

/** The metadata may lack the scopes that clients ask for, and the methods by which they authenticate. */
function listUsed(
  { logins }: RecordedLogin,
  clients: readonly RecordedClient[],
  { scopes_supported: scopes, token_endpoint_auth_methods_supported: methods }: Members,
  { keepOpen }: HarContext,
): Members {
  const announced = readTexts(methods);
  const used = clients.map(({ requests }) => findMethod(requests, announced)[0]);
  const asked = readTexts(logins.flatMap(({ params }) => (params.get("scope") ?? "").split(" ")));
  return {
    scopes_supported: [...readTexts(scopes), ...keepOpen(asked, "A scope")],
    token_endpoint_auth_methods_supported: announced.length === 0 ? [] : [...announced, ...used],
  };
}

/** Returns the APIs that tokens are for. */
function learnResources(
  { all, tokens }: RecordedLogin,
  issuer: string,
  { keepOpen, leaveOut }: HarContext,
): Part | undefined {
  const requested = readTexts(all.map(({ params }) => params.get("resource"))).filter(isResource);
  const audiences = readTexts(readClaims(tokens, "access_token").flatMap(({ aud }) => aud));
  if (audiences.some((each) => !requested.includes(each) && !each.startsWith(issuer))) {
    leaveOut("An access token has an audience that no parameter resource requests: add it to tokenClaims.");
  }
  return part(keepOpen(requested, "A resource"), "From the parameter resource of the requests.");
}

function learnClient(
  { id, requests }: RecordedClient,
  other: string,
  methods: readonly string[],
  context: HarContext,
): Part {
  const [open] = context.keepOpen([id], "The id of a client", `${other} here`);
  const values = (name: string) => readTexts(requests.map(({ params }) => params.get(name)));
  // A query and user info may have secrets, and a redirect URI has no fragment.
  const uris = values("redirect_uri").map((uri) => uri.replace(/[?#].*$/s, "").replace(/:\/\/[^/]*@/, "://"));
  if (values("redirect_uri").some((uri) => uri.includes("?"))) {
    context.leaveOut("A redirect URI had a query, which is not taken over: write it yourself.");
  }
  if (values("client_assertion").length > 0) context.leaveOut("A client has a key: add its jwks.");
  const used = namedParams.filter((name) => requests.some(({ params }) => params.has(name)));
  const [method, reason] = findMethod(requests, methods);
  const hasPkce = values("code_challenge").length > 0;
  if (!hasPkce && method === "none") {
    context.leaveOut("A login of a client without a secret needs PKCE here.");
  }
  const members: Parts = {
    client_id: part(
      open ?? other,
      `${open === undefined ? "Invented" : "From the requests"}. They use ${used.join(", ")}.`,
    ),
    client_secret: method === "none" ? undefined : learnSecret(undefined, context),
    ...learnUris(undefined, { redirect_uris: context.keepOpen(uris, "A redirect URI") }, context),
    token_endpoint_auth_method: part(method, reason),
    require_pkce: part(
      hasPkce || method === "none" ? undefined : false,
      "The requests have no code_challenge.",
    ),
  };
  return { members, from: "From the recorded requests." };
}

/** Returns how a client authenticates, and how that is known. */
function findMethod(
  requests: readonly Recorded[],
  methods: readonly string[],
): readonly [method: string, reason: string] {
  const isRecorded = requests.some(({ params }) => params.has("grant_type"));
  // The browser has no token request, so a server sends it, which usually has a secret.
  if (!isRecorded) return [guessMethod(methods) ?? "none", "There is no token request in the HAR: a guess."];
  const hasBasic = requests.some((each) => readBasic(each).length > 0);
  const hasSecret = requests.some(({ params }) => params.has("client_secret"));
  const method = hasBasic ? "client_secret_basic" : hasSecret ? "client_secret_post" : "none";
  return [method, "How the token request authenticates the client."];
}

function readClaims(tokens: readonly Recorded[], name: string): readonly Members[] {
  return tokens.flatMap(({ answer }) => parseJwt(String(answer[name])) ?? []).map(({ claims }) => claims);
}

/** Learns from the answers of the token endpoint: lifetimes, and the form of tokens. */
function learnAnswers(tokens: readonly Recorded[]): Parts {
  const find = (name: string) =>
    tokens.map(({ answer }) => answer[name]).findLast((each) => each !== undefined);
  const access = find("access_token");
  const [jwt, id] = [access, find("id_token")].map((token) => parseJwt(String(token)));
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

function learnPeople({ tokens, userinfo }: RecordedLogin, { keepOpen }: HarContext): Parts {
  const recorded = {
    accessToken: readClaims(tokens, "access_token"),
    idToken: readClaims(tokens, "id_token"),
    userinfo: userinfo.map(({ answer }) => answer),
  };
  const all = Object.fromEntries(Object.values(recorded).flat().flatMap((claims) => Object.entries(claims)));
  const open = keepOpen(readTexts(Object.keys(all)), "A claim");
  const values = open.map((name) => [name, inventLike(all[name], keepOpen)]);
  const ofScopes = Object.values(claimsOfScope).flat();
  const listed = Object.entries(recorded).map(([token, claims]) => {
    const names = open.filter((name) => claims.some((each) => Object.hasOwn(each, name)));
    return [token, token === "userinfo" ? names.filter((name) => !ofScopes.includes(name)) : names];
  });
  return learnClaims(
    Object.fromEntries(values),
    Object.fromEntries(listed),
    "From the names of the claims in recorded tokens and answers.",
  );
}

/** A name that a program chose, as in `cost_centre` and `costCentre`. Others may be ids, or names of persons. */
const plainWord = /^[a-z]{1,20}(?:[A-Z][a-z]{1,20}|[_-][a-z]{1,20}){0,3}$/;

/** Returns a value of the same kind, with the same names in objects if these are plain words. */
function inventLike(value: unknown, keepOpen: HarContext["keepOpen"], depth = 0): unknown {
  const invent = (each: unknown) => inventLike(each, keepOpen, depth + 1);
  if (typeof value === "string") return "invented";
  if (typeof value === "number") return 1;
  if (Array.isArray(value)) return value.slice(0, 1).map(invent);
  if (!isJsonObject(value)) return true;
  const members = depth > 3 ? [] : Object.entries(value).slice(0, 20);
  return Object.fromEntries(members.map(([name, each], index) => {
    const isOpen = plainWord.test(name) && keepOpen([name], "A name in a claim", "invented").length > 0;
    return [isOpen ? name : `invented_${index + 1}`, invent(each)];
  }));
}
