/** Learns a configuration from a HAR of one login: names and kinds, and no value that is a secret or about a person. */

import { parseJwt } from "../../../server/crypto/jwt_parts.ts";
import { signingAlgorithms } from "../../../server/crypto/platform.ts";
import type { Members } from "../../../server/oauth/members.ts";
import { isResource } from "../../../server/oauth/tokens/resource.ts";
import { claimsOfScope } from "../../../server/oauth/people/claims.ts";
import { isJsonObject, type JsonObject } from "../../../server/schema/json_object.ts";
import { present } from "../../../server/values/present.ts";
import { failed } from "../command_error.ts";
import { isMetadata } from "./fetch_provider.ts";
import { createContext, learnLifetimes, learnSecret, learnUris } from "./learn_export.ts";
import {
  guessMethod,
  learnClaims,
  learnMetadata,
  type LearnOptions,
  learnScopes,
  type Provider,
  readTexts,
} from "./learn_metadata.ts";
import { type Part, part, type Parts } from "./part.ts";
import {
  closedParams,
  createGuard,
  idOf,
  openParams,
  readBasic,
  readEntry,
  type Recorded,
} from "./read_har.ts";
import type { Learned } from "./write_learned.ts";

/** `provider` is the metadata that the user named beside the HAR. */
export function learnHar(
  { log }: { readonly log: { readonly entries: readonly unknown[] } },
  options: LearnOptions,
  provider?: Provider,
): Learned {
  const entries = log.entries.filter(isJsonObject);
  const all = entries.flatMap(readEntry);
  const logins = all.filter(({ params }) => params.has("client_id") && params.has("response_type"));
  if (logins.length === 0) {
    throw failed("the HAR has no authorization request with client_id and response_type");
  }
  const tokens = all.filter(({ params }) => params.has("grant_type"));
  const answers = tokens.map(({ answer }) => answer);
  const userinfo = all.filter(({ authorization, answer }) =>
    /^bearer /i.test(authorization) && "sub" in answer
  );
  const isOpen = createGuard(entries, all);
  const context = addFilter(createContext({ ...options, keepsSecrets: false }), isOpen);
  const announced = provider?.metadata ?? all.map(({ answer }) => answer).find(isMetadata);
  const urls = present({ token_endpoint: tokens[0]?.url, userinfo_endpoint: userinfo[0]?.url });
  reportAbsent({ metadata: announced, ...urls }, context);
  const issuer = findIssuer(all, answers, logins[0]!);
  const observed = { issuer, authorization_endpoint: logins[0]!.url, ...urls };
  const metadata = keepOpenMembers(announced ?? observed, context);
  const methods = readTexts(metadata["token_endpoint_auth_methods_supported"]);
  const clients = readTexts(logins.map(({ params }) => params.get("client_id")))
    .map((id) => ({ id, requests: all.filter((each) => idOf(each) === id) }));
  // The methods of the metadata may lack that of a recorded client.
  const used = methods.length === 0 ? [] : clients.map(({ requests }) => findMethod(requests, methods)[0]);
  const learned = learnMetadata(
    { ...provider, metadata: { ...metadata, token_endpoint_auth_methods_supported: [...methods, ...used] } },
    { ...options, source: announced === undefined ? "the recorded requests" : "the metadata" },
  );
  const items = clients.map(({ id, requests }, index) => {
    const other = `client-${index + 1}`;
    const [shown = other] = context.keepOpen([id], "The id of a client", `${other} here`);
    return learnClient(shown, requests, methods, context);
  });
  const parts: Parts = {
    ...(announced === undefined ? { issuer: learned["issuer"], paths: learned["paths"] } : learned),
    ...learnAnswers(answers),
    scopes: learnOwnScopes(logins, metadata, options.usual, context),
    resources: learnResources(all, answers, String(metadata["issuer"]), context),
    clients: { items, from: "From the recorded requests." },
    ...learnPeople(answers, userinfo.map(({ answer }) => answer), context),
  };
  return { parts, leftOut: context.leftOut, ...(announced === undefined ? {} : { metadata }) };
}

interface HarContext extends ReturnType<typeof createContext> {
  /** Returns the texts that may be written. `what` names the others in the list of what is left out. */
  readonly keepOpen: (texts: readonly string[], what: string, instead?: string) => readonly string[];
}

function addFilter(context: ReturnType<typeof createContext>, isOpen: (text: string) => boolean): HarContext {
  const report = (what: string, instead: string) =>
    context.leaveOut(
      `${what} has a mail address, or a value that is secret in the HAR, so it is ${instead}.`,
    );
  return {
    ...context,
    keepOpen(texts, what, instead = "left out") {
      if (!texts.every(isOpen)) report(what, instead);
      return texts.filter(isOpen);
    },
  };
}

/** A HAR of a browser has only what the browser requested. */
function reportAbsent(found: Members, { leaveOut }: HarContext): void {
  const sentences = {
    metadata: "The HAR has no metadata: what the requests do not show is as Postern does it.",
    token_endpoint:
      "The HAR has no token request: claims, lifetimes and the method of the client are not learned.",
    userinfo_endpoint: "The HAR has no answer of userinfo: its claims are not learned.",
  };
  for (const [name, sentence] of Object.entries(sentences)) if (found[name] === undefined) leaveOut(sentence);
}

/** The issuer is in a callback (RFC 9207) and in ID tokens. */
function findIssuer(all: readonly Recorded[], answers: readonly JsonObject[], login: Recorded): string {
  const ofTokens = readClaims(answers, "id_token").map(({ iss }) => iss);
  return readTexts([...all.map(({ params }) => params.get("iss")), ...ofTokens])
    .find((iss) => URL.canParse(iss) && login.url.startsWith(`${iss.replace(/\/$/, "")}/`)) ??
    new URL(login.url).origin;
}

function keepOpenMembers(metadata: Members, { keepOpen }: HarContext): Members {
  const keep = (texts: readonly string[]) => keepOpen(texts, "An address or a value of the metadata");
  const open = Object.entries(metadata).filter(([name, value]) =>
    name === "issuer" || typeof value !== "string" || keep([value]).length > 0
  );
  return Object.fromEntries(
    open.map(([name, value]) => [name, Array.isArray(value) ? keep(readTexts(value)) : value]),
  );
}

function learnOwnScopes(
  logins: readonly Recorded[],
  metadata: Members,
  usual: Members,
  { keepOpen }: HarContext,
): Part | undefined {
  const recorded = readTexts(logins.flatMap(({ params }) => (params.get("scope") ?? "").split(" ")));
  const all = readTexts([...readTexts(metadata["scopes_supported"]), ...keepOpen(recorded, "A scope")]);
  return learnScopes(
    all.filter((name) => !readTexts(usual["scopes_supported"]).includes(name)),
    "From the scope of the requests, and from the metadata if there is one.",
  );
}

/** Returns the APIs that tokens are for. */
function learnResources(
  all: readonly Recorded[],
  answers: readonly JsonObject[],
  issuer: string,
  { keepOpen, leaveOut }: HarContext,
): Part | undefined {
  const requested = readTexts(all.map(({ params }) => params.get("resource"))).filter(isResource);
  const audiences = readTexts(readClaims(answers, "access_token").flatMap(({ aud }) => aud));
  if (audiences.some((each) => !requested.includes(each) && !each.startsWith(issuer))) {
    leaveOut("An access token has an audience that no parameter resource requests: add it to tokenClaims.");
  }
  return part(keepOpen(requested, "A resource"), "From the parameter resource of the requests.");
}

function learnClient(
  id: string,
  requests: readonly Recorded[],
  methods: readonly string[],
  context: HarContext,
): Part {
  const values = (name: string) => readTexts(requests.map(({ params }) => params.get(name)));
  // A query and user info may have secrets, and a redirect URI has no fragment.
  const uris = values("redirect_uri").map((uri) => uri.replace(/[?#].*$/s, "").replace(/:\/\/[^/]*@/, "://"));
  if (values("redirect_uri").some((uri) => uri.includes("?"))) {
    context.leaveOut("A redirect URI had a query, which is not taken over: write it yourself.");
  }
  if (values("client_assertion").length > 0) context.leaveOut("A client has a key: add its jwks.");
  const used = [...openParams, ...closedParams].filter((name) =>
    requests.some(({ params }) => params.has(name))
  );
  const [method, reason] = findMethod(requests, methods);
  const isRecorded = requests.some((each) => idOf(each) === id);
  const hasPkce = values("code_challenge").length > 0;
  const members: Parts = {
    client_id: part(id, `${isRecorded ? "From the requests" : "Invented"}. They use ${used.join(", ")}.`),
    client_secret: method === "none" ? undefined : learnSecret(undefined, context),
    ...learnUris("", { redirect_uris: context.keepOpen(uris, "A redirect URI") }, context),
    token_endpoint_auth_method: part(method, reason),
    require_pkce: part(hasPkce ? undefined : false, "The requests have no code_challenge."),
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
  const times = id === undefined ? undefined : parseJwt(id)?.claims;
  const isOpaque = access !== undefined && jwt === undefined;
  const alg = signingAlgorithms.find((each) => id !== undefined && parseJwt(id)?.header["alg"] === each);
  return {
    ...present({ alg: part(alg, "From the header of the recorded ID token.") }),
    accessTokens: part(isOpaque ? "opaque" : undefined, "The recorded access token is no JWT."),
    accessTokenType: part(
      jwt?.header["typ"] === "JWT" ? "JWT" : undefined,
      "From the header of the access token.",
    ),
    lifetimes: learnLifetimes({
      accessToken: part(seconds, "From expires_in of the token response."),
      idToken: part(
        Number(times?.["exp"]) - Number(times?.["iat"]),
        "From exp and iat of the recorded ID token.",
      ),
    }),
  };
}

function learnPeople(
  answers: readonly JsonObject[],
  userinfo: readonly JsonObject[],
  { keepOpen }: HarContext,
): Parts {
  const ofTokens = {
    accessToken: readClaims(answers, "access_token"),
    idToken: readClaims(answers, "id_token"),
    userinfo,
  };
  const all = Object.fromEntries(Object.values(ofTokens).flat().flatMap((claims) => Object.entries(claims)));
  const open = keepOpen(readTexts(Object.keys(all)), "A claim");
  const values = open.map((name) => [name, inventLike(all[name], keepOpen)]);
  const ofScopes = Object.values(claimsOfScope).flat();
  const listed = Object.entries(ofTokens).map(([token, claims]) => {
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
