/** Response modes and resources of an authorization request, and a wrong `iss` for tests of clients (RFC 9207). */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { decodeJwt } from "jose";
import { findAll, readHtml } from "../pages/read_html.ts";
import { test } from "../../runner.ts";
import { testWith } from "./test_in_world.ts";
import { hardState } from "../../vectors.ts";
import { callbackParams, createWorld, inWorld, redirectUri } from "../../world.ts";
import { readFormOnPage, readMessageOnPage } from "./read_form.ts";
import { assertCannotCreate, assertTokens } from "./refusals.ts";
import type { SeamValues } from "../../../src/mod.ts";

const it = testWith();
const errorNames = ["error", "error_description", "state", "iss"];

it("response mode: fragment puts answers and errors in the fragment (Multiple Response Types §2.1)", async ({ world }) => {
  const answers = [["read", ["code", "state", "iss"]], ['"', errorNames]] as const;
  for (const [scope, names] of answers) {
    const response = await world.authorize({ response_mode: "fragment", scope });
    assertEquals(response.status, 303);
    const url = new URL(response.headers.get("location")!);
    assertEquals(url.search, "");
    assertEquals([...callbackParams(response).keys()], [...names]);
  }
});

it("response mode: form_post answers with an uncached form for the redirect URI (OAuth 2.1 §3.2.3)", async ({ world }) => {
  const response = await world.authorize({ response_mode: "form_post", state: hardState });
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("location"), null);
  assertEquals(response.headers.get("cache-control"), "no-store");
  assertEquals(response.headers.get("x-frame-options"), "DENY");
  assertEquals(response.headers.get("referrer-policy"), "no-referrer");
  const html = await response.text();
  const { method, action, fields } = readFormOnPage(html);
  assertEquals([method, action], ["post", redirectUri]);
  assertEquals(fields.map(([name]) => name), ["code", "state", "iss"]);
  assertEquals(fields[1], ["state", hardState]);
  await assertTokens(await world.redeem(fields[0]![1]));
  // The script is a file of this server, so the policy need not allow inline scripts.
  const [script] = findAll(readHtml(html), "script");
  const source = await world.get(`${world.issuer}${script?.attributes.get("src")}`);
  assertMatch(source.headers.get("content-type")!, /^text\/javascript/);
  assertStringIncludes(await source.text(), "submit");
  assertMatch(response.headers.get("content-security-policy")!, /script-src 'self'/);
});

it("response mode: web_message answers with a page for windows of the client's origin only (Web Message Response Mode)", async ({ world }) => {
  for (const [scope, names] of [["read", ["code", "state", "iss"]], ['"', errorNames]] as const) {
    const response = await world.authorize({ response_mode: "web_message", state: hardState, scope });
    assertEquals([response.status, response.headers.get("location")], [200, null]);
    assertEquals(response.headers.get("cache-control"), "no-store");
    assertEquals(response.headers.get("x-frame-options"), null);
    assertEquals(response.headers.get("cross-origin-opener-policy"), null);
    const { origin } = new URL(redirectUri);
    const policy = response.headers.get("content-security-policy")!.split("; ");
    assertEquals(policy.filter((each) => /^(frame-ancestors|script-src|form-action)/.test(each)), [
      "script-src 'self'",
      `frame-ancestors ${origin}`,
      "form-action 'none'",
    ]);
    const message = readMessageOnPage(await response.text());
    assertEquals([message.origin, message.params.map(([name]) => name)], [origin, names]);
    assertEquals(new Map(message.params).get("state"), hardState);
    if (scope === "read") await assertTokens(await world.redeem(message.params[0]![1]));
  }
});

test("response mode: web_message is refused for a redirect URI that has no origin of the web", () => {
  const redirect_uris = ["com.example.app:/cb", "https://a;script-src/cb", "https://[2001:db8::1]:8443/cb"];
  const clients = [{ client_id: "app", redirect_uris, allow_private_http: true }];
  return inWorld({ clients }, async (world) => {
    for (const [at, redirect_uri] of redirect_uris.entries()) {
      const response = await world.authorize({
        client_id: "app",
        redirect_uri,
        response_mode: "web_message",
      });
      if (at === 2) {
        assertMatch(
          response.headers.get("content-security-policy")!,
          /frame-ancestors https:\/\/\[2001:db8::1\]:8443;/,
        );
        continue;
      }
      const { reason, expected } = world.lastRefusal()!;
      assertEquals([response.status, reason], [400, "response_mode_unsupported"], redirect_uri);
      assertEquals(expected, "query, fragment, form_post, query.jwt, fragment.jwt, form_post.jwt, jwt");
    }
  });
});

async function audience(
  world: Parameters<Parameters<typeof inWorld>[1]>[0],
  resource: string | string[] | undefined,
): Promise<unknown> {
  const code = await world.code({ resource });
  const tokens = await assertTokens(await world.redeem(code));
  return decodeJwt(String(tokens["access_token"])).aud;
}

it("resource: tokens are for the requested resources, by default for this server (RFC 8707 §2)", async ({ world }) => {
  assertEquals(await audience(world, undefined), world.issuer);
  assertEquals(await audience(world, "https://api.example/"), "https://api.example/");
  const several = ["https://api.example/", "urn:example:other"];
  assertEquals(await audience(world, several), several);
  assertEquals(
    await audience(world, ["https://api.example/", "https://api.example/"]),
    "https://api.example/",
  );
});

const resources: readonly (readonly [text: string, isOne: boolean])[] = [
  ["https://mcp.example.com/mcp", true],
  ["https://mcp.example.com:8443", true],
  ["https://api.example/?tenant=1", true],
  ["urn:example:api", true],
  ["mcp.example.com", false],
  ["https://mcp.example.com#fragment", false],
  ["https://mcp.example.com#", false],
  ["/api", false],
  ["https://", false],
  ["https://api example/", false],
  ["", true],
];

for (const [resource, isOne] of resources) {
  it(`resource: ${JSON.stringify(resource)} is ${isOne ? "accepted" : "refused"} (RFC 8707 §2)`, async ({ world }) => {
    const params = callbackParams(await world.authorize({ resource }));
    assertEquals(params.get("error"), isOne ? null : "invalid_target");
    assertEquals(params.has("code"), isOne);
  });
}

test("resource: with configured resources, exactly those are accepted (RFC 8707 §2)", () =>
  inWorld({ resources: ["https://api.example/mcp"] }, async (world) => {
    assertEquals(await audience(world, "https://api.example/mcp"), "https://api.example/mcp");
    const resources = ["https://api.example/mcp/", "https://API.example/mcp", "https://other.example/"];
    for (const resource of resources) {
      assertEquals(callbackParams(await world.authorize({ resource })).get("error"), "invalid_target");
    }
  }));

const sent = [
  ["right", "https://as.test"],
  ["absent", null],
  ["foreign", "https://another-issuer.invalid"],
  ["slash", "https://as.test/"],
] as const;

for (const [issSent, iss] of sent) {
  test(`issSent: with ${issSent}, codes and errors have ${iss ?? "no iss"} in every response mode (RFC 9207 §2)`, () =>
    inWorld({ issSent }, async (world) => {
      for (const changed of [{}, { scope: '"' }]) {
        assertEquals(callbackParams(await world.authorize(changed)).get("iss"), iss);
        const fragment = (await world.authorize({ ...changed, response_mode: "fragment" })).headers.get(
          "location",
        );
        assertEquals(new URLSearchParams(new URL(fragment!).hash.slice(1)).get("iss"), iss);
        const form = await (await world.authorize({ ...changed, response_mode: "form_post" })).text();
        assertEquals(form.includes('name="iss"'), iss !== null);
      }
      const metadata = await (await world.get("/.well-known/oauth-authorization-server")).json();
      assertEquals([metadata.issuer, metadata.authorization_response_iss_parameter_supported], [
        "https://as.test",
        true,
      ]);
      // The sign-in works, and tokens have the right issuer.
      const tokens = await (await world.redeem(await world.code({ scope: "openid" }))).json();
      assertEquals(JSON.parse(atob(tokens.id_token.split(".")[1])).iss, "https://as.test");
    }));
}

test("issAnnounced: false leaves the member out of all metadata (RFC 9207 §3)", () =>
  inWorld({ issAnnounced: false }, async (world) => {
    for (const name of ["oauth-authorization-server", "openid-configuration"]) {
      const metadata = await (await world.get(`/.well-known/${name}`)).json();
      assertEquals("authorization_response_iss_parameter_supported" in metadata, false);
    }
  }));

test("issSent, issAnnounced: the journal names the option, and then the function at the same seam", () => {
  const alter = {
    authorization_response: (value: SeamValues["authorization_response"]) => ({
      ...value,
      params: [...value.params, ["sent", `${new Map(value.params).get("iss")}`]] as const,
    }),
    metadata: (members: SeamValues["metadata"]) => members,
  };
  return inWorld({ issSent: "slash", issAnnounced: false, seams: alter }, async (world) => {
    assertEquals(callbackParams(await world.authorize()).get("sent"), "https://as.test/");
    await world.get("/.well-known/oauth-authorization-server");
    assertEquals(world.journal.slice(-2).map(({ facts }) => facts.altered), [
      [
        { seam: "authorization_response", by: "the option issSent" },
        { seam: "authorization_response", by: "seams.authorization_response" },
      ],
      [{ seam: "metadata", by: "the option issAnnounced" }],
    ]);
  });
});

test("issSent: a right server has no function at any seam", () =>
  inWorld({ issSent: "right", issAnnounced: true }, async (world) => {
    await world.authorize();
    assertEquals(world.journal.map(({ facts }) => facts.altered), [undefined]);
  }));

test("issSent: another word is a set-up mistake", () =>
  assertCannotCreate(() => createWorld({ issSent: "wrong" as "right" }), "issSent must be one of"));
