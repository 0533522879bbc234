/** as.resource: what single requests need: scopes (step-up), a recent sign-in, a kind of sign-in (RFC 9470). */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { createMock, type Mock, type Resource } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";

const url = "https://api.test/mcp";

async function ask(
  api: Resource,
  token: string,
  { path = "", ...init }: RequestInit & { readonly path?: string } = {},
) {
  const headers = { authorization: `Bearer ${token}`, ...init.headers };
  const response = await api.fetch(url + path, { ...init, headers });
  return {
    status: response.status,
    challenge: response.headers.get("www-authenticate") ?? "",
    reason: api.requests.last?.refusal?.reason,
  };
}

function call(method: string, params: unknown = {}): RequestInit {
  return {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  };
}

const mint = (as: Mock, scope: string) => as.mint({ resource: url, scope });

test("resource: rules ask for scopes by path, method, JSON-RPC method and tool", async () => {
  await using as = await createMock({ alg: "ES256" });
  const api = as.resource(url, {
    scope: "base",
    rules: [
      { path: "/mcp/orders", scope: "orders" },
      { method: "delete", scope: "delete" },
      { rpc: "tools/call", scope: "tools" },
      { tool: "greet", scope: "greet" },
    ],
  });
  const rows: readonly (readonly [init: RequestInit & { readonly path?: string }, scope: string])[] = [
    [{}, "base"],
    [{ path: "/ordersx" }, "base"],
    [{ path: "/orders/7" }, "base orders"],
    [{ path: "/orders", method: "DELETE" }, "base orders delete"],
    [call("initialize"), "base"],
    [call("tools/call", { name: "other" }), "base tools"],
    [call("prompts/get", { name: "greet" }), "base"],
    [call("tools/call", { name: "greet" }), "base tools greet"],
    [{ ...call(""), body: JSON.stringify([{ method: "x" }, { method: "tools/call" }]) }, "base tools"],
    ...["application/JSON", "application/json; charset=utf-8"].map((type) =>
      [
        { ...call("tools/call", { name: "greet" }), headers: { "content-type": type } },
        "base tools greet",
      ] as const
    ),
    [{ ...call(""), body: "no JSON" }, "base"],
  ];
  for (const [init, scope] of rows) {
    assertEquals((await ask(api, await mint(as, scope), init)).status, 200);
    const names = scope.split(" ");
    for (const left of names) {
      const { status, challenge, reason } = await ask(
        api,
        await mint(as, ["other", ...names.filter((name) => name !== left)].join(" ")),
        init,
      );
      assertEquals([status, reason], [403, "token_lacks_scope"]);
      assertStringIncludes(challenge, `scope="${scope}", resource_metadata="${api.metadataUrl}"`);
    }
  }
});

test("resource: a rule can refuse every token, so that a client which tries for ever is found", async () => {
  await using as = await createMock({ alg: "ES256" });
  const api = as.resource(url, {
    scope: "read",
    rules: [{ rpc: "tools/call", scope: "write", refuse: true }],
  });
  api.change({ challenge: { scope: "missing" } });
  for (const scope of ["read", "read write", "read write"]) {
    const { status, challenge } = await ask(api, await mint(as, scope), call("tools/call"));
    assertEquals(status, 403);
    assertStringIncludes(challenge, scope === "read" ? ', scope="write"' : ', scope="read write"');
  }
  assertEquals(api.requests.map(({ refusal }) => refusal?.reason), [
    "token_lacks_scope",
    ...["refused_by_rule", "refused_by_rule"],
  ]);
});

test("resource: an old sign-in gets 401 with max_age, and a new sign-in passes (RFC 9470 §3)", async () => {
  await using as = await createMock({ alg: "ES256", dpop: false });
  const api = as.resource(url, {
    rules: [{ method: "POST", maxAge: "5m" }, { path: "/mcp/pay", maxAge: 30 }],
  });
  const { access_token: token } = await as.login("bob", { scope: "read", resource: url });
  // The API measures by its own clock.
  for (const skew of ["10m", "-10m", 0]) {
    as.clock.skew(skew);
    assertEquals((await ask(api, token, { method: "POST" })).status, 200, `${skew}`);
  }
  as.clock.freeze();
  as.clock.advance("5m");
  assertEquals((await ask(api, token, { method: "POST" })).status, 200);
  as.clock.advance(1);
  assertEquals((await ask(api, token)).status, 200);
  const refused = await ask(api, token, { method: "POST" });
  assertEquals([refused.status, refused.reason], [401, "authentication_too_old"]);
  assertEquals(
    refused.challenge,
    `Bearer realm="${url}", error="insufficient_user_authentication", ` +
      'error_description="The person of the token signed in too long ago for this resource", max_age="300", ' +
      `resource_metadata="${api.metadataUrl}"`,
  );
  assertStringIncludes((await ask(api, token, { path: "/pay", method: "POST" })).challenge, 'max_age="30"');
  // Another refusal asks for no new sign-in.
  const { challenge } = await ask(api, "unknown", { method: "POST" });
  assertEquals([challenge.includes("max_age"), challenge.includes("error=")], [false, true]);
  const { access_token: fresh } = await as.login("bob", { scope: "read", resource: url });
  assertEquals((await ask(api, fresh, { method: "POST" })).status, 200);
  const [machine] = [await as.mint({ resource: url, withoutPerson: true })];
  assertEquals((await ask(api, machine, { method: "POST" })).reason, "authentication_too_old");
});

test("resource: a token with another acr gets 401 with acr_values (RFC 9470 §3)", async () => {
  await using as = await createMock({ alg: "ES256", acrValues: ["urn:gold", "urn:silver"] });
  const api = as.resource(url, {
    acr: ["urn:gold", "urn:silver"],
    rules: [{ method: "POST", acr: "urn:gold" }],
  });
  const loginWith = async (acr?: string) => {
    const params = acr === undefined ? {} : { acr_values: acr };
    return (await as.login("bob", { scope: "openid", resource: url, params })).access_token;
  };
  const without = await ask(api, await loginWith());
  assertEquals([without.status, without.reason], [401, "acr_too_weak"]);
  const { expected, received } = api.requests.last!.refusal!;
  assertEquals([expected, received], ["acr urn:gold or urn:silver", "no acr"]);
  assertStringIncludes(without.challenge, 'error="insufficient_user_authentication"');
  assertStringIncludes(without.challenge, 'acr_values="urn:gold urn:silver"');
  // Another refusal asks for no other sign-in.
  const unknown = await ask(api, "unknown");
  assertEquals([unknown.challenge.includes("acr_values"), unknown.reason], [false, "token_unreadable"]);
  const silver = await loginWith("urn:silver");
  assertEquals((await ask(api, silver)).status, 200);
  assertStringIncludes((await ask(api, silver, { method: "POST" })).challenge, 'acr_values="urn:gold"');
  assertEquals((await ask(api, await loginWith("urn:gold"), { method: "POST" })).status, 200);
});

test("protect: acr and maxAge are for every request (RFC 9470)", async () => {
  await using as = await createMock({ alg: "ES256" });
  const protect = as.protect({ maxAge: "1m", audience: url });
  const { access_token: token } = await as.login("bob", { scope: "read", resource: url });
  const request = () => new Request(url, { headers: { authorization: `Bearer ${token}` } });
  assertEquals(await protect(request()) instanceof Response, false);
  as.clock.advance("2m");
  const refused = await protect(request());
  assertEquals(refused instanceof Response && refused.status, 401);
  const acr = await as.protect({ acr: "urn:gold", audience: url })(request());
  assertStringIncludes((acr as Response).headers.get("www-authenticate")!, 'acr_values="urn:gold"');
});
