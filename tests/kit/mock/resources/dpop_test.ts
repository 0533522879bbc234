/** as.resource with DPoP: bound tokens, and nonces of its own (RFC 9449 §7, §9). */

import { assert, assertEquals } from "@std/assert";
import { createMock, type Resource } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";

const url = "https://api.test/orders";

async function send(
  api: Resource,
  headers: HeadersInit,
): Promise<readonly [status: number, reason?: string]> {
  const { status } = await api.fetch(url, { headers });
  return [status, api.requests.last?.refusal?.reason ?? "accepted"];
}

test("resource: accepts a bound token with a proof for its own URL, and refuses a bearer token if it requires DPoP", async () => {
  await using as = await createMock({ alg: "ES256" });
  const api = as.resource("https://api.test", { dpop: { required: true } });
  const tokens = await as.login("bob", { scope: "read", resource: api.url, dpop: true });
  assertEquals(await send(api, await as.dpopHeaders(tokens, url)), [200, "accepted"]);
  assertEquals(await send(api, await as.dpopHeaders(tokens, "https://api.test/other")), [
    401,
    "dpop_url",
  ]);
  assertEquals(await send(api, { authorization: `Bearer ${tokens.access_token}` }), [
    401,
    "token_scheme_differs",
  ]);
  const bearer = await as.login("bob", { scope: "read", resource: api.url });
  assertEquals(await send(api, { authorization: `Bearer ${bearer.access_token}` }), [401, "token_not_bound"]);
});

test("resource: a proof names the URL of the API, whatever port a server of the test has", async () => {
  await using as = await createMock({ alg: "ES256" });
  const api = as.resource("https://api.test");
  const tokens = await as.login("bob", { scope: "read", resource: api.url, dpop: true });
  const headers = await as.dpopHeaders(tokens, url);
  assertEquals((await api.fetch("http://localhost:1234/orders", { headers })).status, 200);
});

test("resource: rotating nonces come with every answer, and belong to this API only", async () => {
  await using as = await createMock({ alg: "ES256" });
  const one = as.resource("https://one.test", { dpop: { nonces: "rotating" } });
  const two = as.resource("https://two.test", { dpop: { nonces: "rotating" } });
  const resource = [one.url, two.url];
  const tokens = await as.login("bob", { scope: "read", resource, dpop: true });
  const ask = async (api: Resource, nonce?: string) =>
    await api.fetch(api.url, {
      headers: await as.dpopHeaders(tokens, api.url, nonce === undefined ? {} : { nonce }),
    });
  const first = await ask(one);
  assertEquals(first.status, 401);
  const nonce = first.headers.get("dpop-nonce")!;
  const foreign = await ask(two, nonce);
  assertEquals([foreign.status, two.requests.last?.refusal?.reason], [401, "dpop_nonce_wrong"]);
  const accepted = await ask(one, nonce);
  assertEquals(accepted.status, 200);
  const next = accepted.headers.get("dpop-nonce");
  assert(next !== null && next !== nonce);
  assertEquals((await ask(one, next)).status, 200);
  assert(accepted.headers.get("access-control-expose-headers")!.includes("dpop-nonce"));
});

test("protect: a nonce of the server is none of an API whose audience is the issuer (RFC 9449 §9)", async () => {
  await using as = await createMock({ alg: "ES256", dpop: { nonces: "rotating" } });
  const tokens = await as.login("bob", { resource: as.issuer, dpop: true });
  const nonces = [...as.requests.token].map((each) =>
    each.raw().response.headers.find(([name]) => name === "dpop-nonce")?.[1]
  );
  const headers = await as.dpopHeaders(tokens, url, { nonce: nonces.at(-1)! });
  const check = as.protect({ audience: as.issuer, dpop: { nonces: "rotating" } });
  const refused = await check(new Request(url, { headers }));
  assert(refused instanceof Response);
  assertEquals(refused.status, 401);
  assert(refused.headers.get("www-authenticate")?.includes("use_dpop_nonce"));
});
