/** Logins with pushed and signed authorization requests (RFC 9126, RFC 9101). */

import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { decodeProtectedHeader } from "jose";
import { createMock, type MockOptions, Refused } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";
import { sampleKey } from "../../../world.ts";
import { authorizeUrl } from "../authorize_url.ts";

const clientKey = { ...sampleKey, kid: "k" };
const { d: _d, ...publicKey } = clientKey;
const jwks = { keys: [publicKey] };
const redirect_uris = ["https://app.test/cb"];
const app = { client_id: "app", redirect_uris, jwks };

const quick: MockOptions = {
  alg: "ES256",
  clients: [
    app as never,
    { client_id: "basic", client_secret: "s", redirect_uris },
    { client_id: "key", token_endpoint_auth_method: "private_key_jwt", redirect_uris, jwks } as never,
  ],
};

async function arrivedBy(
  options: Partial<MockOptions>,
  ...terms: Parameters<Awaited<ReturnType<typeof createMock>>["login"]>
) {
  await using as = await createMock({ ...quick, ...options });
  const tokens = await as.login(...terms);
  assertEquals(tokens.claims?.sub, "bob");
  return as.requests.map(({ endpoint, params }) => `${endpoint} ${Object.keys(params).sort()}`);
}

const plain = "code_challenge,code_challenge_method,redirect_uri,response_type,scope,state";

test("login: pushed, a public client and one with a secret use a request_uri (RFC 9126 §4)", async () => {
  assertEquals((await arrivedBy({}, "bob", { pushed: true })).slice(0, 2), [
    `par client_id,${plain}`,
    "authorize client_id,request_uri",
  ]);
  assertEquals((await arrivedBy({}, "bob", { client: "basic", pushed: true }))[0], `par ${plain}`);
});

test("login: signed, the browser carries a request object (RFC 9101 §5)", async () => {
  const resource = ["https://a.test/", "https://b.test/"];
  const queries: string[] = [];
  const journal: MockOptions["journal"] = ({ request }) => void queries.push(request.query);
  assertEquals((await arrivedBy({ journal }, "bob", { signed: true, clientKey, resource })).slice(0, 1), [
    "authorize client_id,request",
  ]);
  const { typ } = decodeProtectedHeader(new URLSearchParams(queries[0]).get("request")!);
  assertEquals(typ, "oauth-authz-req+jwt");
});

test("login: signed and pushed, the object stands beside the assertion (RFC 9126 §3)", async () => {
  const terms = { client: "key", clientKey, signed: true, pushed: true, dpop: true } as const;
  assertEquals((await arrivedBy({}, "bob", terms)).slice(0, 2), [
    "par client_assertion,client_assertion_type,client_id,request",
    "authorize client_id,request_uri",
  ]);
});

test("login: a client does what it or the server requires, unless the test says otherwise (RFC 9126 §6)", async () => {
  const both = { requirePushedRequests: true, requireSignedRequests: true };
  assertEquals((await arrivedBy(both, "bob", { clientKey }))[0], "par client_id,request");
  const clients = [{
    ...app,
    require_pushed_authorization_requests: true,
    require_signed_request_object: true,
    request_object_signing_alg: "ES256",
  }] as never;
  assertEquals((await arrivedBy({ clients }, "bob", { clientKey }))[0], "par client_id,request");

  await using as = await createMock({ ...quick, ...both });
  const refused = await assertRejects(() => as.login("bob", { clientKey, pushed: false }), Refused);
  assertEquals(refused.reason, "request_source_required");
  const missing = await assertRejects(() => as.login("bob"), TypeError);
  assertEquals(missing.message, "The client app signs its requests: set clientKey to its private JWK");
});

test("login: the refusal of a pushed request is the error of the login (RFC 9126 §2.3)", async () => {
  await using as = await createMock(quick);
  const refused = await assertRejects(() => as.login("bob", { pushed: true, scope: 'a"b' }), Refused);
  assertEquals([refused.error, refused.reason], ["invalid_scope", "scope_malformed"]);
  assertStringIncludes(refused.message, "Cannot log in");
  const refusing = { status: 400, body: '{"error":"of_the_hook"}' };
  as.on("response", (answer) => ({ ...answer, ...refusing }), { endpoint: "par", once: true });
  const other = await assertRejects(() => as.login("bob", { pushed: true }), Refused);
  assertEquals(other.error, "of_the_hook");
  as.on("response", (answer) => ({ ...answer, body: "{}" }), { endpoint: "par", once: true });
  const changed = await assertRejects(() => as.login("bob", { pushed: true }), Error);
  assertStringIncludes(changed.message, "expected a request_uri");
});

test("authorize: a URL with a request_uri works once (RFC 9126 §2.2)", async () => {
  await using as = await createMock(quick);
  const { searchParams } = authorizeUrl(as.issuer, { redirect_uri: redirect_uris[0]!, state: "s" });
  const response = await as.fetch(`${as.issuer}/oauth2/par`, { method: "POST", body: searchParams });
  const { request_uri } = await response.json();
  const url = `${as.issuer}/oauth2/authorize?${new URLSearchParams({ client_id: "app", request_uri })}`;
  const callback = await as.authorize(url, { as: "bob" });
  assertEquals([callback.searchParams.get("state"), callback.searchParams.has("code")], ["s", true]);
  const used = await assertRejects(() => as.authorize(url, { as: "bob" }), Refused);
  assertEquals(used.reason, "pushed_request_used");
});
