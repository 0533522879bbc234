/** Remembered consent: when a person is not asked again, and when the server always asks. */

import { assert, assertEquals, assertFalse } from "@std/assert";
import type { ClientMetadata } from "../../src/mod.ts";
import { test } from "../runner.ts";
import { createBrowser, inWorld, type Params, sampleKey, verifier } from "../world.ts";
import {
  answerOf,
  ask,
  clientOf,
  inOpenId,
  refresh,
  type Screen,
  screenOf,
  signIn,
  tokensOf,
  userinfoOf,
} from "./openid_world.ts";

const clients = [
  clientOf("app", {
    redirect_uris: [
      "https://app.example/cb",
      "https://app.example/other",
      "https://elsewhere.example/cb",
      "http://127.0.0.1:4000/cb",
      "com.example.app:/cb",
    ],
  }),
  clientOf("shop"),
];

const agreedTo: Params = {
  scope: "openid email",
  resource: ["https://api.example/a", "https://api.example/b"],
};

const again: readonly (readonly [what: string, request: Params, screen: Screen])[] = [
  ["the same request", agreedTo, "client"],
  ["less scope", { ...agreedTo, scope: "openid" }, "client"],
  ["one of the two resources", { ...agreedTo, resource: "https://api.example/b" }, "client"],
  ["another path of the same host", { ...agreedTo, redirect_uri: "https://app.example/other" }, "client"],
  ["more scope", { ...agreedTo, scope: "openid email profile" }, "consent"],
  ["offline_access", { ...agreedTo, scope: "openid email offline_access" }, "consent"],
  ["another resource", { ...agreedTo, resource: "https://api.example/c" }, "consent"],
  ["another redirect host", { ...agreedTo, redirect_uri: "https://elsewhere.example/cb" }, "consent"],
  ["the same on loopback", { ...agreedTo, redirect_uri: "http://127.0.0.1:4000/cb" }, "consent"],
  ["an app's own scheme", { ...agreedTo, redirect_uri: "com.example.app:/cb" }, "consent"],
  ["another client", { ...agreedTo, client_id: "shop" }, "consent"],
];

for (const [what, request, screen] of again) {
  test(`consent: after an approval, ${what} leads to ${screen}`, () =>
    inOpenId({ clients }, async (world, browser) => {
      await signIn(world, browser, "alice", agreedTo);
      assertEquals(screenOf(await ask(world, browser, request)), screen);
    }));
}

test("consent: single claims without consent are not released silently", () =>
  inOpenId({ clients }, async (world, browser) => {
    await signIn(world, browser, "alice", { scope: "openid" });
    const page = await ask(world, browser, {
      scope: "openid",
      claims: JSON.stringify({ userinfo: { email: null }, id_token: { name: null } }),
    });
    if (screenOf(page) === "consent") return;
    const { access_token } = await tokensOf(world, page);
    assertFalse("email" in await (await userinfoOf(world, access_token)).json());
  }));

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
  ["a public client", isPublic, localName, false],
  ["a confidential client", isConfidential, localName, true],
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
  await inWorld(
    { issuer: "http://localhost:9000", alg: "ES256", signingKeys: [sampleKey] },
    async (world) => {
      const browser = createBrowser(world);
      const url = world.authorizeUrl({ client_id: "demo-confidential", redirect_uri });
      const page = await browser.submit(await browser.open(url), { person: "alice" });
      assertEquals(screenOf(page), "consent");
      await browser.submit(page, { decision: "approve" });
      assertEquals(screenOf(await browser.open(url)), "consent");
    },
    {},
  );
});

test("consent: an unconfigured client needs consent every time", () =>
  inOpenId({ clients: [], firstUse: true }, async (world, browser) => {
    const request = { client_id: "guest", redirect_uri: "https://guest.test/cb" };
    const first = await browser.submit(await ask(world, browser, request), { person: "alice" });
    await browser.submit(first, { decision: "approve" });
    assertEquals(screenOf(await ask(world, browser, request)), "consent");
  }));

test("consent: a denial is not remembered and removes no earlier consent", () =>
  inOpenId({ clients }, async (world, browser) => {
    await signIn(world, browser, "alice");
    const page = await ask(world, browser, { prompt: "consent", scope: "openid email" });
    await browser.submit(page, { decision: "deny" });
    assertEquals(screenOf(await ask(world, browser, { scope: "openid email" })), "consent");
    assertEquals(screenOf(await ask(world, browser)), "client");
  }));

test("consent: the consent of one person does not count for another", () =>
  inOpenId({ clients }, async (world, browser) => {
    await signIn(world, browser, "alice");
    const page = await ask(world, createBrowser(world));
    assertEquals(
      screenOf(
        await browser.submit(await ask(world, browser, { login_hint: "bob" }), {
          person: "bob",
        }),
      ),
      "consent",
    );
    assertEquals(screenOf(page), "sign_in");
  }));

test("consent: a person's consent counts in every browser", () =>
  inOpenId({ clients }, async (world, browser) => {
    await signIn(world, browser, "alice");
    const other = createBrowser(world);
    assertEquals(screenOf(await other.submit(await ask(world, other), { person: "alice" })), "client");
  }));

test("consent: a person cannot answer the page of another person", () =>
  inOpenId({ clients }, async (world, browser) => {
    const page = await browser.submit(await ask(world, browser), { person: "alice" });
    assertEquals(screenOf(page), "consent");
    const out = await browser.open("/connect/logout");
    await browser.submit(out, { decision: "sign_out" });
    await signIn(world, browser, "bob", { client_id: "shop" });
    const answer = await browser.submit(page, { decision: "approve" });
    assert(screenOf(answer) !== "client", "the server has not asked bob");
  }));

test("offline_access: it needs its own consent; a refresh token is issued without it as well (OpenID Connect Core §11)", () =>
  inOpenId({ clients }, async (world, browser) => {
    const plain = await signIn(world, browser, "alice", { scope: "openid" });
    assertEquals((await refresh(world, plain.refresh_token)).status, 200);
    const page = await ask(world, browser, { scope: "openid offline_access" });
    assertEquals(screenOf(page), "consent");
    assert(page.html.includes("offline_access"));
    const tokens = await tokensOf(world, await browser.submit(page, { decision: "approve" }));
    assert(tokens.refresh_token.length > 0 && verifier.length > 0);
    assert(tokens.scope === undefined || tokens.scope.includes("offline_access"));
  }));
