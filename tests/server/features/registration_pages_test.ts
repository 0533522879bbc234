/** What people see about a client that registered itself. */

import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { attribute, byId, findAll, findById, readHtml, textOf } from "../pages/read_html.ts";
import type { ServerOptions } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import { type Browser, createBrowser, type Params, type World } from "../../world.ts";
import {
  createRegistrationWorld,
  initialToken,
  type Json,
  nativeUri,
  registered,
  testInRegistration as it,
} from "./registration.ts";

const links = {
  client_uri: "https://notes.dev/",
  policy_uri: "https://notes.dev/policy",
  tos_uri: "http://terms.notes.dev/",
  logo_uri: "https://notes.dev/logo.png",
};

/** Opens the consent page of a client for alice, after her sign-in. */
async function consentOf(world: World, client_id: string, more: Params = {}) {
  const browser = createBrowser(world);
  const url = world.authorizeUrl({ client_id, redirect_uri: nativeUri, ...more });
  const page = await browser.submit(await browser.open(url), { person: "alice" });
  return { page, html: readHtml(page.html), browser };
}

const picker = { login: "picker" };

test("registration, consent page: links are http or https, and tell their hosts nothing", async () => {
  const world = createRegistrationWorld(picker);
  const { client_id } = await registered(world, { client_name: "Notes", ...links });
  const { html } = await consentOf(world, client_id);
  const found = findAll(byId(html, "client-links"), "a").map((link) => [
    attribute(link, "id"),
    attribute(link, "href"),
    attribute(link, "rel"),
  ]);
  assertEquals(found, [
    ["client-site", links.client_uri, "noopener noreferrer"],
    ["client-policy", links.policy_uri, "noopener noreferrer"],
    ["client-terms", links.tos_uri, "noopener noreferrer"],
  ]);
  assertEquals(findAll(byId(html, "client-links"), "li").map(textOf), [
    "Web site notes.dev",
    "Privacy policy notes.dev",
    "Terms of service terms.notes.dev",
  ]);
});

test("registration: the sign-in page and the account page have the same links", async () => {
  const world = createRegistrationWorld(picker);
  const client = await registered(world, { client_name: "Notes", ...links });
  const bare = await registered(world, { client_name: "Bare" });
  const browser = createBrowser(world);
  const open = async ({ client_id }: { readonly client_id: string }, more: Params = {}) =>
    await browser.open(world.authorizeUrl({ client_id, redirect_uri: nativeUri, ...more }));
  const linksOf = ({ html }: { readonly html: string }) =>
    findAll(readHtml(html), "a").filter((link) => attribute(link, "id")?.startsWith("client-"))
      .map((link) => attribute(link, "href"));
  const expected = [links.client_uri, links.policy_uri, links.tos_uri];
  const signIn = await open(client);
  assertEquals([linksOf(signIn), linksOf(await open(bare))], [expected, []]);
  await browser.submit(signIn, { person: "alice" });
  const accounts = await open(client, { prompt: "select_account" });
  assert(findById(readHtml(accounts.html), "another-person") !== undefined);
  assertEquals(linksOf(accounts), expected);
});

test("registration: the warning names only what the client has chosen", async () => {
  const world = createRegistrationWorld(picker);
  const cases: readonly (readonly [metadata: Json, chosen: string])[] = [
    [{ client_name: "Notes", ...links }, ", so it chose its name and its links"],
    [{ client_name: "Notes" }, ", so it chose its name"],
    [links, ", so it chose its links"],
    [{}, ""],
  ];
  for (const [metadata, chosen] of cases) {
    const { client_id } = await registered(world, metadata);
    const { html } = await consentOf(world, client_id);
    assertStringIncludes(
      textOf(byId(html, "unverified")),
      `This client registered itself${chosen}. Approve it only if you started it yourself.`,
    );
  }
});

test("registration: a logo is kept and never shown, so no foreign host sees who opens a page (CIMD §8.4)", async () => {
  const world = createRegistrationWorld(picker);
  const client = await registered(world, { client_name: "Notes", ...links });
  assertEquals(client["logo_uri"], links.logo_uri);
  const { html, page } = await consentOf(world, client.client_id);
  assertFalse(page.html.includes("logo.png"));
  assertEquals(findAll(html, "img").map((image) => attribute(image, "src")), ["/static/postern.svg"]);
});

test("registration: the server fetches none of the URLs (RFC 7591 §5)", async () => {
  const fetched: string[] = [];
  const world = createRegistrationWorld({
    ...picker,
    fetch: (input: string | Request) => {
      fetched.push(`${input}`);
      return Promise.reject(new Error("no network"));
    },
  });
  const { client_id } = await registered(world, {
    ...links,
    jwks_uri: "http://localhost:4000/jwks",
    request_uris: ["https://notes.dev/request"],
    initiate_login_uri: "https://notes.dev/login",
  });
  await consentOf(world, client_id);
  assertEquals(fetched, []);
});

it("registration: the front page lists the client as one that registered itself", async (world) => {
  const { client_id } = await registered(world, { client_name: "Notes" });
  const html = await (await world.get("/")).text();
  assertStringIncludes(html, client_id);
  assertStringIncludes(html, "Registered itself");
});

interface Agreed {
  readonly browser: Browser;
  readonly url: (more?: Params) => string;
}

/** Approves the first request of a new client. */
async function agree(
  metadata: Json,
  token: string | undefined,
  options: ServerOptions = picker,
): Promise<{ readonly world: World } & Agreed> {
  const uri = `${(metadata["redirect_uris"] as string[] | undefined)?.[0] ?? nativeUri}`;
  const terms = { ...options, registration: { initialAccessTokens: [initialToken], open: true } };
  const world = createRegistrationWorld(terms);
  const { client_id } = await registered(world, metadata, token);
  const url = (more: Params = {}) => world.authorizeUrl({ client_id, redirect_uri: uri, ...more });
  const { page, browser } = await consentOf(world, client_id, { redirect_uri: uri });
  await browser.submit(page, { decision: "approve" });
  return { world, browser, url };
}

/** Without an approval of the operator, consent is asked each time. */
const asked: readonly (readonly [name: string, metadata: Json, token?: string])[] = [
  ["open, loopback, public", { token_endpoint_auth_method: "none", remember_consent: true }],
  ["open, loopback, with a secret", { remember_consent: true }],
  ["open, a private scheme", { redirect_uris: ["com.example.app:/cb"], remember_consent: true }],
  ["with a token, loopback, public", { token_endpoint_auth_method: "none" }, initialToken],
  ["with a token, a private scheme", { redirect_uris: ["com.example.app:/cb"] }, initialToken],
  [
    "with a token that forbids it",
    { redirect_uris: ["https://app.dev/cb"], remember_consent: false },
    initialToken,
  ],
];

for (const [name, metadata, token] of asked) {
  test(`registration: consent is not remembered: ${name}`, async () => {
    const { world, browser, url } = await agree(metadata, token);
    for (const more of [{}, { scope: "read write" }]) {
      const again = await browser.open(url(more));
      assert(findById(readHtml(again.html), "approve") !== undefined, JSON.stringify(more));
    }
    await browser.open(url({ prompt: "none" }));
    assertEquals(world.lastRefusal()?.error, "consent_required");
  });
}

/** An initial access token is the operator's approval, so the rules of a configured client hold. */
const remembered: readonly (readonly [name: string, metadata: Json])[] = [
  ["https", { redirect_uris: ["https://app.dev/cb"] }],
  ["loopback, with a secret", {}],
  ["loopback, public, with remember_consent", { token_endpoint_auth_method: "none", remember_consent: true }],
];

for (const [name, metadata] of remembered) {
  test(`registration: with an initial access token, consent is remembered as for a configured client: ${name}`, async () => {
    const { world, browser, url } = await agree(metadata, initialToken);
    for (const more of [{}, { prompt: "none" }]) {
      const { leftFor } = await browser.open(url(more));
      assert(new URL(leftFor!).searchParams.has("code"), leftFor);
    }
    const more = await browser.open(url({ scope: "read write" }));
    assert(findById(readHtml(more.html), "approve") !== undefined);
    await world.close();
  });
}
