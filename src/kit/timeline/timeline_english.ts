/** The English words for recorded exchanges: on the pages of the inspector, and in the timeline as an HTML file. */

import { sayCount, sayEach } from "../../ground/values/say_count.ts";
import type { ParticipantKind } from "./diagram_props.ts";
import type { BrowserResult, CheckName, HintKind, Relation } from "./exchange_props.ts";
import { type ByName, byName } from "../../ground/values/fill.ts";
import {
  claims,
  clientClaims,
  jwtHeader,
  parameters,
} from "../../server/pages/words/explanations_english.ts";
import { englishLevels, type LevelWords } from "./levels_english.ts";
import { headers, responses } from "./messages_english.ts";

/** Gets durations or a value of the hint. */
type HintText = (first: string, second: string) => string;

/** Endpoints in words. A Map, because other code names the endpoints. */
const endpointWords: ByName = byName({
  authorize: "Authorization request",
  par: "Pushed authorization request",
  device_authorization: "Start of a device login",
  device_verification: "User code of a device",
  sign_in: "Sign-in",
  sign_up: "Sign-up",
  account: "Choice of an account",
  second_factor: "Second factor",
  consent: "Consent",
  token: "Token request",
  register: "Client registration",
  userinfo: "Userinfo",
  revoke: "Revocation",
  introspect: "Introspection",
  logout: "Sign-out",
  jwks: "Public keys",
  metadata: "Discovery document",
  resource: "API request",
  page: "Page",
});

/** Pages of this server that do something, by the end of their path. */
const pageWords: ByName = byName({
  start: "Start of a login",
  end: "Access ended on a page",
  authorized: "Callback page",
  walk: "Exchange page",
});

const grantWords: ByName = byName({
  authorization_code: "Code exchange",
  refresh_token: "Refresh",
  client_credentials: "Client credentials",
  "urn:ietf:params:oauth:grant-type:device_code": "Poll of a device",
  "urn:ietf:params:oauth:grant-type:token-exchange": "Token exchange",
  "urn:ietf:params:oauth:grant-type:jwt-bearer": "JWT of another issuer",
});

const relationWords: Readonly<Record<Relation, (value: string) => string>> = {
  verifier_of: () => "The verifier belongs to this login instead",
  used_first: (value) => `The first request with this ${value}`,
  ended: () => "The request that ended it",
  issued: (value) => `The response with this ${value}`,
  authorization: () => "The authorization request of this login",
  other_login: () => "Another login of the same client, which began meanwhile",
  same_client: () => "The last request with which this client authenticated",
  step_up_of: () => "This login is a step-up: the API wanted a newer or stronger sign-in here",
};

const checkWords: Readonly<Record<CheckName, string>> = {
  state: "state is the one of the request",
  response_iss: "iss is the issuer",
  iss: "iss of the ID token is the issuer",
  aud: "aud of the ID token names the client",
  nonce: "nonce of the ID token is the one of the request",
  exp: "exp is in the future",
  iat: "iat is not in the future",
  acr: "acr of the ID token is one that the request asked for",
  auth_time: "The sign-in is as new as max_age asks for",
  at_hash: "at_hash fits the access token",
  alg: "The ID token is signed",
  access_token_aud: "aud of the access token is the requested API",
};

/** What the comparison shows if it fails, at the start of a sentence. */
const failedCheckWords: Readonly<Record<CheckName, string>> = {
  state: "state is not the one of the request",
  response_iss: "iss is not the issuer",
  iss: "iss of the ID token is not the issuer",
  aud: "aud of the ID token does not name the client",
  nonce: "nonce of the ID token is not the one of the request",
  exp: "exp is in the past by the clock of this machine",
  iat: "iat is in the future by the clock of this machine",
  acr: "The request asked for another acr than that of the ID token",
  auth_time: "The sign-in is older than max_age allows, by the clock of this machine",
  at_hash: "at_hash does not fit the access token",
  alg: "The ID token is not signed",
  access_token_aud: "aud of the access token does not name the requested API",
};

/** What a browser gets, as a sentence. */
const resultWords: Readonly<Record<BrowserResult, string>> = {
  page: "The browser got a page.",
  sign_in: "The page asks the person to sign in.",
  sign_up: "The page asks the person to make an account.",
  account: "The page asks the person to choose an account.",
  second_factor: "The page asks the person for the second factor.",
  consent: "The page asks the person for consent.",
  next: "The browser was sent to the next step.",
  code: "The browser brings a code to the client.",
  error: "The browser brings an error to the client.",
};

/** What an endpoint gave, as a sentence. A Map, because other code names the endpoints. */
const givenWords: ByName = byName({
  par: "It gave the client a request_uri for the authorization request.",
  register: "It registered the client.",
  userinfo: "It gave the claims of the person.",
  revoke: "The token has ended, or there was none.",
  jwks: "It gave the public keys.",
  metadata: "It gave the discovery document.",
  introspect: "It told the caller about the token.",
});

/** Returns text such as `an access token for 1 h, a refresh token and an ID token`. */
function nameTokens(names: readonly string[], life: string | undefined): string {
  const lifetime = life === undefined ? "" : ` for ${life}`;
  const tokens = [
    ...(names.includes("access_token") ? [`an access token${lifetime}`] : []),
    ...(names.includes("other_token") ? [`a token${lifetime} that is no access token`] : []),
    ...(names.includes("refresh_token") ? ["a refresh token"] : []),
    ...(names.includes("id_token") ? ["an ID token"] : []),
  ];
  const last = tokens.pop() ?? "an answer";
  return tokens.length === 0 ? last : `${tokens.join(", ")} and ${last}`;
}

function describeSequence(): string {
  return "The first request was answered before this one arrived, so the two did not run at the same time.";
}

const valueWords: ByName = byName({
  authorization_code: "code",
  refresh_token: "refresh token",
});

/** The faults that the response hides, by the reason. */
const headlineWords: ByName = byName({
  secret_wrong: "The client secret is wrong",
  public_client_sent_secret: "This client is public, and sent a secret",
  client_unknown: "This client is not known here",
  secret_not_encoded: "The client_id and the client_secret are not form-encoded",
  certificate_missing: "The client sent no certificate",
  certificate_unreadable: "The certificate of the client cannot be read",
  certificate_unproven: "The client does not prove that it holds the key of its certificate",
  certificate_untrusted: "The certificate of the client is from no trusted authority",
  certificate_not_valid_now: "The certificate of the client is not valid now",
  certificate_subject_differs: "The certificate of the client has another subject",
  certificate_key_differs: "The certificate of the client has another key",
  token_expired: "The access token has expired",
});

/** What the other requests show, as a sentence each. */
const hintWords: Readonly<Partial<Record<HintKind, HintText>>> = {
  challenge_unknown: () =>
    "No recorded login has the code_challenge that belongs to this verifier. So the client made the verifier up or changed it, or it belongs to a login that the journal does not have, such as one before the start of this server.",
  resource_missing: () =>
    "The token was requested without the parameter resource, so it is for the default audience.",
  resource_to_add: () =>
    "The token was requested without the parameter resource, so it is for the default audience.",
  clock_turned: (turned, passed) =>
    `The clock was turned ahead by ${turned} in between. Without this turn, ${passed} passed.`,
  clock_alone: (turned, passed) =>
    `The clock was turned ahead by ${turned} in between. Without this turn, only ${passed} passed, so the client was not slow.`,
  used_at_once: () =>
    "The first request was answered just before this one arrived, so the client may have sent both at the same time.",
  code_kept: describeSequence,
  refresh_kept: describeSequence,
  refresh_raced: () =>
    "Both requests ran at the same time. For a client that cannot avoid this, lifetimes.refreshGrace of the configuration lets the server accept the older token for some seconds after a refresh.",
  assertion_sent_before: () => "An earlier request had the same client_assertion.",
  assertion_behind: (time) =>
    `iat of the client_assertion is ${time} behind the server's clock, almost to the second, and no earlier recorded request had this client_assertion. So the clock or the time zone of the client is probably wrong.`,
  assertion_ahead: (time) =>
    `iat of the client_assertion is ${time} ahead of the server's clock, almost to the second. So the clock or the time zone of the client is probably wrong.`,
};

/** The change that the other requests call for, instead of the general one. */
const hintChangeWords: Readonly<Partial<Record<HintKind, HintText>>> = {
  challenge_unknown: () =>
    "Keep the code_verifier of the authorization request, and send exactly this one with the code.",
  resource_to_add: (resource) =>
    `Add resource=${resource} to the authorization request and to the token request, or let the API accept the audience that it received.`,
  clock_alone: () =>
    "Set the clock right, and start again. If the clock was turned to test what happens now, the refusal is right.",
  assertion_sent_before: () => "Create a new client_assertion for each request.",
  assertion_behind: () =>
    "Correct the clock of the client, or how it calculates iat and exp from local time.",
  assertion_ahead: () => "Correct the clock of the client, or how it calculates iat and exp from local time.",
  refresh_kept: () =>
    "Store the refresh token of every response, and send only the latest one. The person must sign in again now.",
  refresh_raced: () => "Let only one request refresh at a time. The person must sign in again now.",
};

/** Why a grant is no longer valid, as refusals name it. */
const lossWords: ByName = byName({
  grant_revoked: "a grant that was revoked",
  client_gone: "a grant whose client is gone",
  person_gone: "a grant whose person is gone",
  person_disabled: "a grant whose person is disabled",
  password_changed: "a grant whose person has another password now",
  scope_removed: "a grant whose scope is gone",
  signed_out: "a grant whose person has signed out",
});

/** Returns text such as `2 refused, 1 failed`. It is empty if there are none. */
function countBad(refused: number, failed: number): string {
  return sayEach([[refused, "refused"], [failed, "failed"]]);
}

/** What names a request. `target` is its path. */
interface Named {
  readonly endpoint: string;
  readonly grantType?: string | undefined;
  readonly target?: string;
}

type Explanations =
  & typeof import("../../server/pages/words/explanations_english.ts")
  & typeof import("./messages_english.ts");

export const englishTimeline = {
  explanations: { claims, clientClaims, headers, jwtHeader, parameters, responses } as Explanations,
  endpoint: ({ endpoint, grantType = "", target = "" }: Named): string =>
    (endpoint === "token" ? grantWords.get(grantType) : undefined) ??
      (endpoint === "page" ? pageWords.get(target.split("/").at(-1)!) : undefined) ??
      endpointWords.get(endpoint) ?? endpoint,
  results: resultWords as Readonly<Record<BrowserResult, string>>,
  given: givenWords as ByName,
  answered: (status: number): string => `It was answered with ${status}.`,
  tokens: (names: readonly string[], life: string | undefined, scope: string | undefined): string =>
    `It gave ${nameTokens(names, life)}${scope === undefined ? "" : `, with the scope ${scope}`}.`,
  passedOn: "The test answers this request itself.",
  hints: hintWords as Readonly<Partial<Record<HintKind, HintText>>>,
  hintChanges: hintChangeWords as Readonly<Partial<Record<HintKind, HintText>>>,
  losses: lossWords as ByName,
  relations: relationWords as Readonly<Record<Relation, (value: string) => string>>,
  /** The value that a token request sends, by the grant type, and the value of other requests. */
  values: valueWords as ByName,
  otherValue: "code or token",
  /** The first compares a token with the one before it, the second with any. */
  compare: {
    before: "Compare with the one before",
    any: "Compare with another token",
  },
  headlines: headlineWords as ByName,
  checks: checkWords as Readonly<Record<CheckName, string>>,
  failedChecks: failedCheckWords as Readonly<Record<CheckName, string>>,
  levels: englishLevels as LevelWords,
  group: {
    flow: "Login",
    noFlow: "Requests outside of a login",
    anonymous: "unknown client",
    of: (client: string, person: string | undefined): string =>
      person === undefined ? client : `${client}, ${person}`,
    count: (number: number): string => sayCount(number, "request", "requests"),
    refused: (refused: number, failed: number): string => countBad(refused, failed) || "none refused",
  },
  line: {
    first: "first",
    browser: "Browser",
    turnedAhead: (time: string): string => `The clock was turned ahead by ${time}.`,
    turnedBack: (time: string): string => `The clock was turned back by ${time}.`,
    clockAhead: (time: string): string =>
      `The server's clock was ${time} ahead of the clock of this machine.`,
    clockBehind: (time: string): string => `The server's clock was ${time} behind the clock of this machine.`,
    oneChange: "To fix it:",
    setClock: "Set the clock",
    follows: "This follows from an earlier refusal:",
    followed: "the refusal that ended it",
    alteredBy: "Changed on purpose by",
    wrongBy: "Wrong on purpose:",
    sent: (expected = "", received = "nothing"): string =>
      `: ${expected && `expected ${expected}, `}sent ${received}`,
    accepted: "passed on",
    lost: "The response was lost: a drop removed it, after the server had handled the request.",
  },
  exchange: {
    error: "Error code",
    rule: "Rule",
    expected: "Expected",
    received: "Received",
    oneChange: "To fix it",
    looksLike: "Looks like",
    remedy: "Or change the configuration",
    related: "What explains it",
    origins: "Where it comes from",
    hint: "Other requests show",
    before: (time: string): string => `${time} before`,
    atTheSameTime: "at the same time: both requests ran together, a race",
    arithmetic: "PKCE, calculated",
    verifier: "code_verifier of this request",
    hash: "S256 of it",
    challenge: "code_challenge of the authorization request",
    matches: "They are equal: the verifier is right.",
    differs: "They differ: this verifier does not belong to this code.",
    noChallenge: "No authorization request with a code_challenge is in the journal.",
    checks: "What a client can compare",
    checksNote:
      "A client compares these itself. Here the server did, for the time of the response by the clock of this machine.",
    hold: "These were true:",
    fails: "not true",
    noExpectation: "nothing was requested",
    notReceived: "nothing",
    noRequest: "the journal does not have the authorization request",
    noResource: "no resource was requested, so the token is for the default audience",
    open: "nothing to compare",
    facts: "Facts",
    client: "Client",
    authentication: "Client authentication",
    scope: "Scope",
    resource: "Resource",
    arrivedBy: "Arrived as",
    provenKey: "Proven key",
    factorReason: "Second factor, wanted by",
    factorReasons: {
      policy: "the server (secondFactorPolicy)",
      person: "the person (secondFactor.always)",
      client: "the client (require_second_factor)",
      claims: "the request (acr in claims)",
      acr_values: "the request (acr_values)",
    },
    trace: "Trace",
    parentSpan: "Span of the caller",
    calls: "Calls",
    fault: "Error inside the server or a hook",
    notified: "Clients that were told of the sign-out",
    request: "Request",
    response: "Response",
    headers: "Headers",
    hiddenBody: (length: number): string =>
      `A body of ${length.toLocaleString("en")} characters, which is not shown.`,
    omitted: (number: number): string =>
      `${sayCount(number, "more value is", "more values are")} left out here. An export has all.`,
    noStatus: "The test answers this request itself.",
    copy: "Copy the request",
    copyNote: "A placeholder such as <code> stands for a value that is not shown.",
    copies: { curl: "curl, for a POSIX shell", fetch: "JavaScript", http: ".http file" },
  },
  /** The client of a refused request, as the server knows it. */
  client: {
    heading: "The client at this server",
    id: "Client",
    authentication: "Authentication",
    isPublic: "none: a public client, which has no secret",
    isConfidential: (method: string): string => `${method}: a confidential client`,
    redirectUris: "Registered redirect URIs",
    grantTypes: "Grant types",
    scope: "Scopes that it may request",
    pkce: "PKCE",
    needsPkce: "required",
    mayOmitPkce: "not required with a nonce",
    none: "none",
  },
  diagram: {
    title: "Sequence diagram",
    numbered: (number: number): string => `Sequence diagram ${number}`,
    participants: {
      browser: "Browser",
      client: "Client",
      unknown: "Unknown client",
      other_clients: "Other clients",
      server: "Postern",
      api: "API",
      other_apis: "Other APIs",
    } as Readonly<Record<ParticipantKind, string>>,
    direction: (from: string, to: string): string => `${from} to ${to}: `,
  },
  meaning: "Meaning",
  /** After the beginning of a token. */
  whole: (length: number): string => `${length.toLocaleString("en")} characters, whole below Tokens`,
  carriedBy: { request: "in the request", response: "in the response" },
  /** Before the reason why the server does not accept a token. */
  ended: "Not valid any more:",
  file: {
    title: (requests: number, refused: number, failed: number): string =>
      `${sayCount(requests, "request", "requests")}, ${countBad(refused, failed) || "none refused"}`,
    heading: "What happened",
    about: (issuer: string): string => `Requests to ${issuer}, in the order of time, each login by itself.`,
    redacted:
      "Redacted: this file has no codes, tokens, verifiers, passwords or cookies. Secrets are described by length and hash.",
    withSecrets: "This file holds codes, tokens and verifiers. Do not publish it.",
    dropped: (number: number): string =>
      `${sayCount(number, "earlier request is", "earlier requests are")} not in this file.`,
    empty: "The journal has no requests.",
    details: "Details",
  },
};

export type TimelineWords = typeof englishTimeline;
