/** Remembered consent: when a person is not asked again, and when the server always asks. */

import { assertEquals } from "@std/assert";
import type { ClientMetadata } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import { byId, findAll, readHtml, textOf } from "../pages/read_html.ts";
import { testWith } from "./test_in_openid.ts";
import { createBrowser, createWorld, sampleKey } from "../../world.ts";
import { answerOf, ask, clientOf, inOpenId, screenOf, signIn } from "./openid_world.ts";

const it = testWith();

it("consent: single claims without consent are asked for", async ({ world, browser }) => {
  await signIn(world, browser, "alice", { scope: "openid" });
  const claims = JSON.stringify({ userinfo: { email: null }, id_token: { name: null, auth_time: null } });
  const page = await ask(world, browser, { scope: "openid", claims });
  assertEquals(screenOf(page), "consent");
  assertEquals(findAll(byId(readHtml(page.html), "claims"), "code").map(textOf), ["email", "name"]);
});

const loopback = "http://127.0.0.1:4000/cb";
const localName = "http://app.localhost:4000/cb";
const privateScheme = "com.example.app:/cb";
const https = "https://app.example/cb";
const redirect_uris = [loopback, localName, privateScheme, https];
const isPublic = { client_id: "app", redirect_uris };
const isConfidential = clientOf("app", { redirect_uris });

const remembering: readonly (readonly [
  what: string,
  client: ClientMetadata,
  redirect_uri: string,
  isRemembered: boolean,
])[] = [
  ["a public client", isPublic, https, true],
  ["a public client", isPublic, loopback, false],
  ["a public client", isPublic, privateScheme, false],
  ["a confidential client", isConfidential, https, true],
  ["a confidential client", isConfidential, loopback, true],
  ["a confidential client", isConfidential, privateScheme, false],
  ["a public client with remember_consent", { ...isPublic, remember_consent: true }, loopback, true],
  ["a public client with remember_consent", { ...isPublic, remember_consent: true }, privateScheme, true],
  ["a public client without remember_consent", { ...isPublic, remember_consent: false }, https, false],
  [
    "a confidential one without remember_consent",
    { ...isConfidential, remember_consent: false },
    loopback,
    false,
  ],
];

for (const [what, client, redirect_uri, isRemembered] of remembering) {
  test(`consent: approving ${what} at ${redirect_uri} is ${isRemembered ? "" : "not "}remembered`, () =>
    inOpenId({ clients: [client] }, async (world, browser) => {
      const request = { redirect_uri, scope: "openid" };
      const page = await browser.submit(await ask(world, browser, request), { person: "alice" });
      assertEquals(screenOf(page), "consent");
      await browser.submit(page, { decision: "approve" });
      assertEquals(screenOf(await ask(world, browser, request)), isRemembered ? "client" : "consent");
      // OpenID Connect Core §3.1.2.6: with prompt=none the missing consent is an error.
      const silent = answerOf(await ask(world, browser, { ...request, prompt: "none" }));
      assertEquals(silent.get("error"), isRemembered ? null : "consent_required");
    }));
}

test("consent: on loopback it is remembered for one port, with a private scheme for that scheme", async () => {
  const other = "com.example.other:/cb";
  const client = {
    ...isConfidential,
    redirect_uris: [loopback, privateScheme, other],
    remember_consent: true,
  };
  await inOpenId({ clients: [client] }, async (world, browser) => {
    const first = await ask(world, browser, { redirect_uri: loopback });
    await browser.submit(await browser.submit(first, { person: "alice" }), { decision: "approve" });
    for (const redirect_uri of ["http://127.0.0.1:4001/cb", privateScheme, other]) {
      const page = await ask(world, browser, { redirect_uri });
      assertEquals(screenOf(page), "consent", redirect_uri);
      await browser.submit(page, { decision: "approve" });
      assertEquals(screenOf(await ask(world, browser, { redirect_uri })), "client", redirect_uri);
    }
  });
});

test("consent: the demo client needs consent every time on loopback, because its secret is public", async () => {
  const redirect_uri = "http://localhost:9000/authorized";
  await using world = createWorld(
    { issuer: "http://localhost:9000", alg: "ES256", signingKeys: [sampleKey] },
    {},
  );
  const browser = createBrowser(world);
  const url = world.authorizeUrl({ client_id: "demo-confidential", redirect_uri });
  const page = await browser.submit(await browser.open(url), { person: "alice" });
  assertEquals(screenOf(page), "consent");
  await browser.submit(page, { decision: "approve" });
  assertEquals(screenOf(await browser.open(url)), "consent");
});
