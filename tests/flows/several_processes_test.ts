/** A flow whose requests go to two servers on one store in turn, also while keys rotate and servers restart. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { memoryStore } from "../../src/mod.ts";
import { watchStore } from "../races/watched_store.ts";
import { test } from "../runner.ts";
import {
  isActive,
  opensUserinfo,
  readTokens,
  refresh,
  revoke,
  type Tokens,
} from "../server/tokens/bearer.ts";
import { callUserinfo, createProofKey, signProof } from "../server/tokens/dpop.ts";
import { createKeySource } from "../server/tokens/key_world.ts";
import { type TwoServers, withTwoServers } from "../two_servers.ts";
import { basic, challenge, createBrowser, redirectUri, type World, type WorldOptions } from "../world.ts";

const clients = [
  { client_id: "public", redirect_uris: [redirectUri], post_logout_redirect_uris: ["https://app.example/"] },
  { client_id: "basic", client_secret: "basic-secret", redirect_uris: [redirectUri] },
];

/** The servers make and store their keys. */
const options: WorldOptions = { clients, login: "picker", keySource: createKeySource() };
const defaults = { issuer: "https://as.test", exposeDemo: true, alg: "EdDSA" } as const;

const proofKey = await createProofKey();
const nothing = () => Promise.resolve();

/** Signs alice in with a pushed request and a DPoP key. `between` runs between two requests. */
async function logIn(
  world: World,
  between: () => Promise<void>,
): Promise<{ readonly tokens: Tokens; readonly browser: ReturnType<typeof createBrowser> }> {
  const pushed = await world.post("/oauth2/par", {
    response_type: "code",
    client_id: "public",
    redirect_uri: redirectUri,
    scope: "openid",
    prompt: "login consent",
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
  const { request_uri } = await pushed.json();
  await between();
  const browser = createBrowser(world);
  const query = new URLSearchParams({ client_id: "public", request_uri });
  const signIn = await browser.open(`/oauth2/authorize?${query}`);
  await between();
  const consent = await browser.submit(signIn, { person: "alice" });
  await between();
  const reloaded = await browser.open(consent.url);
  await between();
  const { leftFor } = await browser.submit(reloaded, { decision: "approve" });
  const code = new URL(leftFor!).searchParams.get("code")!;
  await between();
  const challenged = await world.redeem(code, {}, { dpop: await signProof(proofKey, world) });
  assertEquals((await challenged.json()).error, "use_dpop_nonce");
  await between();
  const nonce = challenged.headers.get("dpop-nonce")!;
  const proof = { dpop: await signProof(proofKey, world, { nonce }) };
  return { tokens: await readTokens(await world.redeem(code, {}, proof)), browser };
}

/** Everything that a client does with its tokens, until the person signs out. */
async function useTokens(world: World, first: Tokens, between: () => Promise<void>): Promise<Tokens> {
  const challenged = await callUserinfo(proofKey, world, first.access_token);
  const nonce = challenged.headers.get("dpop-nonce")!;
  await challenged.body?.cancel();
  await between();
  const answer = await callUserinfo(proofKey, world, first.access_token, { nonce });
  assertEquals([answer.status, (await answer.json()).sub], [200, "alice"]);
  await between();
  const asApi = basic("basic", "basic-secret");
  // A client introspects its own tokens only, so the answer about this one does not change.
  assertEquals(await isActive(world, first.access_token, asApi), false);
  let tokens = first;
  for (let count = 0; count < 3; count++) {
    await between();
    const headers = { dpop: await signProof(proofKey, world, { nonce }) };
    tokens = await readTokens(await refresh(world, tokens.refresh_token, { client_id: "public" }, headers));
  }
  return tokens;
}

async function playWholeFlow(world: World, between: () => Promise<void> = nothing): Promise<void> {
  const { tokens: first, browser } = await logIn(world, between);
  await between();
  const tokens = await useTokens(world, first, between);
  await between();
  assertEquals((await revoke(world, tokens.access_token)).status, 200);
  await between();
  const query = new URLSearchParams({
    id_token_hint: tokens.id_token,
    post_logout_redirect_uri: "https://app.example/",
  });
  const asked = await browser.open(`/connect/logout?${query}`);
  await between();
  const left = asked.leftFor ?? (await browser.submit(asked, { decision: "sign_out" })).leftFor;
  assertEquals(left, "https://app.example/");
  await between();
  const headers = { dpop: await signProof(proofKey, world) };
  const ended = await refresh(world, tokens.refresh_token, { client_id: "public" }, headers);
  assertEquals(ended.status, 400);
  await ended.body?.cancel();
}

const dpop = { nonces: "required" } as const;

for (const accessTokens of ["jwt", "opaque"] as const) {
  test(`several processes: each request of a flow goes to another server, ${accessTokens}, clocks 60 s apart`, () =>
    withTwoServers({ ...options, dpop, accessTokens, difference: 60 }, async ({ both }) => {
      await playWholeFlow(both);
      // Once more, so that each request goes to the server that did not have it before.
      await both.get("/health");
      await playWholeFlow(both);
    }, defaults));
}

test("several processes: a server restarts between any two requests, and no flow is lost", () =>
  withTwoServers({ ...options, dpop }, async ({ both, restart }) => {
    await playWholeFlow(both, restart);
    await both.get("/health");
    await playWholeFlow(both, restart);
  }, defaults));

test("several processes: keys rotate between any two requests, and no flow is lost", async () => {
  for (const atOnce of [true, false]) {
    await withTwoServers({ ...options, dpop }, async ({ both, first, second, advance }) => {
      let count = 0;
      const rotate = async () => {
        await (count++ % 2 === 0 ? first : second).rotateKeys({ atOnce });
        advance(3);
      };
      await playWholeFlow(both, rotate);
    }, defaults);
  }
});

test("several processes: a token of a key that is a moment old is valid at each server (OpenID Connect Core §10.1.1)", () =>
  withTwoServers({ ...options, login: "auto" }, async ({ first, second }) => {
    const code = async (
      world: World,
    ) => (await readTokens(await world.redeem(await world.code({ scope: "openid" }))));
    // Both have read the keys.
    await Promise.all([code(first), code(second)]);
    await first.rotateKeys({ atOnce: true });
    const { access_token } = await code(first);
    assert(await opensUserinfo(second, access_token));
  }, defaults));

test("several processes: a throttle that cannot count answers 503, and lets no guess through (OAuth 2.1 §2.4.1)", async () => {
  const memory = memoryStore();
  let attempts = 0;
  const contended = watchStore(memory, async (call, perform) => {
    if (call.verb !== "put" || call.kind !== "throttle") return await perform();
    attempts++;
    return undefined as Awaited<ReturnType<typeof perform>>;
  });
  await withTwoServers({ clients, store: contended }, async ({ both }: TwoServers) => {
    const form = { grant_type: "client_credentials" };
    const response = await both.post("/oauth2/token", form, basic("basic", "guess"));
    assertEquals([response.status, (await response.json()).error], [503, "temporarily_unavailable"]);
    assertMatch(`${response.headers.get("retry-after")}`, /^\d+$/);
    assertEquals(attempts, 100);
  }, defaults);
});
