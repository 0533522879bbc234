/** Public and pairwise subjects (OpenID Connect Core §8). */

import { assert, assertEquals, assertFalse, assertMatch } from "@std/assert";
import { decodeJwt } from "jose";
import { memoryStore, type Store } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import { createBrowser, sampleKey, verifier } from "../../world.ts";
import {
  agree,
  answerOf,
  ask,
  claimsOf,
  clientOf,
  inOpenId,
  inOpenIdWithOwnKeys,
  introspect,
  refresh,
  secretOf,
  signIn,
  type Tokens,
  tokensOf,
  userinfoOf,
  verify,
} from "./openid_world.ts";

const pairwise = { subject_type: "pairwise" } as const;
const clients = [
  clientOf("app", pairwise),
  clientOf("other", pairwise),
  clientOf("plain"),
];

test("subject: a pairwise subject differs by sector and person, and is the same within a sector (Core §8.1)", () =>
  inOpenId({ clients }, async (world) => {
    const subOf = async (who: string, id: string) =>
      (await claimsOf(world, await signIn(world, createBrowser(world), who, { client_id: id }), id)).sub!;
    const alice = await subOf("alice", "app");
    assertMatch(alice, /^[\x21-\x7e]{1,255}$/);
    assertEquals(await subOf("alice", "app"), alice);
    assert(await subOf("alice", "other") !== alice);
    assert(await subOf("bob", "app") !== alice);
    assertEquals(await subOf("alice", "plain"), "subject-of-a");
  }));

test("subject: all tokens have the same pairwise subject, and none leaks the username or the public subject", async () => {
  for (const accessTokens of ["jwt", "opaque"] as const) {
    await inOpenId({ clients, accessTokens }, async (world, browser) => {
      const tokens = await signIn(world, browser, "alice", { scope: "openid email" });
      const idToken = await claimsOf(world, tokens);
      const userinfo = await (await userinfoOf(world, tokens.access_token)).json();
      const access = await introspect(world, tokens.access_token);
      const refresh = await introspect(world, tokens.refresh_token);
      assertEquals([userinfo.sub, access["sub"], access["active"]], [idToken.sub, idToken.sub, true]);
      assertEquals([refresh["active"], refresh["sub"] ?? idToken.sub], [true, idToken.sub]);
      const seen: Record<string, unknown>[] = [idToken, access, refresh, { ...userinfo, email: undefined }];
      if (accessTokens === "jwt") {
        const { payload } = await verify(world, tokens.access_token, "https://as.test");
        assertEquals(payload.sub, idToken.sub);
        seen.push(payload);
      }
      for (const each of seen) {
        const text = JSON.stringify(each);
        assertFalse(/alice|subject-of-a/.test(text), text);
      }
    });
  }
});

test("subject: new signing keys do not change pairwise subjects, and old refresh tokens still work (OpenID Connect Core §8.1, §12.2)", async () => {
  const { privateKey } = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
  ]) as CryptoKeyPair;
  const newKey = await crypto.subtle.exportKey("jwk", privateKey);
  const store = memoryStore();
  const subs: unknown[] = [];
  let token = "";
  for (const signingKeys of [[sampleKey], [newKey, sampleKey], [newKey]]) {
    await inOpenId({ clients, store, signingKeys }, async (world, browser) => {
      const tokens = await signIn(world, browser, "alice", { scope: "openid offline_access" });
      subs.push((await claimsOf(world, tokens)).sub);
      if (token !== "") {
        const refreshed: Tokens = await (await refresh(world, token)).json();
        subs.push((await claimsOf(world, refreshed)).sub);
      }
      token = tokens.refresh_token;
    });
  }
  assertEquals([subs.length, new Set(subs).size], [5, 1]);
});

test("subject: a sector is a host with any port, or an app's scheme (Core §8.1)", async () => {
  const at = (id: string, redirect_uri: string) =>
    clientOf(id, { ...pairwise, redirect_uris: [redirect_uri] });
  const uris = {
    web: "https://app.example/cb",
    port: "https://app.example:8443/cb",
    first: "com.example.first:/cb",
    second: "com.example.second:/cb",
  };
  const clients = Object.entries(uris).map(([id, uri]) => at(id, uri));
  await inOpenId({ clients }, async (world) => {
    const subOf = async (id: keyof typeof uris) => {
      const redirect_uri = uris[id];
      const browser = createBrowser(world);
      const page = await agree(browser, await ask(world, browser, { client_id: id, redirect_uri }), "alice");
      const form = { grant_type: "authorization_code", redirect_uri, code_verifier: verifier };
      const code = answerOf(page).get("code")!;
      const tokens = await (await world.post("/oauth2/token", { ...form, code }, secretOf(id))).json();
      return (await claimsOf(world, tokens, id)).sub;
    };
    const [web, port, first, second] = [
      await subOf("web"),
      await subOf("port"),
      await subOf("first"),
      await subOf("second"),
    ];
    assertEquals([port, new Set([web, first, second]).size], [web, 3]);
  });
});

test("subject: a pairwise subject survives a restart on the same store, and differs with another store", async () => {
  const store = memoryStore();
  const subs: (string | undefined)[] = [];
  for (const options of [{ store }, { store }, {}]) {
    await inOpenIdWithOwnKeys({ clients, ...options }, async (world, browser) => {
      subs.push(decodeJwt((await signIn(world, browser, "alice")).id_token).sub);
    });
  }
  assertEquals(subs[0], subs[1]);
  assert(subs[2] !== subs[0], "another server's secret makes other subjects");
});

test("subject: of two processes that begin together, both take the secret that was stored first (Core §8.1)", async () => {
  const memory = memoryStore();
  const name = "pairwise_secret";
  const stored = { secret: "the secret of another process" };
  const store: Store = {
    ...memory,
    async put(kind, id, value, terms) {
      if (kind.name === name) await memory.put({ name }, id, stored, { ...terms, if: null });
      return await memory.put(kind, id, value, terms);
    },
  };
  const subjects: unknown[] = [];
  for (const each of [store, memory]) {
    await inOpenId({ clients, store: each }, async (world, browser) => {
      subjects.push((await claimsOf(world, await signIn(world, browser, "alice"))).sub);
    });
  }
  assertEquals(subjects[0], subjects[1]);
  assertEquals((await memory.get({ name }, "pairwise", 0))?.value, stored);
});

test("subject: the claims parameter and the hint use the pairwise subject (OpenID Connect Core §3.1.2.1, §5.5)", () =>
  inOpenId({ clients }, async (world, browser) => {
    const tokens = await signIn(world, browser, "alice");
    const { sub } = await claimsOf(world, tokens);
    const requests = [
      [{ claims: JSON.stringify({ id_token: { sub: { value: sub } } }) }, true],
      [{ claims: JSON.stringify({ id_token: { sub: { value: "subject-of-a" } } }) }, false],
      [{ id_token_hint: tokens.id_token }, true],
    ] as const;
    for (const [params, isHer] of requests) {
      const answer = answerOf(await ask(world, browser, { prompt: "none", ...params }));
      assertEquals(answer.get("error"), isHer ? null : "login_required", JSON.stringify(params));
    }
  }));

test("subject: at an automatic sign-in, a hint or a claim with a pairwise subject chooses each person (OpenID Connect Core §5.5.1)", () =>
  inOpenId({ clients, login: "auto" }, async (world, browser) => {
    const subjects: string[] = [];
    for (const username of ["alice", "bob", "carol"]) {
      const { id_token } = await tokensOf(world, await ask(world, browser, { login_hint: username }));
      const { sub = "" } = decodeJwt(id_token);
      const claims = JSON.stringify({ id_token: { sub: { value: sub } } });
      for (const params of [{ id_token_hint: id_token }, { claims }]) {
        const again = await tokensOf(world, await ask(world, browser, params));
        assertEquals(decodeJwt(again.id_token).sub, sub, username);
      }
      subjects.push(sub);
    }
    assertEquals(new Set(subjects).size, 3);
  }));
