/** The authorization endpoint redirects to registered redirect URIs only. */

import { assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import type { ServerOptions } from "../../src/mod.ts";
import { grants } from "../../src/server/oauth/contracts/grant.ts";
import { sessions } from "../../src/server/oauth/contracts/session.ts";
import { test } from "../runner.ts";
import {
  callbackParams,
  clients,
  createBrowser,
  createWorld,
  encodeForm,
  type Params,
  redirectUri,
  type World,
} from "../world.ts";
import { type CountingStore, countingStore } from "./counting_store.ts";
import {
  confusedAuthorities,
  nearMisses,
  notThatLoopback,
  otherSchemes,
  type Variant,
} from "./redirect_variants.ts";
import { assertRefusedHere } from "./site.ts";

const evil = "https://evil.example/cb";

/** Each request is sent by GET under automatic sign-in, and by POST where a person signs in: a page refuses it, and nothing is stored. */
function refusesHere(
  subject: string,
  requests: Readonly<Record<string, Params>>,
  { reason, options = {} }: { readonly reason: string; readonly options?: ServerOptions },
): void {
  for (const [login, method] of [["picker", "POST"], ["auto", "GET"]] as const) {
    test(`${subject}: refused on a page, and nothing is stored, with login ${login}`, async () => {
      const store = countingStore();
      await using world = createWorld({ store, login, ...options });
      for (const [what, changed] of Object.entries(requests)) {
        const html = await assertRefusedHere(await ask(world, method, world.authorizeUrl(changed)), what);
        assertEquals(world.lastRefusal()?.reason, reason, what);
        assertEquals(html.includes(`href="${evil}`), false, what);
        assertEquals(store.writes, [], what);
      }
    });
  }
}

async function ask(world: World, method: string, url: string): Promise<Response> {
  if (method === "GET") return await world.get(url);
  return await world.post("/oauth2/authorize", url.slice(url.indexOf("?") + 1));
}

function refusesUris(subject: string, variants: readonly Variant[], options: ServerOptions = {}): void {
  const requests = Object.fromEntries(variants.map(([what, redirect_uri]) => [what, { redirect_uri }]));
  refusesHere(subject, requests, { reason: "redirect_uri_unregistered", options });
}

refusesUris("redirect_uri: it is compared as text", nearMisses);

refusesHere("redirect: no client_id", {
  "left out": { client_id: undefined, redirect_uri: evil },
  "empty": { client_id: "", redirect_uri: evil },
}, { reason: "client_id_missing" });

/** Mistakes that a known client would hear of at its redirect URI. */
const mistakes: Readonly<Record<string, Params>> = {
  "an unsupported response_type": { response_type: "token" },
  "no response_type": { response_type: undefined },
  "a malformed scope": { scope: '"' },
  "no challenge": { code_challenge: undefined },
  "a malformed resource": { resource: "#" },
  "a request_uri": { request_uri: "https://evil.example/request" },
  "a registration": { registration: "{}" },
  "prompt=none": { prompt: "none" },
  "an unsupported response_mode": { response_mode: "okta_post_message" },
  "state twice": { state: ["a", "b"] },
};
const requestObject = { request: "eyJhbGciOiJub25lIn0.e30." };

function withMistakes(changed: Params): Readonly<Record<string, Params>> {
  return Object.fromEntries(
    Object.entries(mistakes).map(([what, mistake]) => [what, { ...mistake, ...changed }]),
  );
}

refusesHere("redirect: an unknown client", {
  "alone": { client_id: "unknown", redirect_uri: evil },
  "with the redirect_uri of another client": { client_id: "unknown" },
  "with a request object": { client_id: "unknown", redirect_uri: evil, ...requestObject },
  ...withMistakes({ client_id: "unknown", redirect_uri: evil }),
}, { reason: "client_unknown" });

refusesHere(
  "redirect: an unregistered redirect_uri and another mistake",
  withMistakes({ redirect_uri: evil }),
  {
    reason: "redirect_uri_unregistered",
  },
);

refusesHere("redirect: an unregistered redirect_uri beside a request object, which counts instead", {
  "unsigned": { redirect_uri: evil, ...requestObject },
}, { reason: "request_object_unsigned" });

refusesHere("redirect: an unsupported response_mode", { okta: { response_mode: "okta_post_message" } }, {
  reason: "response_mode_unsupported",
});

test("redirect: a request with more than a hundred parameters gets a page", async () => {
  const good = encodeForm({ client_id: "public", redirect_uri: redirectUri, response_type: "code" });
  await using world = createWorld();
  for (const method of ["GET", "POST"]) {
    const url = `${world.issuer}/oauth2/authorize?${good}${"&a=".repeat(100)}`;
    await assertRefusedHere(await ask(world, method, url), method);
    assertEquals(world.lastRefusal()?.reason, "too_many_parameters");
  }
});

test("redirect: a client that is deleted while a person signs in is unknown", async () => {
  const store = countingStore();
  await using before = createWorld({ store, login: "picker" });
  await using after = createWorld({ store, login: "picker", clients: clients.slice(1) });
  const browser = createBrowser(before);
  const signIn = await browser.open(before.authorizeUrl());
  const later = createBrowser(after);
  for (const [name, value] of browser.cookies) later.cookies.set(name, value);
  store.forget();
  for (const fields of [{ person: "alice" }, { decision: "deny" }]) {
    const page = await later.submit(signIn, fields);
    assertEquals([page.status, page.leftFor], [400, undefined]);
    assertEquals(after.lastRefusal()?.reason, "client_unknown");
  }
  assertEquals(store.writes, []);
});

refusesUris("redirect_uri: authority", confusedAuthorities);
refusesUris("redirect_uri: scheme", otherSchemes);

const firstUse = (variants: readonly Variant[]) =>
  Object.fromEntries(
    variants.map(([what, redirect_uri]) => [what, { client_id: "unheard-of", redirect_uri }]),
  );
const isOfApp = ([, uri]: Variant) => uri.startsWith("com.example.app:");

refusesHere(
  "first use: a redirect_uri that is neither on this machine nor of an app",
  firstUse([...confusedAuthorities.filter((each) => !isOfApp(each)), ...otherSchemes]),
  { reason: "client_unknown", options: { firstUse: true } },
);
refusesHere("first use: a user name in the URI of an app", firstUse(confusedAuthorities.filter(isOfApp)), {
  reason: "redirect_uri_unfit",
  options: { firstUse: true },
});

const onLoopback = (uri: string): ServerOptions => ({
  clients: [{ client_id: "public", redirect_uris: [uri] }],
});

refusesUris("loopback: only the port may differ", notThatLoopback, onLoopback("http://127.0.0.1/cb"));
refusesUris("loopback: a registered localhost does not match an address", [
  ["IPv4", "http://127.0.0.1:8080/cb"],
  ["IPv6", "http://[::1]:8080/cb"],
  ["upper case", "http://LOCALHOST:8080/cb"],
  ["a longer name", "http://localhost.evil.com:8080/cb"],
  ["a trailing dot", "http://localhost.:8080/cb"],
], onLoopback("http://localhost/cb"));

for (const host of ["127.0.0.1", "[::1]", "localhost"]) {
  test(`loopback: a flow works with any port of ${host} (RFC 8252 §7.3)`, async () => {
    await using world = createWorld(onLoopback(`http://${host}/cb`));
    for (const port of ["", ":1", ":8080", ":65535"]) {
      const uri = `http://${host}${port}/cb`;
      const response = await world.authorize({ redirect_uri: uri });
      assertStringIncludes(response.headers.get("location") ?? "", `${uri}?code=`);
      const code = callbackParams(response).get("code")!;
      const elsewhere = await world.redeem(code, { redirect_uri: `http://${host}:9/cb` });
      assertEquals([elsewhere.status, world.lastRefusal()?.reason], [400, "redirect_uri_differs"]);
      assertEquals((await world.redeem(code, { redirect_uri: uri })).status, 200);
    }
  });
}

test("loopback: with several registered URIs, each path works with any port of its own host", async () => {
  const options = {
    clients: [{ client_id: "public", redirect_uris: ["http://127.0.0.1/a", "http://[::1]/b"] }],
  };
  await using world = createWorld(options);
  const statusOf = async (redirect_uri: string) => (await world.authorize({ redirect_uri })).status;
  for (const uri of ["http://127.0.0.1:5/a", "http://[::1]:5/b"]) {
    assertEquals(await statusOf(uri), 303, uri);
  }
  for (const uri of ["http://127.0.0.1:5/b", "http://[::1]:5/a"]) {
    assertEquals(await statusOf(uri), 400, uri);
  }
});

refusesUris("redirect_uri: one that cannot be registered", [
  ["a fragment", `${redirectUri}#there`],
  ["a bare fragment", `${redirectUri}#`],
  ["a relative reference", "/cb"],
  ["a relative reference without a slash", "cb"],
  ["ten thousand characters", `${redirectUri}?${"x".repeat(10_000)}`],
]);

for (const [name, value] of Object.entries({ client_id: "public", redirect_uri: redirectUri })) {
  refusesHere(`redirect URI, ${name} twice (OAuth 2.1 §4.1.2.1)`, {
    "the same value": { [name]: [value, value] },
    "the right value first": { [name]: [value, evil] },
    "the right value last": { [name]: [evil, value] },
    "an empty value first": { [name]: ["", value] },
  }, { reason: "repeated_parameter" });
}

for (
  const [name, values] of Object.entries({
    state: ["one", "two"],
    scope: ["read", "write"],
    response_type: ["code", "code"],
    code_challenge: ["x", "y"],
    code_challenge_method: ["S256", "plain"],
    nonce: ["a", "b"],
    response_mode: ["query", "fragment"],
    login_hint: ["alice", "bob"],
  })
) {
  test(`redirect URI, ${name} twice: the client gets invalid_request and no code (OAuth 2.1 §3.1)`, async () => {
    const store: CountingStore = countingStore();
    await using world = createWorld({ store });
    const answer = callbackParams(await world.authorize({ [name]: values }));
    assertEquals([answer.get("error"), answer.get("code")], ["invalid_request", null]);
    assertEquals(answer.getAll("state"), name === "state" ? [] : ["af0ifjsldkj"]);
    assertEquals(world.lastRefusal()?.reason, "repeated_parameter");
    assertEquals(store.writes, []);
  });
}

test("authorize: a query beside a form is refused on a page, even with the same parameter", async () => {
  const store = countingStore();
  await using world = createWorld({ store });
  const form = world.authorizeUrl().split("?")[1]!;
  for (const query of ["client_id=public", "state=other", "unknown=1", form]) {
    await assertRefusedHere(await world.post(`/oauth2/authorize?${query}`, form), query);
    assertEquals(world.lastRefusal()?.reason, "query_beside_form");
  }
  assertEquals(store.writes, []);
  const alone = await world.post("/oauth2/authorize", form);
  assertNotEquals(callbackParams(alone).get("code"), null);
  assertEquals(store.writes.map((line) => line.split(" ", 2)), [["put", sessions.name], [
    "put",
    grants.name,
  ]]);
});
