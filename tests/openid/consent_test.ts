/** Remembered consent: who is not asked twice, and who always is (SES-05, A82). */

import { assert, assertEquals, assertFalse } from "@std/assert";
import { test } from "../runner.ts";
import { createBrowser, type Params, verifier } from "../world.ts";
import {
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
  ["the same once more", agreedTo, "client"],
  ["less scope", { ...agreedTo, scope: "openid" }, "client"],
  ["one resource of the two", { ...agreedTo, resource: "https://api.example/b" }, "client"],
  ["another path of the same host", { ...agreedTo, redirect_uri: "https://app.example/other" }, "client"],
  ["more scope", { ...agreedTo, scope: "openid email profile" }, "consent"],
  ["offline_access", { ...agreedTo, scope: "openid email offline_access" }, "consent"],
  ["another resource", { ...agreedTo, resource: "https://api.example/c" }, "consent"],
  ["another redirect host", { ...agreedTo, redirect_uri: "https://elsewhere.example/cb" }, "consent"],
  ["a loopback redirect URI", { ...agreedTo, redirect_uri: "http://127.0.0.1:4000/cb" }, "consent"],
  ["an app's own scheme", { ...agreedTo, redirect_uri: "com.example.app:/cb" }, "consent"],
  ["another client", { ...agreedTo, client_id: "shop" }, "consent"],
];

for (const [what, request, screen] of again) {
  test(`consent: after a yes, ${what} leads to ${screen} (SES-05)`, async () => {
    await inOpenId({ clients }, async (world, browser) => {
      await signIn(world, browser, "alice", agreedTo);
      assertEquals(screenOf(await ask(world, browser, request)), screen);
    });
  });
}

test("consent: single claims that nobody agreed to are not given away silently (SES-05)", async () => {
  await inOpenId({ clients }, async (world, browser) => {
    await signIn(world, browser, "alice", { scope: "openid" });
    const page = await ask(world, browser, {
      scope: "openid",
      claims: JSON.stringify({ userinfo: { email: null }, id_token: { name: null } }),
    });
    if (screenOf(page) === "consent") return;
    const { access_token } = await tokensOf(world, page);
    assertFalse("email" in await (await userinfoOf(world, access_token)).json());
  });
});

for (const redirect_uri of ["http://127.0.0.1:4000/cb", "com.example.app:/cb"]) {
  test(`consent: a yes for ${redirect_uri} is not remembered (SES-05)`, async () => {
    await inOpenId({ clients }, async (world, browser) => {
      await signIn(world, browser, "alice", { scope: "read" });
      for (let time = 0; time < 2; time++) {
        const page = await ask(world, browser, { redirect_uri, scope: "openid" });
        assertEquals(screenOf(page), "consent");
        await browser.submit(page, { decision: "approve" });
      }
      assertEquals(screenOf(await ask(world, browser, { scope: "openid" })), "consent");
    });
  });
}

test("consent: a client that nobody configured is asked about every time (SES-05)", async () => {
  await inOpenId({ clients: [], firstUse: true }, async (world, browser) => {
    const request = { client_id: "guest", redirect_uri: "https://guest.test/cb" };
    const first = await browser.submit(await ask(world, browser, request), { person: "alice" });
    await browser.submit(first, { decision: "approve" });
    assertEquals(screenOf(await ask(world, browser, request)), "consent");
  });
});

test("consent: a no is not remembered, and takes no earlier yes away", async () => {
  await inOpenId({ clients }, async (world, browser) => {
    await signIn(world, browser, "alice");
    const page = await ask(world, browser, { prompt: "consent", scope: "openid email" });
    await browser.submit(page, { decision: "deny" });
    assertEquals(screenOf(await ask(world, browser, { scope: "openid email" })), "consent");
    assertEquals(screenOf(await ask(world, browser)), "client");
  });
});

test("consent: one person's yes is nobody else's (SES-05)", async () => {
  await inOpenId({ clients }, async (world, browser) => {
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
  });
});

test("consent: it is the person's, at whatever browser, and outlives a sign-out", async () => {
  await inOpenId({ clients }, async (world, browser) => {
    await signIn(world, browser, "alice");
    const other = createBrowser(world);
    assertEquals(screenOf(await other.submit(await ask(world, other), { person: "alice" })), "client");
  });
});

test("consent: a page that was shown to one person cannot be answered by another (SES-02)", async () => {
  await inOpenId({ clients }, async (world, browser) => {
    const page = await browser.submit(await ask(world, browser), { person: "alice" });
    assertEquals(screenOf(page), "consent");
    const out = await browser.open("/connect/logout");
    await browser.submit(out, { decision: "sign_out" });
    await signIn(world, browser, "bob", { client_id: "shop" });
    const answer = await browser.submit(page, { decision: "approve" });
    assert(screenOf(answer) !== "client", "bob has not been asked yet");
  });
});

test("offline_access: without it there is a refresh token all the same; consent is asked for it once (A82)", async () => {
  await inOpenId({ clients }, async (world, browser) => {
    const plain = await signIn(world, browser, "alice", { scope: "openid" });
    assertEquals((await refresh(world, plain.refresh_token)).status, 200);
    const page = await ask(world, browser, { scope: "openid offline_access" });
    assertEquals(screenOf(page), "consent");
    assert(page.html.includes("offline_access"));
    const tokens = await tokensOf(world, await browser.submit(page, { decision: "approve" }));
    assert(tokens.refresh_token.length > 0 && verifier.length > 0);
    assert(tokens.scope === undefined || tokens.scope.includes("offline_access"));
  });
});
