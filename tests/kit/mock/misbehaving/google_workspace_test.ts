/** A service account at the look-alike of Google, and the people and groups that the Directory API shows it. */

import { assertEquals } from "@std/assert";
import { decodeJwt, type JWTPayload } from "jose";
import { createMock, type Mock } from "../../../../src/kit/mod.ts";
import { appKey, signAsApp } from "../../../github_app.ts";
import { test } from "../../../runner.ts";

const account = "robot@shop.iam.gserviceaccount.com";
const token = "https://oauth2.googleapis.com/token";
const directory = "https://admin.googleapis.com/admin/directory/v1";
const scopeOf = (what: string) => `https://www.googleapis.com/auth/admin.directory.${what}.readonly`;
const scope = ["user", "group"].map(scopeOf).join(" ");

function createWorkspace(): Promise<Mock> {
  return createMock({
    lookLike: "google",
    clients: [{
      ...{ client_id: account, token_endpoint_auth_method: "private_key_jwt" },
      ...{ grant_types: ["client_credentials"], redirect_uris: [], jwks: { keys: [appKey] } },
    }],
    people: [
      {
        username: "alice",
        claims: { email: "alice@shop.test", groups: ["staff@shop.test", "admins@shop.test"] },
      },
      { username: "bob", claims: { email: "bob@shop.test", hd: "shop.test", groups: ["staff@shop.test"] } },
      { username: "carol", claims: { email: "carol@shop.test" } },
    ],
  });
}

async function redeem(as: Mock, claims: JWTPayload, terms?: Parameters<typeof signAsApp>[1], url = token) {
  return await send(as, await signAsApp({ iss: account, aud: url, ...claims }, terms), url);
}

async function send(as: Mock, assertion: string, url = token) {
  const body = new URLSearchParams({ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion });
  const answer = await as.fetch(url, { method: "POST", body });
  return { status: answer.status, body: await answer.json(), reason: as.requests.at(-1)?.refusal?.reason };
}

async function ask(as: Mock, path: string, accessToken: string, base = directory) {
  const answer = await as.fetch(base + path, { headers: { authorization: `Bearer ${accessToken}` } });
  return { status: answer.status, body: await answer.json() };
}

test("service account: its JWT gives an access token of its own, or for the person in sub, and no other token", async () => {
  await using as = await createWorkspace();
  const own = await redeem(as, { scope });
  assertEquals([own.status, Object.keys(own.body).sort()], [200, [
    ...["access_token", "expires_in", "scope", "token_type"],
  ]]);
  assertEquals((await ask(as, "/users/alice@shop.test", own.body.access_token)).body.id, "alice");
  assertEquals(decodeJwt(own.body.access_token).sub, account);
  const delegated = await redeem(as, { scope: `${scope} openid email`, sub: "bob@shop.test" });
  assertEquals(Object.keys(delegated.body).sort(), ["access_token", "expires_in", "scope", "token_type"]);
  const who = await ask(
    as,
    "",
    delegated.body.access_token,
    "https://openidconnect.googleapis.com/v1/userinfo",
  );
  assertEquals(who.body, { sub: "bob", email: "bob@shop.test", email_verified: true, hd: "shop.test" });
  // The crate gcp_auth writes null for nobody.
  assertEquals((await redeem(as, { scope, sub: null as unknown as string })).status, 200);
  const before = "https://accounts.google.com/o/oauth2/token";
  for (const aud of [before, token]) {
    assertEquals((await redeem(as, { scope, sub: account, aud }, {}, before)).status, 200);
  }
});

test("service account: the journal has the account, and the person for whom it acts", async () => {
  await using as = await createWorkspace();
  for (const [sub, person] of [[undefined, undefined], ["bob@shop.test", "bob"]] as const) {
    await redeem(as, { scope, ...sub && { sub } });
    assertEquals([as.requests.at(-1)?.clientId, as.requests.at(-1)?.person], [account, person]);
  }
  await redeem(as, { scope, exp: 1 });
  assertEquals(as.requests.at(-1)?.clientId, account);
});

test("Google: tokeninfo tells of the token in the query, also beside another one, and the journal has whose it is", async () => {
  await using as = await createWorkspace();
  as.people.add({ username: "dora", claims: { email: "dora@shop.test", email_verified: false } });
  const [own, ofDora] = await Promise.all(
    [{}, { sub: "dora@shop.test" }].map(async (claims) =>
      (await redeem(as, { scope: "email", ...claims })).body.access_token
    ),
  );
  const path = `/tokeninfo?access_token=${ofDora}`;
  const { email, email_verified } = (await ask(as, path, own, "https://oauth2.googleapis.com")).body;
  assertEquals([email, email_verified], ["dora@shop.test", "false"]);
  assertEquals([as.requests.at(-1)?.clientId, as.requests.at(-1)?.person], [account, "dora"]);
  assertEquals((await ask(as, "/tokeninfo", own, "https://oauth2.googleapis.com")).body.email, account);
});

test("Google: the domain of a person is told with the scope of the profile or of the email", async () => {
  await using as = await createWorkspace();
  for (const [own, hd] of [["openid"], ["email", "shop.test"], ["profile", "shop.test"]] as const) {
    const { body } = await redeem(as, { scope: `openid ${own}`, sub: "bob@shop.test" });
    const who = await ask(as, "", body.access_token, "https://openidconnect.googleapis.com/v1/userinfo");
    assertEquals([own, who.body.sub, who.body.hd], [own, "bob", hd]);
  }
});

test("service account: the signature of its JWT may be base64 of each alphabet, and the rest may not", async () => {
  await using as = await createWorkspace();
  // A long claim has signs of both alphabets in each part.
  const jwt = await signAsApp({ iss: account, aud: token, scope, note: "?>~".repeat(9) });
  const [header, claims, signature] = jwt.split(".").map((part) =>
    part.replaceAll("-", "+").replaceAll("_", "/")
  );
  const usual = jwt.split(".");
  assertEquals((await send(as, `${usual[0]}.${usual[1]}.${signature}==`)).status, 200);
  assertEquals(claims === usual[1], false);
  assertEquals((await send(as, `${header}.${claims}.${signature}`)).reason, "provider_account_unproven");
});

test("service account: without sub, it is the one that userinfo and tokeninfo name, also if it asks for openid", async () => {
  await using as = await createWorkspace();
  const { body } = await redeem(as, { scope: "openid https://www.googleapis.com/auth/userinfo.email" });
  assertEquals(body.scope, "https://www.googleapis.com/auth/userinfo.email");
  const api = "https://www.googleapis.com/oauth2/";
  const own = { email: account };
  const { sub, email } = (await ask(as, "v3/userinfo", body.access_token, api)).body;
  assertEquals([sub, email], [account, account]);
  assertEquals((await ask(as, "v2/userinfo", body.access_token, api)).body, {
    ...{ id: account, verified_email: true },
    ...own,
  });
  const told = await (await as.fetch(`${api}v3/tokeninfo?access_token=${body.access_token}`)).json();
  assertEquals([told.email, told.email_verified], [account, "true"]);
});

test("service account: with target_audience, its JWT gives an ID token of the account alone", async () => {
  await using as = await createWorkspace();
  const { body } = await redeem(as, { target_audience: "https://run.test" });
  assertEquals(Object.keys(body), ["id_token"]);
  const { iss, aud, azp, email, email_verified, sub, exp, iat } = decodeJwt(body.id_token);
  assertEquals([iss, aud, azp, email, sub], [
    ...["https://accounts.google.com", "https://run.test", account, account, account],
  ]);
  assertEquals([email_verified, exp! - iat!], [true, 3600]);
  const answer = await as.fetch(`https://oauth2.googleapis.com/tokeninfo?id_token=${body.id_token}`);
  assertEquals((await answer.json()).aud, "https://run.test");
});

test("service account: the clock of the program may be a minute ahead or behind, and no more", async () => {
  await using as = await createWorkspace();
  as.clock.freeze();
  const now = Math.floor(as.clock.now);
  const rows = [[-60, 400], [-59, 200], [3600, 200], [3660, 200], [3661, 400]] as const;
  for (const [seconds, status] of rows) {
    assertEquals((await redeem(as, { scope, exp: now + seconds })).status, status, `exp in ${seconds} s`);
  }
});

test("service account: another key, an unknown account, a wrong audience, a long life, no scope and no such person are refused", async () => {
  await using as = await createWorkspace();
  const now = Math.floor(as.clock.now);
  const refused = async (claims: JWTPayload, terms?: Parameters<typeof signAsApp>[1]) => {
    const { status, body, reason } = await redeem(as, claims, terms);
    return [status, body.error, reason];
  };
  const unproven = [400, "invalid_grant", "provider_account_unproven"];
  assertEquals(await refused({ scope }, { byOtherKey: true }), unproven);
  assertEquals(await refused({ scope, iss: "nobody@shop.test" }), unproven);
  const wrongAudience = [400, "invalid_grant", "provider_account_audience"];
  assertEquals(await refused({ scope, aud: "https://run.test" }), wrongAudience);
  assertEquals(await refused({ scope, aud: [token] }), wrongAudience);
  const expired = [400, "invalid_grant", "provider_account_expired"];
  assertEquals(await refused({ scope, exp: now - 120 }), expired);
  assertEquals(await refused({ scope, exp: now + 7200 }), expired);
  for (const none of [{}, { scope: "" }, { scope: ["a"] }]) {
    assertEquals(await refused(none), [400, "invalid_scope", "provider_account_scope"]);
  }
  assertEquals(await refused({ scope, sub: "nobody@shop.test" }), [
    ...[400, "invalid_grant", "provider_account_person"],
  ]);
});

test("Google's directory: lists the people, the groups that their claims name, and who is in a group", async () => {
  await using as = await createWorkspace();
  const { body: { access_token } } = await redeem(as, { scope });
  const emails = async (path: string, list: string) =>
    (await ask(as, path, access_token)).body[list]?.map((
      { email, primaryEmail = email }: Record<string, string>,
    ) => primaryEmail);
  assertEquals(await emails("/users?customer=my_customer", "users"), [
    ...["alice@shop.test", "bob@shop.test", "carol@shop.test"],
  ]);
  assertEquals(await emails("/groups?customer=my_customer", "groups"), [
    "staff@shop.test",
    "admins@shop.test",
  ]);
  assertEquals(await emails("/groups?userKey=BOB@shop.test", "groups"), ["staff@shop.test"]);
  for (const query of ["customer=my_customer", "userKey=bob@shop.test"]) {
    for (const group of (await ask(as, `/groups?${query}`, access_token)).body.groups) {
      assertEquals(group, (await ask(as, `/groups/${group.email}`, access_token)).body, query);
    }
  }
  assertEquals((await ask(as, "/groups?userKey=carol", access_token)).body, {
    ...{ kind: "admin#directory#groups", etag: "%groups" },
  });
  assertEquals(await emails("/groups/staff%40shop.test/members", "members"), [
    "alice@shop.test",
    "bob@shop.test",
  ]);
  const { id, directMembersCount } = (await ask(as, "/groups/Staff@shop.test", access_token)).body;
  assertEquals([(await ask(as, `/groups/${id}`, access_token)).body.id, directMembersCount], [id, "2"]);
  const isMember = async (who: string) =>
    (await ask(as, `/groups/admins@shop.test/hasMember/${who}`, access_token)).body;
  assertEquals(await isMember("alice@shop.test"), { isMember: true });
  assertEquals(await isMember("bob@shop.test"), { isMember: false });
  const { body } = await ask(as, "/groups/staff@shop.test/members/bob", access_token);
  assertEquals([body.email, body.role], ["bob@shop.test", "MEMBER"]);
  for (
    const path of ["/groups/none@shop.test", "/groups?userKey=nobody", "/groups/admins@shop.test/members/bob"]
  ) {
    const { status, body: { error } } = await ask(as, path, access_token);
    assertEquals([status, error.status], [404, "NOT_FOUND"], path);
  }
});

/** What each scope lets a program read, below the Directory API. */
const readable: Readonly<Record<string, readonly string[]>> = {
  user: ["/users", "/users/bob@shop.test"],
  group: ["/groups", "/groups/staff@shop.test", "/groups/staff@shop.test/members"],
  "group.member": [
    ...["", "/bob@shop.test"].map((member) => `/groups/staff@shop.test/members${member}`),
    "/groups/staff@shop.test/hasMember/bob@shop.test",
  ],
};

test("Google's directory: people, groups and members need a scope of theirs, which may be one that only reads", async () => {
  await using as = await createWorkspace();
  for (const [what, paths] of Object.entries(readable)) {
    for (const scope of [scopeOf(what), scopeOf(what).replace(".readonly", "")]) {
      const { body: { access_token } } = await redeem(as, { scope });
      for (const path of Object.values(readable).flat()) {
        const isReadable = paths.includes(path) || what === "group" && path.includes("/staff@shop.test/");
        assertEquals([scope, path, (await ask(as, path, access_token)).status], [
          scope,
          path,
          isReadable ? 200 : 403,
        ]);
      }
    }
  }
});
