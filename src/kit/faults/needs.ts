/** What a client has to do to meet some of the misbehaviours, and how its requests show that it does it. */

import { namesLoopback } from "../../ground/http/address.ts";
import { parseJsonObject } from "../../ground/schema/json_object.ts";
import { findHeader, type Message } from "../../server/oauth/contracts/journal.ts";
import {
  acceptsLogoutToken,
  exchangesToken,
  racesRefresh,
  refreshes,
  startsLogin,
  to,
  where,
} from "./finds.ts";
import { asksFor, type Find, headerOf, type Seen, sentIn } from "./seen.ts";
import { listLogins } from "./logins.ts";

/** Something that not every client does. */
export type Need =
  | "account"
  | "acr_values"
  | "api_metadata"
  | "assertion"
  | "authorization_details"
  | "back_channel_logout"
  | "certificate_bound_token"
  | "client_document"
  | "device"
  | "dpop"
  | "dpop_api"
  | "email"
  | "encrypted_id_token"
  | "id_token"
  | "id_token_auth_time"
  | "introspection"
  | "introspection_jwt"
  | "issuer_parameter"
  | "jarm"
  | "kept_refresh_token"
  | "keys"
  | "max_age"
  | "mcp"
  | "mcp_server"
  | "metadata"
  | "mtls_api"
  | "no_certificate"
  | "no_nonce"
  | "nonce"
  | "oauth_metadata_first"
  | "pages"
  | "pkce"
  | "plain_response"
  | "public_client"
  | "pushed_request"
  | "refresh_token"
  | "registered_secret"
  | "registration"
  | "registration_management"
  | "revocation"
  | "several_servers"
  | "several_tokens"
  | "state"
  | "token_exchange"
  | "two_browsers"
  | "two_logins"
  | "two_refreshes"
  | "two_states"
  | "userinfo"
  | "userinfo_jwt"
  | "verified_access_token"
  | "world_reachable";

interface NeedParts {
  /** In a sentence: "Applies to clients with: DPoP proofs (RFC 9449)". */
  readonly words: string;
  /** Finds requests that show it. */
  readonly shownBy?: Find;
  /** What is said of a client without it: "sends no DPoP proof". Absent: nothing shows it, so every client may have it. */
  readonly lacks?: string;
  /** Only the examination lacks it, and the client may do what the misbehaviour is about. `lacks` is a whole sentence then. */
  readonly isOfExamination?: true;
}

const anyWith = (matches: (seen: Seen) => boolean): Find => (later) => later.filter(matches);

const sends = (name: string): Find => where(startsLogin, (seen) => sentIn(seen)?.(name) !== undefined);

const parameter = (name: string): NeedParts => ({
  words: `the request parameter ${name}`,
  shownBy: sends(name),
  lacks: `sends no ${name}`,
});

const stateOf = (seen: Seen): string | undefined => sentIn(seen)?.("state");

const sendsTwoStates: Find = (later, acted) => {
  const [first, ...others] = sends("state")(later, acted);
  return others.filter((seen) => first !== undefined && stateOf(seen) !== stateOf(first));
};

/** How the fact of a proven key begins if it is that of a certificate. */
const boundByCertificate = "x5t#S256 ";

const getsToken = (member: "id_token" | "refresh_token"): Find =>
  to("token", ({ entry: { response } }) => response.body?.includes(`"${member}"`) === true);

const keepsRefreshToken = ({ params, entry: { response } }: Seen): boolean =>
  response.body?.includes(`"refresh_token":"${params.get("refresh_token")}"`) === true;

const isOfOauth = ({ entry: { request } }: Seen) => request.path.includes("/oauth-authorization-server");

const getsResponseJwt = (response: Message): boolean =>
  /[?&#]response=eyJ/.test(findHeader(response, "location") ?? "") ||
  response.body?.includes('name="response"') === true;

const getsPlainCode = (response: Message): boolean =>
  /[?&#]code=/.test(findHeader(response, "location") ?? "") ||
  response.body?.includes('name="code"') === true;

const showsCertificate = ({ entry: { facts: { clientAuth, provenKey } } }: Seen): boolean =>
  clientAuth?.endsWith("tls_client_auth") === true || provenKey?.startsWith(boundByCertificate) === true;

const isPublic = (seen: Seen): boolean =>
  headerOf(seen, "authorization") === undefined && !seen.params.has("client_secret") &&
  !seen.params.has("client_assertion");

/** The first request names the version in its body, and each later one in a header. */
function readMcpVersion(seen: Seen): string | undefined {
  const { params } = parseJsonObject(seen.entry.request.body ?? "") ?? {};
  const { protocolVersion } = Object(params);
  return headerOf(seen, "mcp-protocol-version") ??
    (typeof protocolVersion === "string" ? protocolVersion : undefined);
}

/** Its messages are JSON-RPC. */
const isMcp = (seen: Seen): boolean =>
  readMcpVersion(seen) !== undefined || parseJsonObject(seen.entry.request.body ?? "")?.["jsonrpc"] === "2.0";

const accepts = (type: string) => (seen: Seen) => headerOf(seen, "accept")?.includes(type) === true;

const needs: Readonly<Record<Need, NeedParts>> = {
  // Only the application knows it.
  account: {
    words: "an account of the application that its run names",
    lacks: "does not say which account is signed in (account)",
  },
  acr_values: parameter("acr_values"),
  api_metadata: {
    words: "discovery by the metadata of an API (RFC 9728)",
    shownBy: to(
      "resource",
      ({ entry: { request } }) => request.path.includes("/.well-known/oauth-protected-resource"),
    ),
    lacks: "does not read the metadata of the API",
  },
  assertion: {
    words: "authentication by an assertion (RFC 7523)",
    shownBy: anyWith(({ params }) => params.has("client_assertion")),
    lacks: "does not authenticate by an assertion",
  },
  authorization_details: parameter("authorization_details"),
  back_channel_logout: {
    words: "back-channel logout",
    shownBy: acceptsLogoutToken,
    lacks: "has no endpoint for logout tokens",
  },
  certificate_bound_token: {
    words: "access tokens that are bound to its certificate (RFC 8705)",
    shownBy: to("token", ({ entry: { facts } }) => facts.provenKey?.startsWith(boundByCertificate) === true),
    lacks: "gets no token that is bound to a certificate",
  },
  client_document: {
    words: "client documents (Client ID Metadata Document)",
    shownBy: where(startsLogin, ({ params }) => /^https?:/.test(params.get("client_id") ?? "")),
    lacks: "uses no URL as its client id",
  },
  device: {
    words: "logins on a device (RFC 8628)",
    shownBy: to("device_authorization"),
    lacks: "has no login on a device",
  },
  dpop: {
    words: "DPoP proofs (RFC 9449)",
    shownBy: anyWith((seen) => headerOf(seen, "dpop") !== undefined),
    lacks: "sends no DPoP proof",
  },
  dpop_api: { words: "an API that supports DPoP" },
  email: {
    words: "the scope email",
    shownBy: where(startsLogin, (seen) => asksFor("email", sentIn(seen))),
    lacks: "does not ask for the scope email",
  },
  encrypted_id_token: {
    words: "encrypted ID tokens",
    shownBy: to(
      "token",
      ({ entry: { response } }) => /"id_token":"[^."]+(?:\.[^."]*){4}"/.test(response.body ?? ""),
    ),
    lacks: "gets no encrypted ID token",
  },
  id_token: { words: "an ID token", shownBy: getsToken("id_token"), lacks: "gets no ID token" },
  id_token_auth_time: { words: "an ID token with auth_time" },
  introspection: {
    words: "an API that asks the server about access tokens",
    shownBy: to("introspect"),
    lacks: "has no API that asks the server about access tokens",
  },
  introspection_jwt: {
    words: "an API that asks the server about access tokens, and wants a JWT",
    shownBy: to("introspect", accepts("application/token-introspection+jwt")),
    lacks: "has no API that wants a JWT about access tokens",
  },
  issuer_parameter: { words: "support of RFC 9207" },
  jarm: {
    words: "authorization responses that are JWTs (JARM)",
    shownBy: anyWith(({ entry: { response } }) => getsResponseJwt(response)),
    lacks: "asks for no JWT as authorization response",
  },
  kept_refresh_token: {
    words: "refresh tokens that stay the same (rotate_refresh_tokens: false)",
    shownBy: where(refreshes, keepsRefreshToken),
    lacks: "gets a new refresh token with each refresh",
  },
  keys: { words: "the keys of the server", shownBy: to("jwks"), lacks: "loads no keys of the server" },
  max_age: parameter("max_age"),
  mcp: {
    words: "calls of an MCP server",
    shownBy: to("resource", (seen) => isMcp(seen)),
    lacks: "calls no MCP server (by a JSON-RPC message to the API)",
  },
  mcp_server: {
    words: "calls of an MCP server, by the specification of 2025-11-25 or a later one",
    shownBy: to("resource", (seen) => (readMcpVersion(seen) ?? "") >= "2025-11-25"),
    lacks: "calls no MCP server, or by an older specification (MCP-Protocol-Version)",
  },
  metadata: {
    words: "discovery by the metadata of the server",
    shownBy: to("metadata"),
    lacks: "does not read the metadata of the server",
  },
  mtls_api: { words: "an API that checks certificates" },
  no_certificate: {
    words: "no certificate",
    shownBy: to("token", (seen) => !showsCertificate(seen)),
    lacks: "shows a certificate",
  },
  no_nonce: {
    words: "a request without nonce",
    shownBy: where(startsLogin, (seen) => {
      const sent = sentIn(seen);
      return sent !== undefined && sent("nonce") === undefined;
    }),
    lacks: "always sends a nonce",
  },
  nonce: parameter("nonce"),
  oauth_metadata_first: {
    words: "a first request to /.well-known/oauth-authorization-server",
    shownBy: (later, acted) => to("metadata")(later, acted).slice(0, 1).filter(isOfOauth),
    lacks: "does not ask for the metadata of RFC 8414 first",
  },
  // `visit` shows it.
  pages: { words: "pages that visit opens", lacks: "opens no page with visit (pages)" },
  pkce: { words: "PKCE", shownBy: sends("code_challenge"), lacks: "sends no code_challenge" },
  plain_response: {
    words: "authorization responses that are no JWT",
    shownBy: anyWith(({ entry: { response } }) => getsPlainCode(response)),
    lacks: "gets its authorization response as a JWT, where each claim occurs once",
  },
  public_client: {
    words: "no secret and no key",
    shownBy: to("token", isPublic),
    lacks: "is confidential: it authenticates at the token endpoint",
  },
  pushed_request: {
    words: "pushed authorization requests (RFC 9126)",
    shownBy: to("par"),
    lacks: "pushes no authorization request",
  },
  refresh_token: {
    words: "a refresh token",
    shownBy: getsToken("refresh_token"),
    lacks: "gets no refresh token",
  },
  registered_secret: {
    words: "dynamic registration with a secret",
    shownBy: to(
      "register",
      ({ entry: { response } }) => response.body?.includes('"client_secret"') === true,
    ),
    lacks: "registers no secret",
  },
  registration: {
    words: "dynamic registration (RFC 7591)",
    shownBy: to("register"),
    lacks: "does not register itself",
  },
  registration_management: { words: "management of the registration (RFC 7592)" },
  revocation: {
    words: "revocation of tokens",
    shownBy: to("revoke"),
    lacks: "revokes no token",
  },
  several_servers: { words: "several authorization servers" },
  // A client sends the token that it has.
  several_tokens: {
    words: "an API that gets several tokens in a row, as examineApi sends them",
    lacks: "does not choose the tokens that it sends",
  },
  state: { words: "the parameter state", shownBy: sends("state"), lacks: "sends no state" },
  token_exchange: {
    words: "token exchange (RFC 8693)",
    shownBy: exchangesToken,
    lacks: "exchanges no token",
  },
  // Whether two runs share their cookies or their storage, as a browser does, is not seen.
  two_browsers: {
    words: "a browser of its own in each run",
    lacks: "is not said to have a browser of its own in each run (two_browsers)",
  },
  two_logins: {
    words: "two logins",
    shownBy: (later) => listLogins(later).slice(1).flatMap(({ requests }) => requests),
    lacks: "logs in once in each run, so nothing shows this",
  },
  // A client that lets the second caller wait sends one request, as a client with one caller does.
  two_refreshes: {
    words: "two callers that refresh at the same time",
    shownBy: racesRefresh,
    lacks: "is not said to refresh for two callers at the same time (two_refreshes)",
  },
  two_states: {
    words: "a state of its own in each login",
    shownBy: sendsTwoStates,
    lacks: "sends the same state in each login",
  },
  userinfo: { words: "userinfo", shownBy: to("userinfo"), lacks: "asks for no userinfo" },
  userinfo_jwt: {
    words: "userinfo as a signed JWT",
    shownBy: to(
      "userinfo",
      ({ entry: { response: { headers } } }) =>
        headers.some(([name, value]) => name === "content-type" && value.startsWith("application/jwt")),
    ),
    lacks: "asks for no userinfo",
  },
  verified_access_token: { words: "an API that verifies access tokens" },
  world_reachable: {
    words: "a server that is not on loopback",
    // A call without a socket has no Host, and may be for any server.
    shownBy: (later) => later.some((seen) => namesLoopback(headerOf(seen, "host") ?? "")) ? [] : later,
    lacks:
      "The server is on this machine, so nothing shows what the client does with a public one (world_reachable).",
    isOfExamination: true,
  },
};

const usualParameters: readonly UsualParameter[] = ["state", "nonce", "code_challenge"];

/** A parameter that protects a login, and that a client may leave out. */
export type UsualParameter = "state" | "nonce" | "code_challenge";

/** Returns `undefined` if the requests do not show which: a request object (RFC 9101) may have any parameter. */
export function listNeverSent(requests: readonly Seen[]): readonly UsualParameter[] | undefined {
  const logins = startsLogin(requests, []).filter(({ params }) => !params.has("request_uri"));
  if (logins.length === 0 || logins.some(({ params }) => params.has("request"))) return undefined;
  const hasOpenid = logins.some((seen) => asksFor("openid", sentIn(seen)));
  // Without OpenID Connect, there is no nonce.
  return usualParameters.filter((name) =>
    (name !== "nonce" || hasOpenid) && sends(name)(logins, []).length === 0
  );
}

export const needNames: readonly Need[] = Object.keys(needs) as Need[];

/** Says which clients are meant, after "clients with". */
export function describeNeeds(all: readonly Need[]): string {
  return all.map((need) => needs[need].words).join(", and ");
}

/** What a client, or its examination, lacks for a misbehaviour. */
export interface Unmet {
  readonly outcome: "not_applicable" | "not_reached";
  /** One sentence. */
  readonly because: string;
}

/** Finds a need that no request shows, and that the caller has not declared. */
export function findUndeclared(all: readonly Need[], declared: readonly Need[]): Unmet | undefined {
  return findUnmet(all.filter((need) => needs[need].shownBy === undefined), [], declared);
}

/** `requests` are those of a run while the server is right. `declared` is what the caller knows about the client. */
export function findUnmet(
  all: readonly Need[],
  requests: readonly Seen[],
  declared: readonly Need[],
): Unmet | undefined {
  const unmet = all.filter((need) => !declared.includes(need)).map((need) => needs[need]).find(
    ({ shownBy, lacks }) => lacks !== undefined && (shownBy?.(requests, []).length ?? 0) === 0,
  );
  return unmet &&
    (unmet.isOfExamination
      ? { outcome: "not_reached", because: unmet.lacks! }
      : { outcome: "not_applicable", because: `The client ${unmet.lacks}.` });
}
