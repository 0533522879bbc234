/** Prototype names, broken encodings, and values that must be returned unchanged. */

import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { createServer, type ServerOptions } from "../../src/mod.ts";
import { nonceKey, readCarried } from "../../src/server/oauth/contracts/feature_values.ts";
import { type Grant, grants } from "../../src/server/oauth/contracts/grant.ts";
import { readFormOnPage } from "../server/oauth/read_form.ts";
import { test } from "../runner.ts";
import { testInWorld } from "../test_in_world.ts";
import { callbackParams, createBrowser, createWorld, encodeForm, redirectUri, type World } from "../world.ts";
import { countingStore, valuesOf } from "./counting_store.ts";
import { prototypeNames } from "./hostile_text.ts";
import {
  addresses,
  assertRefusedHere,
  bodyType,
  everyAddress,
  formType,
  readRefusal,
  requestTo,
} from "./site.ts";

/** The members of `Object.prototype`. No request may add one. */
const shared = () =>
  [...Reflect.ownKeys(Object.prototype), ...Reflect.ownKeys(Array.prototype)].map(String).join();
const before = shared();

async function assertUnpolluted(world: World): Promise<void> {
  assertEquals(({} as Record<string, unknown>)["polluted"], undefined);
  assertEquals(shared(), before);
  assertEquals((await world.redeem(await world.code())).status, 200);
}

const places = [
  ...["client_id", "redirect_uri", "scope", "resource", "state", "nonce", "login_hint", "response_type"],
  ...["response_mode", "code_challenge", "code_challenge_method", "grant_type", "code", "code_verifier"],
  ...["client_secret", "request", "decision", "person", "username", "error"],
];

test("every address: prototype names are ordinary text, as names and as values", async () => {
  await using world = createWorld({ firstUse: true, ...everyAddress });
  const valid = Object.fromEntries(new URL(world.authorizeUrl()).searchParams);
  const tries = [
    ...prototypeNames.map((name) => Object.fromEntries([[name, "polluted"]])),
    ...["__proto__", "constructor"].flatMap((hostile) => [
      Object.fromEntries([["__proto__", hostile], ["constructor", hostile]]),
      ...places.map((place) => ({ ...valid, [place]: hostile })),
    ]),
  ];
  const headers = { cookie: "constructor=1; __proto__=polluted", "accept-language": "__proto__" };
  for (const { method, path } of addresses) {
    for (const params of tries) {
      const { status } = await world.fetch(requestTo(world, { method, path }, params, headers));
      assert(status < 500, `${status} ${method} ${path} ${JSON.stringify(params)}`);
    }
  }
  await assertUnpolluted(world);
});

const it = testInWorld({});

it("paths: a prototype name as a path gets 404", async (world) => {
  for (const name of prototypeNames) {
    for (const path of [`/${name}`, `/oauth2/${name}`, `/static/${name}`, `/.well-known/${name}`]) {
      assertEquals((await world.get(path)).status, 404, path);
    }
  }
});

test("configuration: clients, people and scopes may have prototype names", async () => {
  for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"]) {
    const options: ServerOptions = {
      clients: [{ client_id: name, redirect_uris: [redirectUri] }],
      people: [{ username: name, sub: `${name} person` }],
      scopes: JSON.parse(`{ "${name}": "in words", "read": "Read" }`),
    };
    await using world = createWorld(options);
    const code = await world.code({ client_id: name, scope: name, login_hint: name });
    const response = await world.redeem(code, { client_id: name });
    assertEquals((await response.json() as { scope: string }).scope, name);
    for (const other of ["__proto__", "constructor", "isPrototypeOf"].filter((each) => each !== name)) {
      const unknown = await world.authorize({ client_id: name, scope: other });
      assertEquals(callbackParams(unknown).get("error"), "invalid_scope");
      assertEquals((await world.authorize({ client_id: other })).status, 400);
    }
  }
});

test("configuration: __proto__ is an unknown key", () => {
  const texts = [
    '{ "__proto__": { "issuer": "https://evil.example" } }',
    '{ "clients": [{ "client_id": "a", "__proto__": { "client_secret": "x" } }] }',
    '{ "constructor": {} }',
    '{ "lifetimes": { "__proto__": { "code": 1 } } }',
  ];
  for (const text of texts) {
    assertThrows(() => createServer(JSON.parse(text) as ServerOptions), TypeError, "is not known");
  }
});

/** Percent-encodings that are malformed or not UTF-8. */
const broken = [
  ...["%", "%4", "%zz", "%u0041", "%ff", "%c0%af", "%e0%80%af", "%f0%80%80%af", "%f4%90%80%80"],
  ...["%ed%a0%80", "%ed%a0%bd%ed%b8%80", "%e2%82", "%80", "a%00%ff", "%C3"],
];

for (const { method, path } of addresses) {
  if (!/authorize|token$|sign_in|consent|start/.test(path)) continue;
  test(`octets, ${method} ${path}: malformed percent-encoding is refused on a page, in any name or value (OAuth 2.1 appendix B)`, async () => {
    const store = countingStore();
    await using world = createWorld({ store });
    const good = new URL(world.authorizeUrl()).search.slice(1);
    for (const piece of broken) {
      for (const text of [`${good}&${piece}=x`, `${good}&${piece}`, `scope=${piece}&${good}`]) {
        const url = `${world.issuer}${path}`;
        const response = await world.fetch(
          method === "GET"
            ? new Request(`${url}?${text}`)
            : new Request(url, { method, body: text, headers: formType }),
        );
        if (path === "/oauth2/token") {
          assertEquals(await readRefusal(response), "400 invalid_request", text);
        } else await assertRefusedHere(response, text);
        assertEquals(world.lastRefusal()?.reason, "malformed_encoding", text);
      }
    }
    assertEquals(store.writes, []);
  });
}

const rawOctets: readonly (readonly [what: string, octets: readonly number[]])[] = [
  ["a lone octet", [0xff]],
  ["an overlong slash", [0xc0, 0xaf]],
  ["half a surrogate pair", [0xed, 0xa0, 0x80]],
  ["a character cut short", [0xe2, 0x82]],
  ["UTF-16", [0xff, 0xfe, 0x61, 0x00]],
];

test("octets: a body that is not UTF-8 is refused at every address that reads one", async () => {
  const store = countingStore();
  await using world = createWorld({ store, login: "picker", ...everyAddress });
  for (const { path } of addresses.filter(({ method }) => method === "POST")) {
    for (const [what, octets] of rawOctets) {
      const text = new TextEncoder().encode("client_id=public&state=");
      const body = new Uint8Array([...text, ...octets]);
      const request = new Request(world.issuer + path, { method: "POST", body, headers: bodyType(path) });
      const { status } = await world.fetch(request);
      assertEquals([status, world.lastRefusal()?.reason], [400, "body_not_utf8"], `${path} ${what}`);
    }
  }
  assertEquals(store.writes, []);
});

it("octets: a byte order mark is part of the parameter's name", async (world) => {
  const form = encodeForm({
    grant_type: "authorization_code",
    code: await world.code(),
    client_id: "public",
  });
  assertEquals(await readRefusal(await world.post("/oauth2/token", `\ufeff${form}`)), "400 invalid_request");
  assertEquals(world.lastRefusal()?.reason, "missing_parameter");
});

/** Texts as encoded in a query, and decoded. */
const texts: readonly (readonly [written: string, text: string])[] = [
  ["a+b", "a b"],
  ["a%20b", "a b"],
  ["a%2Bb", "a+b"],
  ["%2520", "%20"],
  ["%25252e", "%252e"],
  ["%00", "\0"],
  ["a%00b%00", "a\0b\0"],
  ["%0d%0aLocation:%20https://evil.example", "\r\nLocation: https://evil.example"],
  ["%0a", "\n"],
  ["%E2%80%A8", "\u2028"],
  ["%EF%BB%BF", "\ufeff"],
  ["%EF%BF%BF", "\uffff"],
  ["%C3%A9", "\u00e9"],
  ["e%CC%81", "e\u0301"],
  ["%F0%9F%98%80", "\u{1F600}"],
  ["%26code%3Dx%23%3F", "&code=x#?"],
  ["=%3D==", "===="],
  ["%22%27%3C%3E%5C", "\"'<>\\"],
  ["~%7E", "~~"],
];

for (const response_mode of ["query", "fragment", "form_post"]) {
  it(`octets: state is returned byte for byte, by query and by form: ${response_mode}`, async (world) => {
    const url = `${world.issuer}/oauth2/authorize`;
    const search = new URL(world.authorizeUrl({ state: undefined, response_mode })).search.slice(1);
    for (const [written, text] of texts) {
      const body = `${search}&state=${written}`;
      const byForm = new Request(url, { method: "POST", body, headers: formType });
      for (const request of [new Request(`${url}?${body}`), byForm]) {
        assertState(await locationOf(await world.fetch(request)), text);
      }
    }
  });
}

test("octets: state is returned byte for byte through the pages", async () => {
  await using world = createWorld({ login: "picker" });
  for (const [written, text] of texts) {
    assertState(await viaPages(world, `${world.authorizeUrl({ state: undefined })}&state=${written}`), text);
  }
});

function assertState(location: string, text: string): void {
  assert(/^[\x21-\x7e]+$/.test(location), location);
  const answer = new URLSearchParams(location.slice(location.search(/[?#]/) + 1));
  assertEquals(answer.getAll("state"), [text], location);
  assertEquals(answer.getAll("code").length, 1);
}

async function viaPages(world: World, url: string): Promise<string> {
  const browser = createBrowser(world);
  // `prompt=consent` asks even if consent is remembered.
  const consent = await browser.submit(await browser.open(`${url}&prompt=consent`), { person: "alice" });
  const { leftFor } = await browser.submit(consent, { decision: "approve" });
  return leftFor!;
}

async function locationOf(response: Response): Promise<string> {
  return response.headers.get("location") ?? formAsLocation(await response.text());
}

/** The form's fields as a query. */
function formAsLocation(html: string): string {
  const { fields } = readFormOnPage(html);
  return `form?${new URLSearchParams(fields.map(([name, value]) => [name, value]))}`;
}

test("octets: a nonce is kept byte for byte", async () => {
  const store = countingStore();
  await using world = createWorld({ store });
  for (const [written] of texts) {
    assertEquals((await world.get(`${world.authorizeUrl()}&nonce=${written}`)).status, 303);
  }
  const kept = await valuesOf(store, grants) as readonly Grant[];
  assertEquals(kept.map((grant) => readCarried(grant, nonceKey)), texts.map(([, text]) => text));
});

it("octets: line breaks in scope and client_id are refused and split no header", async (world) => {
  for (const text of ["read\r\nX-Injected: 1", "read\0", "read\u00a0write", "r\u00e9ad", '"', "\\"]) {
    const response = await world.authorize({ scope: text });
    const location = response.headers.get("location")!;
    assertStringIncludes(location, "error=invalid_scope");
    assert(/^[\x21-\x7e]+$/.test(location) && !response.headers.has("x-injected"), location);
    await assertRefusedHere(await world.authorize({ client_id: text }), text);
  }
});
