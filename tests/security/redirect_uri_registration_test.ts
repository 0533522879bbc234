/** Which redirect URIs may be registered, and that every answer has state and iss. */

import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { createServer, type ServerOptions, StoreUnavailable } from "../../src/mod.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import type { Store } from "../../src/server/store/store.ts";
import { readFormOnPage } from "../server/oauth/read_form.ts";
import { test } from "../runner.ts";
import { callbackParams, createBrowser, createWorld, type Params, type World } from "../world.ts";
import { confusedAuthorities, otherSchemes, type Variant } from "./redirect_variants.ts";

function register(redirectUri: unknown): () => void {
  const clients = [{ client_id: "a", redirect_uris: ["https://app.example/good", redirectUri] }];
  return () => createServer({ clients: clients as NonNullable<ServerOptions["clients"]> });
}

const unregistrable: readonly Variant[] = [
  ["empty", ""],
  ["relative", "/cb"],
  ["relative without a slash", "cb"],
  ["without a scheme", "//app.example/cb"],
  ["a fragment", "https://app.example/cb#there"],
  ["a bare fragment", "https://app.example/cb#"],
  ["a fragment on loopback", "http://127.0.0.1/cb#"],
  ["a fragment in an app's scheme", "com.example.app:/cb#there"],
  ["ten thousand characters", `https://app.example/${"x".repeat(10_000)}`],
  ["no host", "https://"],
  ["no host but a path", "https:///cb"],
  ["no slashes", "https:app.example"],
  ["one slash", "https:/app.example/cb"],
  ["a backslash", "https://app.example\\cb"],
  ["a wildcard for a host's part that no URL allows", "https://*^.example/cb"],
  ["a space", "https://app.example/c b"],
  ["a space in front", " https://app.example/cb"],
  ["a newline", "https://app.example/cb\n"],
  ["a NUL", "https://app.example/cb\0"],
  ["a header", "https://app.example/cb\r\nX-Injected: 1"],
  ["a quote", 'https://app.example/cb"'],
  ["markup", "https://app.example/<b>"],
  ["an umlaut", "https://app.example/ü"],
  ["http to a public host", "http://app.example/cb"],
  ["http to an address that only looks like loopback", "http://127.0.0.1.evil.com/cb"],
  ["http to loopback, short", "http://127.1/cb"],
  ["http to loopback, in one number", "http://2130706433/cb"],
  ["http to loopback, in hexadecimal", "http://0x7f.1/cb"],
  ["http to loopback, with zeros", "http://127.000.000.001/cb"],
  ["http to any address", "http://0.0.0.0/cb"],
  ["upper-case http to loopback", "HTTP://LOCALHOST/cb"],
];

// A configured client may have an app's scheme.
const forbidden = otherSchemes.filter(([, uri]) => uri !== "myapp://cb");
const refused = { authority: confusedAuthorities, scheme: forbidden, form: unregistrable };

for (const [check, variants] of Object.entries(refused)) {
  test(`registration: ${check}: a wrong one is refused, and the error names clients[0].redirect_uris[1]`, () => {
    for (const [what, uri] of variants) {
      const { message } = assertThrows(register(uri), TypeError, undefined, what);
      assertStringIncludes(message, "Cannot create server: clients[0].redirect_uris[1] must ", what);
    }
  });
}

test("registration: refuses values that are not text", () => {
  for (const value of [null, 1, true, {}, ["https://app.example/cb"]]) {
    assertThrows(register(value), TypeError, "clients[0].redirect_uris[1] must be a string");
  }
});

test("registration: accepts https, loopback and private schemes", async () => {
  const redirect_uris = [
    ...["https://app.example", "https://app.example/", "https://app.example:8443/cb?tenant=1"],
    ...["https://xn--pp-wia.example/cb", "https://app.example/a@b", "https://[2001:db8::1]/cb"],
    ...["http://127.0.0.1/cb", "http://[::1]:5000/cb", "http://localhost:3000/cb?x=1"],
    ...["com.example.app:/cb", "com.example.app://cb"],
  ];
  const options = { clients: [{ client_id: "public", redirect_uris }] };
  await using world = createWorld(options);
  for (const redirect_uri of redirect_uris) {
    const location = (await world.authorize({ redirect_uri })).headers.get("location") ?? "";
    assert(location.startsWith(`${redirect_uri}${redirect_uri.includes("?") ? "&" : "?"}code=`), location);
  }
});

/** Every way that leads to an answer to the client. */
interface Outcome {
  readonly what: string;
  readonly changed?: Params;
  readonly options?: ServerOptions;
  /** The person's answers. Absent: the server answers without asking. */
  readonly person?: "denies at sign-in" | "denies at consent" | "approves";
  /** Absent: the answer is a code. */
  readonly error?: string;
}

const broken = (thrown: Error): Store => ({ ...memoryStore(), put: () => Promise.reject(thrown) });

const outcomes: readonly Outcome[] = [
  { what: "success" },
  { what: "success after sign-in and consent", person: "approves" },
  { what: "denial at sign-in", person: "denies at sign-in", error: "access_denied" },
  { what: "denial at consent", person: "denies at consent", error: "access_denied" },
  { what: "no response_type", changed: { response_type: undefined }, error: "invalid_request" },
  { what: "response_type", changed: { response_type: "token" }, error: "unsupported_response_type" },
  { what: "scope", changed: { scope: "a  b" }, error: "invalid_scope" },
  { what: "resource", changed: { resource: "relative" }, error: "invalid_target" },
  { what: "PKCE", changed: { code_challenge: undefined }, error: "invalid_request" },
  { what: "repetition", changed: { nonce: ["a", "b"] }, error: "invalid_request" },
  { what: "request", changed: { request: "e30.e30." }, error: "invalid_request_object" },
  { what: "request_uri", changed: { request_uri: "urn:x" }, error: "request_uri_not_supported" },
  { what: "registration", changed: { registration: "{}" }, error: "registration_not_supported" },
  {
    what: "client without the flow",
    options: {
      clients: [{ client_id: "public", redirect_uris: ["https://app.example/cb"], response_types: [] }],
    },
    error: "unauthorized_client",
  },
  { what: "fault", options: { store: broken(new Error("disk on fire")) }, error: "server_error" },
  {
    what: "busy store",
    options: { store: broken(new StoreUnavailable("locked")) },
    error: "temporarily_unavailable",
  },
];

const oddState = ` &=+%#"'<>\\ ; /?:@ü\u{1F600}\u0301%61+%20a\r\nX: 1\0${"x".repeat(4000)}\t`;

for (const { what, changed = {}, options = {}, person, error } of outcomes) {
  for (const response_mode of [undefined, "query", "fragment", "form_post"]) {
    test(`redirect URI, ${what}, response_mode ${response_mode ?? "left out"}: one state and one iss (RFC 9207 §2)`, async () => {
      await using world = createWorld({ login: person === undefined ? "auto" : "picker", ...options });
      for (const state of [oddState, undefined]) {
        const answer = await answerTo(world, { ...changed, state, response_mode }, person);
        assertEquals(answer.getAll("state"), state === undefined ? [] : [state]);
        assertEquals(answer.getAll("iss"), [world.issuer]);
        assertEquals(answer.getAll("error"), error === undefined ? [] : [error]);
        assertEquals(answer.getAll("code").length, error === undefined ? 1 : 0);
        const known = ["code", "error", "error_description", "state", "iss"];
        assertEquals([...answer.keys()].filter((name) => !known.includes(name)), []);
      }
    });
  }
}

async function answerTo(world: World, changed: Params, person: Outcome["person"]): Promise<URLSearchParams> {
  if (person === undefined) return await readAnswer(await world.authorize(changed));
  const browser = createBrowser(world);
  // The person is asked even after an earlier consent.
  let page = await browser.open(world.authorizeUrl({ prompt: "consent", ...changed }));
  if (person === "denies at sign-in") page = await browser.submit(page, { decision: "deny" });
  else {
    page = await browser.submit(page, { person: "alice" });
    page = await browser.submit(page, { decision: person === "approves" ? "approve" : "deny" });
  }
  const { status, headers, html, leftFor } = page;
  const answer = new Response(html, { status, headers });
  if (leftFor !== undefined) answer.headers.set("location", leftFor);
  return await readAnswer(answer);
}

/** From the redirect, or from the form that the browser posts. */
async function readAnswer(response: Response): Promise<URLSearchParams> {
  if (response.headers.has("location")) return callbackParams(response);
  const form = readFormOnPage(await response.text());
  assertEquals(form.action, "https://app.example/cb");
  return new URLSearchParams(form.fields.map(([name, value]) => [name, value]));
}
