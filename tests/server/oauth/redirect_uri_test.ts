/** Redirect URIs: which may be registered, which requests match, and how answers extend them. */

import { assertEquals, assertMatch } from "@std/assert";
import {
  isLoopbackRedirectUri,
  isLoopbackUri,
  isPrivateSchemeUri,
  isReservedForTests,
  isServedFromLoopback,
} from "../../../src/server/oauth/clients/metadata/redirect_uri.ts";
import { isUrlId } from "../../../src/server/oauth/clients/metadata/client_id.ts";
import { test } from "../../runner.ts";
import { callbackParams, createWorld, inWorld, redirectUri } from "../../world.ts";
import { assertCannotCreate, assertCode, assertRefusedOnPage } from "./refusals.ts";

interface Registered {
  readonly uri: string;
  readonly matches: readonly string[];
  readonly others: readonly string[];
}

// Each row: a registered URI, requests that match it, and requests that look similar. tests/security has more of these.
const table: readonly Registered[] = [
  {
    uri: "HTTPS://client.example/cb",
    matches: ["HTTPS://client.example/cb"],
    others: ["https://client.example/cb"],
  },
  {
    uri: "https://*.client.example/cb",
    matches: ["https://*.client.example/cb"],
    others: ["https://evil.client.example/cb"],
  },
  {
    uri: "http://127.0.0.1:3000/callback",
    matches: [
      "http://127.0.0.1:49152/callback",
      "http://127.0.0.1:65535/callback",
      "http://127.0.0.1/callback",
    ],
    others: ["http://127.0.0.1:65536/callback", "http://127.0.0.1:/callback", "http://127.0.0.1:x/callback"],
  },
  {
    // Names below .localhost lead to this machine (RFC 6761 §6.3), but RFC 8252 §7.3 frees no port of theirs.
    uri: "http://app.localhost:3000/cb",
    matches: ["http://app.localhost:3000/cb"],
    others: [
      "http://app.localhost/cb",
      "http://app.localhost:3001/cb",
      "http://app.localhost:03000/cb",
      "http://APP.localhost:3000/cb",
      "http://other.localhost:3000/cb",
      "http://localhost:3000/cb",
      "http://127.0.0.1:3000/cb",
    ],
  },
];

for (const { uri, matches, others } of table) {
  const options = { clients: [{ client_id: "public", redirect_uris: [uri] }] };
  for (const redirect_uri of matches) {
    test(`redirect URI: ${redirect_uri} matches ${uri} (OAuth 2.1 §2.3.1, §8.4.2)`, () =>
      inWorld(options, async (world) => {
        const response = await world.authorize({ redirect_uri });
        assertCode(response);
        const joint = redirect_uri.includes("?") ? "&" : "?";
        assertEquals(response.headers.get("location")!.startsWith(`${redirect_uri}${joint}code=`), true);
      }));
  }
  for (const redirect_uri of others) {
    test(`redirect URI: ${redirect_uri} does not match ${uri} (OAuth 2.1 §2.3.1, §8.4.2)`, () =>
      inWorld(options, async (world) => {
        const expected = { error: "invalid_request", reason: "redirect_uri_unregistered" };
        await assertRefusedOnPage(world, await world.authorize({ redirect_uri }), expected);
      }));
  }
}

test("redirect URI: a client with oauth_version 2.1 may leave out its only one (OAuth 2.1 §4.1.1)", () =>
  inWorld({
    clients: [{ client_id: "public", redirect_uris: [redirectUri], oauth_version: "2.1" }],
  }, async (world) => {
    const response = await world.authorize({ redirect_uri: undefined });
    assertCode(response);
    assertMatch(response.headers.get("location")!, /^https:\/\/app\.example\/cb\?code=/);
    await assertRefusedOnPage(world, await world.authorize({ redirect_uri: undefined, scope: "openid" }), {
      error: "invalid_request",
      reason: "redirect_uri_required_by_openid",
    });
  }));

test("redirect URI: any other client must send it, and not empty (OAuth 2.1 §3.1)", () =>
  inWorld({
    clients: [
      { client_id: "public", redirect_uris: [redirectUri] },
      { client_id: "old", redirect_uris: [redirectUri], oauth_version: "2.0" },
    ],
  }, async (world) => {
    for (const client_id of ["public", "old"]) {
      for (const redirect_uri of [undefined, ""]) {
        await assertRefusedOnPage(world, await world.authorize({ client_id, redirect_uri }), {
          error: "invalid_request",
          reason: "redirect_uri_missing",
        });
        assertEquals(world.lastRefusal()?.expected, `${redirectUri}, or a client with oauth_version 2.1`);
      }
    }
  }));

const queries: readonly (readonly [uri: string, start: string])[] = [
  ["https://client.example/cb?x=1", "https://client.example/cb?x=1&code="],
  ["https://client.example/cb?x=1&", "https://client.example/cb?x=1&code="],
  ["https://client.example/cb?", "https://client.example/cb?code="],
  ["https://client.example/cb??", "https://client.example/cb??&code="],
  [
    "https://client.example/cb?Code=1&codes=2&my_state=3",
    "https://client.example/cb?Code=1&codes=2&my_state=3&code=",
  ],
  ["https://client.example/cb?a=%20+b", "https://client.example/cb?a=%20+b&code="],
];

for (const [uri, start] of queries) {
  test(`redirect URI: the answer keeps the query of ${uri} (OAuth 2.1 §2.3)`, () =>
    inWorld({ clients: [{ client_id: "public", redirect_uris: [uri] }] }, async (world) => {
      const response = await world.authorize({ redirect_uri: uri });
      assertEquals(response.headers.get("location")!.slice(0, start.length), start);
      const inFragment = await world.authorize({ redirect_uri: uri, response_mode: "fragment" });
      assertEquals(inFragment.headers.get("location")!.startsWith(`${uri}#code=`), true);
      assertEquals(callbackParams(inFragment).get("state"), "af0ifjsldkj");
    }));
}

// tests/security/redirect_uri_registration_test.ts has more of these.
const unfit = [
  "http://localhost.evil.test/cb",
  "http://10.0.0.1/cb",
  "http://evillocalhost/cb",
  "http://.localhost/cb",
  "http://a..localhost/cb",
  "http://-a.localhost/cb",
  "http://APP.localhost/cb",
  "http://app.localhost./cb",
  "http://app.localhost.evil.test/cb",
  "http://evil.test%2elocalhost/cb",
  "http://app.localhost@evil.test/cb",
  "http://app.localhost:99999/cb",
  "http://127.0.0.1:99999/cb",
  ...Array.from(' "<>\\^`{|}\u007fé', (each) => `https://client.example/a${each}b`),
  "com.example.app://name@host/cb",
  "com.example.app://:secret@host/cb",
  "app.example.com:8443/cb",
  "app.localhost:3000",
  "urn:ietf:wg:oauth:2.0:oob",
  "about:blank",
  `https://client.example/${"x".repeat(2049 - 23)}`,
];

for (const uri of unfit) {
  test(`redirect URI: ${uri.slice(0, 60)} cannot be registered (OAuth 2.1 §1.5, §2.3.1)`, () => {
    const options = { clients: [{ client_id: "public", redirect_uris: ["https://ok.example/", uri] }] };
    return assertCannotCreate(() => createWorld(options), "clients[0].redirect_uris[1] must ");
  });
}

const answered: readonly (readonly [query: string, name: string])[] = [
  ...["code", "state", "iss", "error", "error_description", "response"].map((name) =>
    [`a=1&${name}=x`, name] as const
  ),
  ["code", "code"],
  ["%63ode=x", "code"],
  ["a=1&error%5Fdescription=x", "error_description"],
];

for (const [query, name] of answered) {
  test(`redirect URI: with ${query} in its query it cannot be registered, because the answer adds ${name} (OAuth 2.1 §2.3)`, async () => {
    for (const uri of [`https://client.example/cb?${query}`, `com.example.app:/cb?${query}`]) {
      const options = { clients: [{ client_id: "public", redirect_uris: ["https://ok.example/", uri] }] };
      const sentence = `clients[0].redirect_uris[1] must not have the parameter ${name} in its query`;
      await assertCannotCreate(() => createWorld(options), sentence);
    }
  });
}

test("post-logout redirect URI: its query may hold a code, but no state", async () => {
  const options = (uri: string) => ({
    clients: [{ client_id: "public", redirect_uris: [redirectUri], post_logout_redirect_uris: [uri] }],
  });
  await assertCannotCreate(
    () => createWorld(options("https://client.example/bye?x=1&state=y")),
    "clients[0].post_logout_redirect_uris[0] must not have the parameter state in its query",
  );
  await inWorld(options("https://client.example/bye?code=1"), () => Promise.resolve());
});

type Row = readonly [is: (uri: string) => boolean, yes: readonly string[], no: readonly string[]];

const loopbackHosts = ["127.0.0.1", "[::1]", "localhost"];
const notLoopback = [
  ...[
    "127.0.0.2",
    "127x0.0.1",
    "127.0x0.1",
    "localhostx",
    "localhost.test",
    "localhost:",
    "localhost:123456",
  ],
];
const rest = ["", "/cb", "?a", ":1", ":65535/cb?a"];
const label = "a".repeat(63);

const kinds: readonly Row[] = [
  [isLoopbackUri, loopbackHosts.flatMap((host) => rest.map((each) => `http://${host}${each}`)), [
    ...notLoopback.map((host) => `http://${host}`),
    ...["xhttp://localhost", "https://localhost", "http://a.localhost"],
  ]],
  [isServedFromLoopback, loopbackHosts.flatMap((host) => rest.map((each) => `https://${host}${each}`)), [
    ...notLoopback.map((host) => `https://${host}`),
    ...["xhttps://localhost", "ftp://localhost"],
  ]],
  [
    isLoopbackRedirectUri,
    rest.flatMap((each) => [`http://a-1.b.localhost${each}`, `http://${label}.localhost${each}`]),
    [
      ...["xhttp://a.localhost", "http://a.localhostx", "http://a-.localhost", "http://a.localhost:123456"],
      ...[`http://${label}a.localhost`, "https://a.localhost", "http://a.xlocalhost"],
    ],
  ],
  [
    isReservedForTests,
    ["test", "example", "localhost", "invalid"].flatMap((name) =>
      rest.map((each) => `https://a.${name}${each}`)
    ),
    [
      ...["http://a.test", "xhttps://a.test", "https://test", "https://a.testx", "https://a_b.test"],
      ...["https://a.test:123456", "https://a.test:", "https://A.test"],
    ],
  ],
  [isPrivateSchemeUri, ["com.example:/", "Com.Example.app-1+x:/cb"], [
    ...["com:/cb", "com.example:cb", "1.example:/", "x com.example:/", "com..example:/", "com.example.:/"],
  ]],
  [isUrlId, ["https:a", "HTTP://a", " http:", "\u200b\u00a0https:"], ["xhttps:", "my https:", "https"]],
];

for (const [is, yes, no] of kinds) {
  test(`URIs: ${is.name} by the text alone (RFC 8252 §7.1, §7.3; RFC 6761 §6; CIMD §3)`, () => {
    assertEquals(yes.filter((uri) => !is(uri)), []);
    assertEquals(no.filter(is), []);
  });
}

test("redirect uri: a refusal names each registered URI (OAuth 2.1 §2.3)", async () => {
  const redirect_uris = ["https://app.example/a", "https://app.example/b"];
  await inWorld({ clients: [{ client_id: "public", redirect_uris }] }, async (world) => {
    for (const redirect_uri of ["https://app.example/c", undefined]) {
      await world.authorize({ redirect_uri });
      assertEquals(world.lastRefusal()?.expected, redirect_uris.join(" or "));
    }
  });
});
