/** Tokens of a look-alike that come back: each call of the kit, and each address of the look-alike, takes its ID tokens. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { decodeJwt, type JWTPayload } from "jose";
import { lookAlikes } from "../../../../src/kit/faults/look_alikes/look_alikes.ts";
import { providers } from "../../../../src/kit/faults/look_alikes/providers.ts";
import { createMock, type LookAlikeName, lookAlikeNames, type Mock } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";

const redirect_uri = "http://localhost:3000/callback";
const client_id = "com.example.shop";

const loginParams = {
  client_id,
  redirect_uri,
  response_type: "code",
  scope: "openid",
  // BASE64URL(SHA-256(code_verifier)), RFC 7636 §4.2.
  code_challenge: "7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM",
  code_challenge_method: "S256",
};

interface Tokens {
  readonly access_token: string;
  readonly id_token?: string;
  readonly refresh_token?: string;
}

const endpointsOf = (name: LookAlikeName) => lookAlikes[name].addresses(providers[name].host).endpoints;

function findUrl(name: LookAlikeName, is: string): string | undefined {
  return endpointsOf(name).find((each) => each.is === is && each.answer === undefined)?.url;
}

async function logIn(name: LookAlikeName, as: Mock, id = client_id): Promise<Tokens> {
  const params = new URLSearchParams({ ...loginParams, client_id: id });
  const callback = await as.authorize(`${findUrl(name, "authorize")}?${params}`, { username: "alice" });
  const response = await as.fetch(findUrl(name, "token")!, {
    method: "POST",
    headers: { accept: "application/json" },
    body: new URLSearchParams({
      client_id: id,
      redirect_uri,
      grant_type: "authorization_code",
      code: callback.searchParams.get("code")!,
      code_verifier: "v".repeat(43),
    }),
  });
  return await response.json();
}

const withIdTokens = lookAlikeNames.filter((name) =>
  !["atlassian", "facebook", "github", "slack"].includes(name)
);

const nowOf = (as: Mock) => as.clock.date.getTime() / 1000;

for (const name of withIdTokens) {
  test(`look-alike ${name}: its tokens expire, alone and in a token response, also after a rotation of the keys`, async () => {
    await using as = await createMock();
    as.tenant("other").lookLike(name === "google" ? "okta" : "google");
    as.lookLike(name);
    const before = await logIn(name, as);
    await as.rotateKeys({ atOnce: false });
    const after = await logIn(name, as);
    for (const { id_token, ...others } of [before, after]) {
      const expired = await as.expire({ ...others, id_token });
      assertEquals(Object.keys(expired).toSorted(), [...Object.keys(others), "id_token"].toSorted());
      const ids = [expired.id_token!, await as.expire(id_token!)];
      for (const { exp, iss } of ids.map((text) => decodeJwt(text))) {
        assert(exp! < nowOf(as));
        assertEquals(iss, decodeJwt(id_token!).iss);
      }
    }
  });

  const hintUrls = [
    ...endpointsOf(name).filter(({ is }) => is === "logout").map(({ url }) => url),
    // The page of Discord names no id_token_hint, and the `sub` of its ID tokens is another one.
    ...(name === "discord" ? [] : [findUrl(name, "authorize")!]),
  ];
  if (hintUrls.length === 0) continue;
  test(`look-alike ${name}: each address that reads an id_token_hint takes its ID token`, async () => {
    for (const url of hintUrls) {
      await using as = await createMock({ lookLike: name });
      const { id_token } = await logIn(name, as);
      const query = new URLSearchParams({ ...loginParams, id_token_hint: id_token! });
      const answer = await as.fetch(`${url}?${query}`, { redirect: "manual" });
      await answer.body?.cancel();
      assert([200, 302, 303].includes(answer.status), `${url}: ${answer.status}`);
      assertEquals(as.requests.at(-1)?.refusal?.reason, undefined, url);
    }
  });
}

test("look-alikes with prefixes: of several that are on, the token of each expires, and keeps its prefix", async () => {
  await using as = await createMock();
  const rows = [
    ["github", "gho_", "https://api.github.com/user"],
    ["slack_openid", "xoxp-", "https://slack.com/api/openid.connect.userInfo"],
  ] as const;
  for (const [name] of rows) as.lookLike(name, { client: `com.example.${name}` });
  for (const [name, prefix, who] of rows) {
    const { access_token: token } = await logIn(name, as, `com.example.${name}`);
    const expired = await as.expire(token);
    const ask = async (text: string) => {
      const answer = await as.fetch(who, { headers: { authorization: `Bearer ${text}` } });
      return (await answer.json()).error ?? answer.status;
    };
    assertEquals([token.startsWith(prefix), expired.startsWith(prefix)], [true, true], name);
    // Tools find the tokens of GitHub by this form.
    if (name === "github") assertMatch(token, /^gh[osu]_\w{36,251}$/);
    assertEquals(await ask(expired), name === "github" ? 401 : "token_expired");
  }
});

const ofMachines: Readonly<
  Partial<Record<LookAlikeName, readonly [token: string, more: Readonly<Record<string, string>>]>>
> = {
  auth0: ["https://shop.eu.auth0.com/oauth/token", { audience: "the orders/API" }],
  cognito: ["https://shop.auth.eu-central-1.amazoncognito.com/oauth2/token", {}],
  entra: ["https://login.microsoftonline.com/common/oauth2/v2.0/token", { scope: "api://orders/.default" }],
  keycloak: ["https://sso.example.com/realms/shop/protocol/openid-connect/token", {}],
  okta: ["https://shop.okta.com/oauth2/default/v1/token", { scope: "orders" }],
};

for (const [name, [url, more]] of Object.entries(ofMachines)) {
  test(`look-alike ${name}: the token of a client alone expires, and only its times change`, async () => {
    const client = { client_id: "worker", client_secret: "the secret of the worker" };
    await using as = await createMock({
      lookLike: name as LookAlikeName,
      clients: [{ ...client, grant_types: ["client_credentials"] }],
    });
    const body = new URLSearchParams({ grant_type: "client_credentials", ...client, ...more });
    const { access_token } = await (await as.fetch(url, { method: "POST", body })).json();
    const [before, after] = [access_token, await as.expire(access_token)].map((jwt) => decodeJwt(jwt));
    const withoutTimes = (claims: JWTPayload) =>
      Object.entries(claims).filter(([each]) => !["auth_time", "exp", "iat", "nbf"].includes(each));
    assertEquals(withoutTimes(after!), withoutTimes(before!));
    assert(after!.exp! < before!.exp! - 3600);
    if (name === "auth0") assertEquals(after!.aud, more["audience"]);
  });
}
