/** A program sends a username and a password, at the providers that take them, and gets tokens for the person. */

import { assertEquals } from "@std/assert";
import { decodeJwt } from "jose";
import { createMock, type LookAlikeName, type Mock } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";

const password = "the password of bob, long enough";
const guess = "a guess that is wrong";
const client = { client_id: "shop", client_secret: "the secret of the shop" };

type Texts = Readonly<Record<string, string>>;

function createShop(lookLike: LookAlikeName): Promise<Mock> {
  return createMock({
    lookLike,
    clients: [{
      ...client,
      redirect_uris: ["https://shop.test/callback"],
      grant_types: ["authorization_code", "refresh_token"],
    }],
    people: [
      { username: "alice", claims: { email: "alice@shop.test" } },
      { username: "bob", password, claims: { email: "bob@shop.test" } },
      { username: "carol", disabled: true },
      { username: "dora", secondFactor: { kind: "code", always: true } },
      { username: "eve", secondFactor: "totp" },
    ],
  });
}

async function send(as: Mock, url: string, form: Texts) {
  const body = new URLSearchParams({ grant_type: "password", scope: "openid", ...client, ...form });
  const answer = await as.fetch(url, { method: "POST", body });
  return { status: answer.status, body: await answer.json() };
}

const invalid = (description: string) => ({ error: "invalid_grant", error_description: description });

const providers: readonly (readonly [name: LookAlikeName, url: string, status: number, wrong: Texts])[] = [
  ["auth0", "https://shop.eu.auth0.com/oauth/token", 403, invalid("Wrong email or password.")],
  [
    "gitlab",
    "https://gitlab.com/oauth/token",
    400,
    invalid(
      "The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the " +
        "authorization request, or was issued to another client.",
    ),
  ],
  [
    "keycloak",
    "https://sso.example.com/realms/shop/protocol/openid-connect/token",
    401,
    invalid("Invalid user credentials"),
  ],
  [
    "okta",
    "https://shop.okta.com/oauth2/default/v1/token",
    400,
    invalid("The credentials provided were invalid."),
  ],
];

for (const [name, url, status, wrong] of providers) {
  test(`look-alike ${name}: a password gives tokens for the person, and a wrong one the provider's error`, async () => {
    await using as = await createShop(name);
    for (const username of ["bob", "bob@shop.test"]) {
      const { body } = await send(as, url, { username, password, scope: "openid offline_access" });
      assertEquals(decodeJwt(body.id_token)["amr"], ["pwd"], username);
      const { refresh_token } = body;
      assertEquals((await send(as, url, { grant_type: "refresh_token", refresh_token })).status, 200);
    }
    for (const username of ["alice", "eve"]) {
      const { body } = await send(as, url, { username, password: "any" });
      assertEquals(typeof body.access_token, "string", username);
    }
    const tries = [{ username: "bob", password: guess }, { username: "nobody", password }];
    for (const typed of tries) {
      const answer = await send(as, url, typed);
      assertEquals([answer.status, answer.body], [status, wrong], typed.username);
    }
    for (
      const [username, reason, error] of [
        ["carol", "provider_person_disabled", "invalid_grant"],
        ["dora", "provider_password_not_enough", name === "auth0" ? "mfa_required" : "invalid_grant"],
      ] as const
    ) {
      const { body } = await send(as, url, { username, password: "any" });
      assertEquals([body.error, as.requests.last?.refusal?.reason], [error, reason]);
    }
    assertEquals((await send(as, url, { username: "bob", password, client_secret: "wrong" })).status, 401);
    const own = await as.fetch(`${as.issuer}/oauth2/token`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`shop:${encodeURIComponent(client.client_secret)}`)}` },
      body: new URLSearchParams({ grant_type: "password", username: "bob", password }),
    });
    assertEquals((await own.json()).error, "unsupported_grant_type");
    const text = JSON.stringify([as.requests, as.timeline()]);
    assertEquals([text.includes(password), text.includes(guess)], [false, false]);
  });
}

test("look-alike entra: a password gives tokens for the person, and a wrong one a number", async () => {
  await using as = await createShop("entra");
  const url = "https://login.microsoftonline.com/organizations/oauth2/v2.0/token";
  assertEquals((await send(as, url, { username: "bob@shop.test", password })).body.scope, "openid");
  const { status, body } = await send(as, url, { username: "bob@shop.test", password: guess });
  assertEquals([status, body.error, body.error_codes], [400, "invalid_grant", [50126]]);
  const { body: { error_codes } } = await send(as, url, { username: "dora", password: "any" });
  assertEquals(error_codes, [50076]);
});

test("look-alike keycloak: the client admin-cli reads the people, and another one with a person does not", async () => {
  await using as = await createMock({
    lookLike: "keycloak",
    clients: ["admin-cli", "shop"].map((client_id) => ({
      ...{ client_id, redirect_uris: ["https://shop.test/callback"] },
      token_endpoint_auth_method: "none",
    })),
    people: [{ username: "alice" }],
  });
  const realm = "https://sso.example.com/realms/shop";
  for (const [client_id, status] of [["admin-cli", 200], ["shop", 403]] as const) {
    const form = { grant_type: "password", client_id, username: "alice", password: "any" };
    const body = new URLSearchParams(form);
    const answer = await as.fetch(`${realm}/protocol/openid-connect/token`, { method: "POST", body });
    const headers = { authorization: `Bearer ${(await answer.json()).access_token}` };
    const people = await as.fetch("https://sso.example.com/admin/realms/shop/users", { headers });
    assertEquals([client_id, people.status], [client_id, status]);
  }
});

test("look-alike auth0: a password may name its realm, and the API of the access token", async () => {
  await using as = await createShop("auth0");
  const { body } = await send(as, "https://shop.eu.auth0.com/oauth/token", {
    grant_type: "http://auth0.com/oauth/grant-type/password-realm",
    ...{ realm: "Username-Password-Authentication", username: "bob", password },
    audience: "https://api.shop.test",
  });
  assertEquals(decodeJwt(body.id_token)["amr"], ["pwd"]);
  assertEquals([decodeJwt(body.access_token).aud].flat()[0], "https://api.shop.test");
});

test("a password at a look-alike is guessed no faster than on the sign-in page (RFC 6749 §10.10)", async () => {
  await using as = await createShop("keycloak");
  const url = providers[2]![1];
  const statuses: number[] = [];
  for (let count = 0; count < 21; count++) {
    statuses.push((await send(as, url, { username: "bob", password: `guess ${count}` })).status);
  }
  assertEquals([statuses[19], statuses[20]], [401, 429]);
  assertEquals((await send(as, url, { username: "bob", password })).status, 429);
});
