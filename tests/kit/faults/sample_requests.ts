/** Requests as clients send them, without a server: those of a login, of an API, and to what is missing. */

import { joinJwt } from "../../../src/ground/crypto/jwt_parts.ts";
import { findUnmet, type Need } from "../../../src/kit/faults/needs.ts";
import type { Find, Seen } from "../../../src/kit/faults/seen.ts";
import { createHardSpelling } from "../../../src/kit/faults/spelling.ts";
import { seenAt, type SeenTerms } from "./seen_requests.ts";

let number = 0;
/** A request at the next second. */
export const at = (endpoint: string, terms: Omit<SeenTerms, "number"> = {}): Seen =>
  seenAt(endpoint, { number: ++number, ...terms });
const redeem = (code: string, flow?: string) =>
  at("token", {
    form: { grant_type: "authorization_code", code },
    facts: flow === undefined ? {} : { flow },
  });
const grant = (grant_type: string, scope = "") => at("token", { form: { grant_type, scope } });
const rotate = (refresh_token: string, next: string) =>
  at("token", { form: { grant_type: "refresh_token", refresh_token }, body: `{"refresh_token":"${next}"}` });
const use = (endpoint: string, token: string, status = 200) =>
  at(endpoint, { authorization: `Bearer ${token}`, status });
const answer = (location: string) => at("authorize", { status: 302, location });
const wrap = (code: string, more = {}) =>
  joinJwt({ header: { alg: "none" }, claims: { code, ...more }, signature: "" });
const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
const poll = (second: number, device_code = "a") =>
  seenAt("token", { number: second, form: { grant_type, device_code } });
const tell = (told: string) =>
  at("logout", { facts: { more: { back_channel_logout: { app: "told nothing", other: told } } } });

const hard = createHardSpelling(["code"]).spell("a");
const login = (...all: readonly Readonly<Record<string, string>>[]) =>
  Object.fromEntries(all.map((params) => [
    Object.entries(params).join("; "),
    at("authorize", { query: `code_challenge=a&${new URLSearchParams(params)}` }),
  ]));
const prove = (nonce: string, alg = "ES256") => {
  const dpop = joinJwt({ header: { alg }, claims: { nonce }, signature: "" });
  const sent = { token: { form: { grant_type: "refresh_token" } }, resource: { authorization: "DPoP a" } };
  return Object.entries(sent).map(([to, terms]) => [`${to} ${alg} ${nonce}`, at(to, { ...terms, dpop })]);
};
const nonces = ["", "nonce-1", "nonce-2", "nonce-1, nonce-2", "nonce-of-the-server", "nonce-of-the-api"];

/** Requests of all kinds, by what is special about them. */
export const requests: Readonly<Record<string, Seen>> = {
  ...{ code: redeem("right"), sameCode: redeem("right"), noFlow: redeem("hidden") },
  ...{ hidden: redeem("hidden", "1"), otherFlow: redeem("hidden", "2") },
  ...{ empty: redeem(""), null: redeem("null"), undefined: redeem("undefined") },
  noCode: at("token", { form: { grant_type: "authorization_code" } }),
  ...{ credentials: grant("client_credentials"), refresh: grant("refresh_token") },
  refreshOrders: grant("refresh_token", "openid orders"),
  refreshLonger: grant("refresh_token", "orders_more"),
  refreshBare: at("token", { form: { grant_type: "refresh_token" } }),
  wrongTokens: at("token", { body: '{"access_token":"wrong","id_token":"x"}' }),
  encryptedIdToken: at("token", { body: '{"id_token":"a.b.c.d.e"}' }),
  ...{ userinfo: at("userinfo"), call: at("resource"), keys: at("keys"), wrongKeys: at("keys") },
  ...{ useWrong: use("resource", "wrong"), useRight: use("resource", "right") },
  ...{ askWrong: use("userinfo", "wrong"), refused400: use("resource", "a", 400) },
  ...{ refused401: use("resource", "a", 401), refused403: use("userinfo", "a", 403) },
  ...{ postPage: at("page", { status: 404, method: "POST" }), page: at("page", { status: 404 }) },
  guess: at("page", { status: 404, query: "response_type=code" }),
  found: at("page", { method: "POST" }),
  ...{ told: tell("told"), toldBadly: tell("answered 400: no"), toldNothing: tell("answered 404: no page") },
  ...{ decoy: at("decoy", { query: "state=1" }), decoyBasic: at("decoy", { authorization: "Basic x" }) },
  inQuery: answer("https://app.test/?state=1&code=right"),
  inFragment: answer("https://app.test/#code=right"),
  otherInQuery: answer("https://app.test/?code=wrong&state=right"),
  inJwt: answer(`https://app.test/?response=${wrap("right")}`),
  otherInJwt: answer(`https://app.test/?response=${wrap("wrong")}`),
  inForm: at("authorize", { body: '<input name="code" value="right">' }),
  otherInForm: at("authorize", { body: '<input name="code" value="wrong">' }),
  ...{ ofFlow: at("authorize", { facts: { flow: "1" } }), nothing: at("authorize") },
  jwt: at("userinfo", { type: "application/jwt; charset=utf-8" }),
  json: at("userinfo", { type: "application/json" }),
  secretInForm: at("token", { form: { client_secret: "x" } }),
  assertion: at("token", { form: { client_assertion: "x" } }),
  secretInHeader: at("token", { authorization: "Basic x", form: {} }),
  ...{ kept: rotate("a", "a"), rotated: rotate("a", "b") },
  registered: at("register", { body: '{"client_id":"a"}' }),
  withSecret: at("register", { body: '{"client_secret":"a"}' }),
  document: at("authorize", { query: "client_id=https://app.test/client&nonce=n&state=1" }),
  plain: at("authorize", { query: "client_id=app&x=https://app.test&state=2" }),
  pushed: at("authorize", { query: "nonce=n&request_uri=urn:a" }),
  continued: at("authorize", { query: "nonce=n&continue=a" }),
  inObject: at("authorize", { query: `request=${wrap("a", { nonce: "n" })}` }),
  besideObject: at("authorize", { query: `nonce=n&request=${wrap("a", { nonce: 1 })}` }),
  encrypted: at("authorize", { query: "nonce=n&request=a.b.c.d.e" }),
  openid: at("authorize", { query: "scope=email+openid&state=1" }),
  ...{ poll0: poll(1000), poll3: poll(1003), poll4: poll(1004), poll8: poll(1008), poll9: poll(1009) },
  ...{ poll22: poll(1022), poll23: poll(1023), otherPoll: poll(1003, "b") },
  pollAtOnce: { ...poll(1000), entry: { ...poll(1000).entry, id: "at once" } },
  ...{ jwks: at("jwks"), metadata: at("metadata") },
  ...{ par: at("par", { form: { scope: "openid" } }), revoke: at("revoke", { form: { token: "a" } }) },
  ...{ introspect: at("introspect", { form: { token: "a" } }), deviceLogin: at("device_authorization") },
  ...{ exchange: grant("urn:ietf:params:oauth:grant-type:token-exchange"), register: at("register") },
  ...{
    refreshEmpty: rotate("", "a"),
    refreshUndefined: rotate("undefined", "a"),
    refreshNull: rotate("null", "a"),
  },
  ...Object.fromEntries(["", "undefined", "null", "None"].map((text) => [
    `missing ${text}`,
    at("authorize", { query: `request_uri=${text}&client_id=${text}` }),
  ])),
  ...login({ code_challenge_method: "S256", tenant: "postern", redirect_uri: "https://app.test" }),
  ...login({ client_id: "a", scope: "orders admin" }, { client_id: "a", scope: "orders:write reports" }),
  ...login({ max_age: "1", acr_values: "a", authorization_details: "[]" }),
  ...login({ resource: "https://api.test" }, { resource: "https://api.test/a/" }),
  bound: at("token", { facts: { provenKey: "x5t#S256 a" } }),
  refreshAdmin: grant("refresh_token", "admin"),
  ...{ hardCode: redeem(hard), refreshHard: rotate(hard, "a"), loginCode: redeem("code-of-another-login") },
  injected: use("resource", "token-of-another-client"),
  inUrl: at("resource", { query: "access_token=a" }),
  described: at("resource", { path: "/.well-known/oauth-protected-resource/orders" }),
  undescribed: at("resource", { path: "/.well-known/oauth-protected-resource", status: 404 }),
  registersElsewhere: at("decoy", { query: "client_id=a" }),
  ofOauth: at("metadata", { path: "/.well-known/oauth-authorization-server" }),
  ...{
    mcp: at("resource", { mcpVersion: "2026-07-28" }),
    mcpOld: at("resource", { mcpVersion: "2025-06-18" }),
  },
  ...Object.fromEntries(
    Object.entries({
      parOwn: "https://as.test",
      parForeign: ["https://as.test", "https://other.test/token"],
      parOdd: ["https://other", 7],
    }).map(([name, aud]) => [name, at("par", { form: { client_assertion: wrap("a", { aud }) } })]),
  ),
  foreignToken: at("metadata", {
    body: '{"issuer":"https://as.test","token_endpoint":"https://other.test/token"}',
  }),
  mcpFirst: at("resource", { json: '{"method":"initialize","params":{"protocolVersion":"2025-11-25"}}' }),
  mcpOldFirst: at("resource", { json: '{"method":"initialize","params":{"protocolVersion":"2025-06-18"}}' }),
  mcpCall: at("resource", { json: '{"jsonrpc":"2.0","method":"tools/list","id":1}' }),
  mcpOdd: at("resource", { json: '{"params":{"protocolVersion":[2026]}}' }),
  ...Object.fromEntries([...nonces.flatMap((nonce) => prove(nonce)), ...prove("nonce-1", "RS512")]),
};

/** Finds all requests if they show that the client has the need, and otherwise none. */
export const shows = (need: Need): Find => (later) => findUnmet([need], later, []) === undefined ? later : [];
