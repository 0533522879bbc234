/**
 * Two servers on one store, whose clocks differ by S = 60 seconds, by 2S, and by more: within S nothing right is refused,
 * with 2S nothing is accepted twice, and beyond it a refusal says that a clock may be wrong.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { ServerOptions, Store } from "../../src/mod.ts";
import { sweepDelay } from "../../src/server/store/store.ts";
import { answer, begin, deviceGrantType, poll } from "../server/features/device_login.ts";
import { register, registrationDefaults, send } from "../server/features/registration.ts";
import { openConsentForm, openSignInForm, openSignOutForm } from "../races/forms.ts";
import { test } from "../runner.ts";
import { createSignal } from "../signal.ts";
import { askAs, assertingClients, assertion } from "../server/tokens/assertions.ts";
import {
  headerOf,
  isActive,
  opensUserinfo,
  readTokens,
  refresh,
  revoke,
  tokensOf,
} from "../server/tokens/bearer.ts";
import { boundTokens, callUserinfo, createProofKey, proof, signProof } from "../server/tokens/dpop.ts";
import { createKeySource } from "../server/tokens/key_world.ts";
import {
  forPeople,
  forWorkloads,
  grantClients,
  personJwt,
  present,
  workloadJwt,
} from "../server/tokens/jwt_grants.ts";
import { type TwoServers, withTwoServers } from "../two_servers.ts";
import {
  basic,
  callbackParams,
  challenge,
  createBrowser,
  redirectUri,
  sampleKey,
  type World,
  type WorldOptions,
} from "../world.ts";

const wideDifferences = [120, -120];

// A client with each way to authenticate that the tests need.
const clients = [
  ...assertingClients,
  { client_id: "post", client_secret: "post-secret", redirect_uris: [redirectUri] },
  { client_id: "tv", grant_types: [deviceGrantType] },
  ...grantClients.filter(({ client_id }) => client_id === "agent"),
];
const trust = [forPeople, { ...forWorkloads, once: true }];
const options = { clients, trust };

const proofKey = await createProofKey();

async function succeeds(asked: Promise<Response>): Promise<boolean> {
  const response = await asked;
  await response.body?.cancel();
  assert(response.status < 500, `${response.status}`);
  return response.status < 300;
}

/** Whether the client gets a code. */
async function getsCode(asked: Promise<Response>): Promise<boolean> {
  const response = await asked;
  await response.body?.cancel();
  return response.status === 303 && response.headers.get("location")!.includes("code=");
}

function push(world: World): Promise<Response> {
  return world.post("/oauth2/par", {
    response_type: "code",
    client_id: "public",
    redirect_uri: redirectUri,
    scope: "read",
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
}

const openPushed = (world: World, request_uri: string) =>
  world.get(`/oauth2/authorize?${new URLSearchParams({ client_id: "public", request_uri })}`);

/** Removes every record that has expired for one of the two clocks, as a store without the delay of an hour would. */
async function sweepHarshly(store: Store, ...worlds: readonly World[]): Promise<void> {
  for (const { clock } of worlds) await store.sweep!(10_000, clock.now + sweepDelay);
}

const every = (step: number, from: number, to: number) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_none, index) => from + step * index);

/**
 * The seconds after which a thing is used: at least each minute around its ends at both servers, because clocks that are
 * two minutes apart open a gap of that length, and then hours later.
 */
const moments = {
  ofCode: [...every(60, 0, 480), 1000, 4000, 8000],
  ofForm: [0, 600, ...every(60, 3540, 3840), 8000],
  ofToken: [...every(60, 480, 840), 8000],
};

/** Uses something at both servers at each moment, and counts how often it is accepted. */
async function countAccepted(
  { store, first, second, advance }: TwoServers,
  moments: readonly number[],
  use: (world: World) => Promise<boolean>,
): Promise<number> {
  let accepted = 0;
  for (const [index, moment] of moments.entries()) {
    advance(moment - (moments[index - 1] ?? 0));
    for (const world of [first, second]) {
      if (await use(world)) accepted++;
      await sweepHarshly(store, first, second);
    }
  }
  return accepted;
}

/** A JWT that ends while the test moves the clocks in small steps. */
const briefly = ({ clock }: World) => ({ claims: { exp: clock.now + 90 } });

/** Things that are accepted once. Each returns what uses the thing at a server. */
const onceOnly: Readonly<
  Record<string, (servers: TwoServers) => Promise<(world: World) => Promise<boolean>>>
> = {
  async "a code (OAuth 2.1 §4.1.3)"({ first }) {
    const code = await first.code();
    return (world) => succeeds(world.redeem(code));
  },
  async "a refresh token (OAuth 2.1 §4.3.1)"({ first }) {
    const { refresh_token } = await tokensOf(first);
    return (world) => succeeds(refresh(world, refresh_token));
  },
  async "a client assertion (OpenID Connect Core §9)"({ first }) {
    const text = await assertion(first, { claims: { exp: first.clock.now + 90 } });
    return (world) => succeeds(askAs(world, text));
  },
  async "a DPoP proof (RFC 9449 §11.1)"({ first }) {
    const { access_token: accessToken } = await boundTokens(proofKey, first);
    const use = { method: "GET", url: `${first.issuer}/userinfo`, accessToken };
    const headers = {
      authorization: `DPoP ${accessToken}`,
      ...await proof(proofKey, first, { ...use, claims: { iat: first.clock.now + 30 } }),
    };
    return (world) => succeeds(world.get("/userinfo", headers));
  },
  async "a JWT about a person (RFC 7523 §3)"({ first }) {
    const jwt = await personJwt(first, briefly(first));
    return (world) => succeeds(present(world, jwt));
  },
  async "a JWT about a workload whose entry has once (RFC 7523 §3)"({ first }) {
    const jwt = await workloadJwt(first, briefly(first));
    return (world) => succeeds(present(world, jwt));
  },
  async "a pushed request (RFC 9126 §4)"({ first }) {
    const { request_uri } = await (await push(first)).json();
    return (world) => getsCode(openPushed(world, request_uri));
  },
  async "a device code (RFC 8628 §3.5)"({ first }) {
    const codes = await begin(first);
    await answer(first, codes);
    return (world) => succeeds(poll(world, codes));
  },
};

for (const [thing, prepare] of Object.entries(onceOnly)) {
  for (const difference of wideDifferences) {
    test(`two clocks: ${thing} is accepted once, with clocks ${difference} s apart`, () =>
      withTwoServers({ ...options, difference }, async (servers) => {
        assertEquals(await countAccepted(servers, moments.ofCode, await prepare(servers)), 1);
      }));
  }
  test(`two clocks: ${thing} is accepted once, with a clock that steps back and forth`, () =>
    withTwoServers({ ...options, difference: 120 }, async (servers) => {
      const use = await prepare(servers);
      const accepted = await countAccepted(servers, moments.ofCode, async (world) => {
        servers.difference = -servers.difference;
        return await use(world);
      });
      assertEquals(accepted, 1);
    }));
}

for (const difference of wideDifferences) {
  const apart = `with clocks ${difference} s apart`;

  test(`two clocks: the form of a request is answered once, ${apart}`, async () => {
    for (const decision of ["approve", "deny"]) {
      await withTwoServers(
        { ...options, login: "picker", lifetimes: { code: 1 }, difference },
        async (servers) => {
          const form = await openConsentForm(servers.second, { prompt: "consent" });
          const answer = await form.send(servers.first, { decision });
          assertEquals(callbackParams(answer).has("code"), decision === "approve");
          const use = (world: World) => getsCode(form.send(world, { decision: "approve" }));
          assertEquals(await countAccepted(servers, moments.ofForm, use), 0);
        },
      );
    }
  });

  test(`two clocks: a registration access token that was replaced is not accepted, ${apart} (RFC 7592 §2.2)`, () =>
    withTwoServers({ difference }, async ({ first, second }) => {
      const { body } = await register(first, { redirect_uris: ["http://127.0.0.1:4000/cb"] });
      const update = (world: World) =>
        send(world, "PUT", `${body["registration_client_uri"]}`, {
          token: `${body["registration_access_token"]}`,
          body: { client_id: body["client_id"], redirect_uris: ["http://127.0.0.1:4000/cb"] },
        });
      assertEquals([(await update(first)).status, (await update(second)).status], [200, 401]);
    }, registrationDefaults));

  for (const accessTokens of ["jwt", "opaque"] as const) {
    test(`two clocks: a revoked token (${accessTokens}) stays revoked, ${apart} (RFC 7009 §2.1)`, async () => {
      // The last one revokes when the token has expired for one server, and is valid for the other one.
      for (const elapsed of [0, 550]) {
        await withTwoServers(
          { ...options, accessTokens, lifetimes: { accessToken: 600 }, difference },
          async (servers) => {
            const { first, second, advance } = servers;
            const { access_token } = await tokensOf(first, { scope: "openid" });
            advance(elapsed);
            const [ahead, behind] = difference > 0 ? [second, first] : [first, second];
            assertEquals((await revoke(ahead, access_token)).status, 200);
            assertEquals(await opensUserinfo(behind, access_token), false);
            const use = (world: World) => opensUserinfo(world, access_token);
            assertEquals(await countAccepted(servers, moments.ofToken, use), 0);
          },
        );
      }
    });
  }

  test(`two clocks: a deleted client stays deleted, ${apart} (RFC 7592 §2.3)`, () =>
    withTwoServers({ difference }, async ({ first, second, store }) => {
      const { body } = await register(first, { redirect_uris: ["http://127.0.0.1:4000/cb"] });
      const act = (world: World, method: string) =>
        send(world, method, `${body["registration_client_uri"]}`, {
          token: `${body["registration_access_token"]}`,
        });
      // As if the server had ended between the two writes of a deletion.
      const { delete: remove } = store;
      store.delete = () => Promise.resolve();
      assertEquals((await act(second, "DELETE")).status, 204);
      store.delete = remove;
      assertEquals([(await act(first, "GET")).status, (await act(second, "GET")).status], [401, 401]);
    }, registrationDefaults));
}

test("two clocks: guesses count at both servers, with clocks 120 s apart (OAuth 2.1 §2.4.1)", () =>
  withTwoServers({ ...options, difference: 120 }, async ({ first, second, both }) => {
    const attempt = (world: World, secret: string) =>
      world.post("/oauth2/token", { grant_type: "client_credentials" }, basic("post", secret));
    let tried = 0;
    while (tried < 200 && (await attempt(both, `guess ${tried}`)).status !== 429) tried++;
    // The server whose clock is ahead may begin a period of its own once.
    assert(tried <= 40, `${tried} guesses`);
    const statuses = [await attempt(first, "post-secret"), await attempt(second, "post-secret")]
      .map(({ status }) => status);
    assertEquals(statuses, [429, 429]);
  }));

test("two clocks: prompt=login and max_age ask once, with clocks 120 s apart (OpenID Connect Core §3.1.2.1)", async () => {
  for (const asked of [{ prompt: "login" }, { max_age: "1" }, { max_age: "0" }]) {
    await withTwoServers({ ...options, login: "picker", difference: 120 }, async ({ both, advance }) => {
      for (let round = 0; round < 3; round++) {
        const browser = createBrowser(both);
        const consent = await browser.submit(await browser.open(both.authorizeUrl()), { person: "alice" });
        if (consent.leftFor === undefined) await browser.submit(consent, { decision: "approve" });
        advance(2);
        let page = await browser.open(both.authorizeUrl({ ...asked, scope: "openid" }));
        let signIns = 0;
        for (let steps = 0; page.leftFor === undefined; steps++) {
          assert(steps < 4, page.url);
          const isSignIn = page.html.includes('name="person"');
          if (isSignIn) signIns++;
          page = await browser.submit(page, isSignIn ? { person: "alice" } : { decision: "approve" });
        }
        assertMatch(page.leftFor, /code=/);
        // A server whose clock is behind takes the sign-in for a later one, but it never ignores prompt=login.
        assert(signIns === 1 || signIns === 0 && "max_age" in asked, `${signIns} sign-ins`);
      }
    });
  }
});

// As short as these lifetimes are, another server must not see their end at once.
const lifetimes = {
  code: 20,
  deviceCode: 20,
  pushedRequest: 20,
  session: 20,
  refreshIdle: 20,
  refreshGrace: 20,
  clientSecret: 20,
};

/** What one server begins and the other one continues. */
interface Passed extends Pick<TwoServers, "store" | "first" | "second" | "advance"> {
  readonly one: World;
  readonly other: World;
}

interface ValidAtBoth {
  readonly options?: WorldOptions;
  readonly defaults?: ServerOptions;
  readonly use: (passed: Passed) => Promise<void>;
}

const valid: Readonly<Record<string, ValidAtBoth>> = {
  "a code, a refresh token, its grace and tokens are valid at both servers": {
    options: { lifetimes },
    async use({ one, other, advance }) {
      const code = await one.code({ scope: "openid" });
      advance(19);
      const response = await other.redeem(code);
      const { access_token, refresh_token } = await response.json();
      assertEquals(response.status, 200, other.lastRefusal()?.reason);
      assert(await opensUserinfo(one, access_token));
      advance(19);
      const answers = new Set();
      // The last two are in the grace of the first one.
      for (const world of [one, other, one]) {
        const refreshed = await refresh(world, refresh_token);
        assertEquals(refreshed.status, 200, world.lastRefusal()?.reason);
        answers.add((await refreshed.json()).refresh_token);
        advance(9);
      }
      assertEquals(answers.size, 1);
    },
  },
  "a refresh token is active at both servers (RFC 7662 §2.2)": {
    options: {
      clients: [{ client_id: "app", client_secret: "app-secret", redirect_uris: [redirectUri] }],
      lifetimes,
    },
    async use({ one, other, advance }) {
      const asApp = basic("app", "app-secret");
      const code = await one.code({ client_id: "app" });
      const { refresh_token } = await readTokens(await one.redeem(code, { client_id: undefined }, asApp));
      advance(19);
      for (const world of [one, other]) assert(await isActive(world, refresh_token, asApp));
    },
  },
  "a login that one server refreshes for more than an hour is valid at the other (OAuth 2.1 §4.3.3)": {
    // The access tokens are short as well, because the record of a login lives as long as its tokens.
    options: { accessTokens: "opaque", lifetimes: { ...lifetimes, accessToken: 20 } },
    async use({ store, first, second, one, other, advance }) {
      let { refresh_token } = await tokensOf(one);
      // Until then, the record of the login stays because of its code.
      for (let elapsed = 0; elapsed < 3700; elapsed += 19) {
        advance(19);
        ({ refresh_token } = await readTokens(await refresh(one, refresh_token)));
      }
      await sweepHarshly(store, first, second);
      advance(19);
      assertEquals((await refresh(other, refresh_token)).status, 200, other.lastRefusal()?.reason);
    },
  },
  "a use of a refresh token that stays the same counts at both servers (OAuth 2.1 §4.3.3)": {
    options: {
      clients: [{ client_id: "app", client_secret: "app-secret", redirect_uris: [redirectUri] }],
      rotateRefreshTokens: false,
      lifetimes: { refreshIdle: 100 },
    },
    async use({ one, other, advance }) {
      const asApp = basic("app", "app-secret");
      const { refresh_token } = await tokensOf(one, { client_id: "app" }, asApp);
      // The clock that is behind shows the same second then as the other one did before.
      for (const [seconds, world] of [[60, other], [99, one]] as const) {
        advance(seconds);
        const response = await refresh(world, refresh_token, {}, asApp);
        assertEquals(response.status, 200, world.lastRefusal()?.reason);
      }
    },
  },
  "a pushed request and a session are valid at both servers": {
    options: { lifetimes, login: "picker" },
    async use({ one, other, advance }) {
      const { request_uri } = await (await push(one)).json();
      advance(19);
      assertEquals((await openPushed(other, request_uri)).status, 200, other.lastRefusal()?.reason);
      const consent = await openConsentForm(one, { prompt: "consent" });
      advance(19);
      assert(await getsCode(consent.send(other, { decision: "approve" })), other.lastRefusal()?.reason);
    },
  },
  "a device login goes on at both servers": {
    options: { lifetimes, login: "picker" },
    async use({ one, other, advance }) {
      const codes = await begin(one);
      for (const world of [one, other, one]) {
        await (await poll(world, codes)).body?.cancel();
        assertEquals(world.lastRefusal()?.reason, "device_login_pending");
        advance(5);
      }
      advance(4);
      assertEquals((await answer(other, codes)).status, 200, other.lastRefusal()?.reason);
      assert(await succeeds(poll(other, codes)), other.lastRefusal()?.reason);
    },
  },
  "a form is accepted for an hour at both servers": {
    options: { login: "picker" },
    async use({ one, other, advance }) {
      const form = await openSignInForm(one);
      const leaving = await openSignOutForm(one);
      advance(3599);
      assertEquals((await form.send(other, { person: "alice" })).status, 303, other.lastRefusal()?.reason);
      const left = await leaving.send(other, { decision: "sign_out" });
      assertEquals(left.status, 200, other.lastRefusal()?.reason);
    },
  },
  "a client's secret is accepted until its end at both servers (RFC 7591 §3.2.1)": {
    options: { lifetimes },
    defaults: registrationDefaults,
    async use({ one, other, advance }) {
      const { body } = await register(one, {
        redirect_uris: ["http://127.0.0.1:4000/cb"],
        token_endpoint_auth_method: "client_secret_basic",
      });
      advance(19);
      const credentials = basic(`${body["client_id"]}`, `${body["client_secret"]}`);
      const response = await other.post("/oauth2/introspect", { token: "x" }, credentials);
      assertEquals(response.status, 200, other.lastRefusal()?.reason);
    },
  },
  "a DPoP proof and a nonce are valid at both servers (RFC 9449 §8)": {
    options: { dpop: { nonces: "required" } },
    async use({ one, other, advance }) {
      const challenged = await one.redeem("x", {}, await proof(proofKey, one));
      const nonce = challenged.headers.get("dpop-nonce")!;
      advance(29);
      const code = await one.code();
      const dpop = await signProof(proofKey, one, { nonce });
      assertEquals((await other.redeem(code, {}, { dpop })).status, 200, other.lastRefusal()?.reason);
    },
  },
  "a token with nbf is valid at both servers (RFC 7519 §4.1.5)": {
    options: {
      seams: { claims: ({ token, claims }) => ({ token, claims: { ...claims, nbf: claims["iat"] } }) },
    },
    async use({ one, other }) {
      const { access_token } = await tokensOf(one, { scope: "openid" });
      assert(await opensUserinfo(other, access_token), other.lastRefusal()?.received);
    },
  },
  "an assertion and a request by the client's clock are valid at both servers": {
    async use({ one, other }) {
      assert(await succeeds(askAs(other, await assertion(one))), other.lastRefusal()?.received);
      const { access_token } = await boundTokens(proofKey, one);
      const claims = { iat: one.clock.now };
      const answer = await callUserinfo(proofKey, other, access_token, { claims });
      assertEquals(answer.status, 200, other.lastRefusal()?.received);
    },
  },
};

for (const [name, { options: changed, defaults, use }] of Object.entries(valid)) {
  test(`two clocks: ${name}, with clocks 60 s apart`, () =>
    withTwoServers({ ...(defaults ? {} : options), ...changed, difference: 60 }, async (servers) => {
      const { store, first, second, advance } = servers;
      await use({ store, first, second, advance, one: first, other: second });
      await use({ store, first, second, advance, one: second, other: first });
    }, defaults));
}

for (const difference of [60, -60]) {
  const apart = `with clocks ${difference} s apart`;

  test(`two clocks: no key signs before each server has published it for a minute, ${apart} (OpenID Connect Core §10.1.1)`, () =>
    withTwoServers(
      { ...options, keySource: createKeySource(), difference },
      async ({ first, second, advance }) => {
        const worlds = [first, second];
        const kidsOf = async (world: World) => {
          const { keys } = await (await world.get("/oauth2/jwks")).json();
          return keys.map(({ kid }: { readonly kid: string }) => kid);
        };
        const kids: string[][][] = [await Promise.all(worlds.map(kidsOf))];
        const signers = new Set<unknown>();
        await second.rotateKeys();
        for (let round = 0; round < 20; round++) {
          advance(10);
          kids.push(await Promise.all(worlds.map(kidsOf)));
          // Clients may cache the JWKS for 60 seconds.
          const cached = kids[Math.max(0, kids.length - 1 - 6)]!;
          for (const world of worlds) {
            const { kid } = headerOf((await tokensOf(world)).access_token);
            signers.add(kid);
            for (const each of cached) assert(each.includes(`${kid}`), `after ${10 * (round + 1)} s`);
          }
        }
        assertEquals(signers.size, 2);
      },
      { issuer: "https://as.test", exposeDemo: true, alg: "EdDSA", login: "auto" },
    ));
}

const redirect_uri = "http://127.0.0.1:4000/cb";
const use = (world: World, client_id: string) => world.authorize({ client_id, redirect_uri });
const withoutClients = {
  issuer: "http://localhost:9000",
  alg: "ES256",
  signingKeys: [sampleKey],
  login: "auto",
} as const;

/** Stops the next write of a client. Returns what continues it. */
function stopWriting(store: Store, clientId: string) {
  const { put } = store;
  const [stopped, continued] = [createSignal(), createSignal()];
  store.put = async (kind, id, ...rest) => {
    if (kind.name === "client" && id === clientId) {
      store.put = put;
      stopped.give();
      await continued.given;
    }
    return await put(kind, id, ...rest);
  };
  return { stopped: stopped.given, goOn: continued.give };
}

test("two clocks: a first-use client with a code makes no room at a server whose clock is ahead", () =>
  withTwoServers({ difference: 120 }, async ({ first: behind, second: ahead, advance }) => {
    for (let count = 0; count < 200; count++) await use(behind, `app-${count}`);
    advance(290);
    assertEquals((await use(ahead, "one-more")).status, 503);
  }, withoutClients));

test("two clocks: a first-use client that is being written keeps its place at a server whose clock is ahead", () =>
  withTwoServers({ difference: 120 }, async ({ first: behind, second: ahead, store, advance }) => {
    const { stopped, goOn } = stopWriting(store, "app-0");
    const written = use(behind, "app-0");
    await stopped;
    for (let count = 1; count < 200; count++) await use(behind, `app-${count}`);
    advance(290);
    const { status } = await use(ahead, "one-more");
    goOn();
    assertEquals([status, callbackParams(await written).has("code")], [503, true]);
  }, withoutClients));

test("two clocks: beyond the allowed difference, a refusal says that a clock may be wrong", async () => {
  const text = /clocks? .*wrong|another clock/;
  await withTwoServers({ ...options, lifetimes, difference: 250 }, async ({ first, second }) => {
    const requireSaid = (reason: string) => {
      const { reason: found, expected, received } = second.lastRefusal()!;
      assertEquals(found, reason);
      assertMatch(`${expected} ${received}`, text);
    };
    await second.redeem(await first.code());
    requireSaid("code_expired");
    const { request_uri } = await (await push(first)).json();
    await openPushed(second, request_uri);
    requireSaid("pushed_request_expired");
    const { refresh_token } = await tokensOf(first);
    await refresh(second, refresh_token);
    requireSaid("refresh_expired");
    await askAs(second, await assertion(first));
    requireSaid("assertion_expired");
  });
  await withTwoServers({ ...options, difference: -400 }, async ({ first, second }) => {
    await askAs(second, await assertion(first));
    assertMatch(`${second.lastRefusal()?.expected}`, text);
    const code = await first.code();
    await second.redeem(code, {}, await proof(proofKey, first));
    assertEquals(second.lastRefusal()?.reason, "dpop_time");
    assertMatch(`${second.lastRefusal()?.expected}`, /now at the server/);
  });
  await withTwoServers({ ...options, login: "picker", difference: 4000 }, async ({ first, second }) => {
    const form = await openSignInForm(first);
    await form.send(second, { person: "alice" });
    assertEquals(second.lastRefusal()?.reason, "form_too_old");
    assertMatch(`${second.lastRefusal()?.received}`, text);
  });
});
