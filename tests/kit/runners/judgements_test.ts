/** What the matchers and the assertions of test runners judge, and what their messages say. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { createMock, type Mock } from "../../../src/kit/mod.ts";
import {
  explainJudgement,
  judgePkce,
  judgeRecipient,
  judgeRefresh,
  type RecipientTerms,
} from "../../../src/kit/runners/judgements.ts";
import { matchers } from "../../../src/kit/runners/matchers.ts";
import { authorizeUrl } from "../mock/authorize_url.ts";
import { test } from "../../runner.ts";
import { challengeOf, verifier } from "../../world.ts";

const redirectUri = "https://app.test/callback";

/** Logs in as a client that does not use PKCE (OpenID Connect Core §3.1). */
async function loginWithoutPkce(as: Mock): Promise<void> {
  const query = {
    response_type: "code",
    client_id: "old",
    redirect_uri: redirectUri,
    scope: "openid",
    nonce: "n",
  };
  const callback = await as.authorize(`${as.issuer}/oauth2/authorize?${new URLSearchParams(query)}`);
  const answer = await as.fetch(`${as.issuer}/oauth2/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code: callback.searchParams.get("code") ?? "",
      redirect_uri: redirectUri,
    }),
    headers: { authorization: `Basic ${btoa("old:secret")}` },
  });
  assertEquals(answer.status, 200);
}

const clients = [
  { client_id: "old", client_secret: "secret", redirect_uris: [redirectUri], require_pkce: false },
  { client_id: "app", redirect_uris: [redirectUri] },
];

test("judgements: a client has used PKCE if it redeemed a code, and each with PKCE (RFC 7636)", async () => {
  await using as = await createMock({ clients });
  const judge = (client?: string) => judgePkce(as, client === undefined ? {} : { client }).passed;
  assertEquals(judge(), false);
  await as.login("bob", { client: "app" });
  assertEquals(judge(), true);
  await loginWithoutPkce(as);
  assertEquals([judge(), judge("app"), judge("old")], [false, true, false]);
});

test("judgements: the message about PKCE has what was expected, and each request", async () => {
  await using as = await createMock({ clients });
  assertEquals(
    explainJudgement(judgePkce(as), false),
    `Expected the client to have used PKCE
expected  each code is redeemed with PKCE S256, and with a code_verifier of its own
received  no request that redeems a code`,
  );
  await as.login("bob", { client: "app", scope: "openid" });
  await loginWithoutPkce(as);
  const { message } = matchers.toHaveUsedPkce(as);
  assertEquals(
    message(),
    `Expected the client to have used PKCE
expected  each code is redeemed with PKCE S256, and with a code_verifier of its own
received  POST /oauth2/token (authorization_code, no client auth, PKCE S256, scope openid) → 200 as bob
          POST /oauth2/token (authorization_code, client_secret_basic, no PKCE, scope openid) → 200 as alice`,
  );
  const passed = matchers.toHaveUsedPkce(as, { client: "app", person: "bob" });
  assertEquals(passed.pass, true);
  assertEquals(
    passed.message(),
    `Expected the client app with bob not to have used PKCE
expected  not: each code is redeemed with PKCE S256, and with a code_verifier of its own
received  POST /oauth2/token (authorization_code, no client auth, PKCE S256, scope openid) → 200 as bob`,
  );
});

test("judgements: a client that redeems two codes with one verifier has not used PKCE (RFC 7636 §4.1)", async () => {
  await using as = await createMock({ clients });
  const redeem = async (codeVerifier: string) => {
    const url = authorizeUrl(as.issuer, { code_challenge: challengeOf(codeVerifier) });
    const code = (await as.authorize(url)).searchParams.get("code") ?? "";
    const send = () =>
      as.fetch(`${as.issuer}/oauth2/token`, {
        method: "POST",
        body: new URLSearchParams({
          ...{ grant_type: "authorization_code", code, redirect_uri: redirectUri },
          ...{ client_id: "app", code_verifier: codeVerifier },
        }),
      });
    assertEquals((await send()).status, 200);
    return send;
  };
  const other = "another-verifier-of-the-same-client-0123456789";
  const retry = await redeem(verifier);
  await redeem(other);
  // A retry belongs to its login.
  assertEquals((await retry()).status, 400);
  assertEquals(judgePkce(as).passed, true);
  await redeem(other);
  const judgement = judgePkce(as);
  assertEquals(
    [judgement.passed, judgement.received.at(-1)],
    [false, "2 of these requests have the code_verifier of another one"],
  );
});

test("judgements: a client has refreshed once if one refresh request succeeded, and there was no other", async () => {
  await using as = await createMock();
  const judge = () => judgeRefresh(as).passed;
  const tokens = await as.login("bob");
  assertEquals(judge(), false);
  {
    using _failing = as.fail("token", { status: 503, count: 1 });
    await as.refresh(tokens).catch(() => {});
  }
  assertEquals(judge(), false);
  await as.refresh(tokens);
  assertEquals(judge(), true);
  await as.refresh(tokens).catch(() => {});
  assertEquals(judge(), false);
  assertEquals(matchers.toHaveRefreshedOnce(as, { person: "alice" }).pass, false);
  as.reset();
  const revoked = await as.login("bob");
  await as.revoke(revoked);
  await as.refresh(revoked).catch(() => {});
  assertEquals(judge(), false);
});

const api = "https://api.test";

for (const accessTokens of ["jwt", "opaque"] as const) {
  test(`judgements: a token, ${accessTokens}, is for its client, its person and its audience`, async () => {
    await using as = await createMock({ resources: [api], accessTokens });
    const { access_token: token, refresh_token = "", id_token = "" } = await as.login("bob", {
      resource: api,
    });
    const passes = (text: string, terms: { client?: string; person?: string; audience?: string }) =>
      judgeRecipient(text, { by: as, ...terms }).passed;
    assert(passes(token, { client: "app", person: "bob", audience: api }));
    assert(passes(refresh_token, { client: "app", person: "bob" }));
    assert(passes(id_token, { client: "app", person: "bob", audience: "app" }));
    assert(!passes(token, { client: "web" }));
    assert(!passes(token, { person: "alice" }));
    assert(!passes(token, { audience: "app" }));
    const answer = await as.fetch(`${as.issuer}/oauth2/token`, {
      method: "POST",
      body: new URLSearchParams({ grant_type: "client_credentials", resource: api }),
      headers: { authorization: `Basic ${btoa("app-confidential:app-secret")}` },
    });
    const { access_token: ofNoPerson } = await answer.json();
    assert(passes(ofNoPerson, { client: "app-confidential", audience: api }));
    assert(!passes(ofNoPerson, { person: "bob" }));
  });
}

test("judgements: the message about a recipient has all that the token is for", async () => {
  await using as = await createMock();
  const messageOf = (token: string, terms: Omit<RecipientTerms, "by">) =>
    explainJudgement(judgeRecipient(token, { by: as, ...terms }), false).split("\n").slice(1);
  const tokens = await as.login("bob", { resource: [api, "https://files.test"] });
  assertEquals(messageOf(tokens.access_token, { client: "web", username: "alice", audience: "web" }), [
    "expected  client web, person alice, audience web",
    `received  client app, person bob, audience ${api} https://files.test`,
  ]);
  assertEquals(messageOf(tokens.refresh_token!, {}), [
    "expected  a token of this server",
    `received  client app, person bob, audience ${api} https://files.test`,
  ]);
});

test("judgements: a message names the client, the person and the flow that are judged", async () => {
  await using as = await createMock();
  const scope = { client: "app", username: "bob", flow: "flow-1" };
  assertEquals(
    explainJudgement(judgeRefresh(as, scope), false).split("\n")[0],
    "Expected the client app with bob in the flow flow-1 to have refreshed once",
  );
});

test("judgements: a token of another server is for no recipient of this one", async () => {
  await using as = await createMock();
  const acme = as.tenant("acme");
  const { access_token: token } = await acme.login("bob");
  assertEquals(judgeRecipient(token, { by: acme }).passed, true);
  const { pass, message } = matchers.toBeIssuedFor(token, { by: as, person: "bob" });
  assertEquals(pass, false);
  assertEquals(
    message(),
    `Expected the token to be for this recipient
expected  person bob
received  a token that is in no response of this server since its start or its reset`,
  );
});

test("judgements: what is no mock, no token or no term is refused", async () => {
  await using as = await createMock();
  const refusals: readonly (readonly [judge: () => unknown, message: string])[] = [
    [() => judgePkce({}), "Cannot judge this: expected the mock, or a tenant of it, as in expect(as)"],
    [
      () => judgeRecipient({}, { by: as }),
      "Cannot judge for whom a token is: expected its text, as in tokens.access_token",
    ],
    [
      () => judgeRecipient("text", { by: undefined as unknown as Mock }),
      "Cannot judge this: expected the mock, or a tenant of it, as in expect(as)",
    ],
    [
      () => judgeRecipient("text", { by: as, user: "bob" } as { by: Mock }),
      "Cannot judge for whom a token is: user is not known: did you mean username?",
    ],
  ];
  for (const [judge, message] of refusals) {
    assertEquals(assertThrows(judge, TypeError).message, message);
  }
});
