/** The API of user pools at Amazon Cognito: who a person is, logins by a password, refreshes and sign-outs. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { createHmac } from "node:crypto";
import { decodeJwt } from "jose";
import { createMock, type Mock } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";
import {
  authorize,
  createShop,
  inForm,
  post,
  reasonOf,
  redeem,
  redirectUri,
  secret,
  type Texts,
} from "./provider_shop.ts";

const cognito = {
  authorize: "https://shop.auth.eu-central-1.amazoncognito.com/oauth2/authorize",
  token: "https://shop.auth.eu-central-1.amazoncognito.com/oauth2/token",
  api: "https://cognito-idp.eu-central-1.amazonaws.com/",
};
const allScopes = "openid email phone profile aws.cognito.signin.user.admin";
const unknownPool = "ResourceNotFoundException";
const getUserTarget = "AWSCognitoIdentityProviderService.GetUser";

const callUserPool = (as: Mock, AccessToken: unknown, target = getUserTarget) =>
  callUserPoolWith(as, { AccessToken }, target);

async function callUserPoolWith(as: Mock, sent: Readonly<Record<string, unknown>>, target: string) {
  const headers = { "content-type": "application/x-amz-json-1.1", "x-amz-target": target };
  const answer = await as.fetch(cognito.api, { method: "POST", headers, body: JSON.stringify(sent) });
  const text = await answer.text();
  return { status: answer.status, members: text === "" ? {} : JSON.parse(text) };
}

test("Cognito's API: GetUser names the person of an access token with the scope for it", async () => {
  await using as = await createShop("cognito");
  const tokens = await (await redeem(as, cognito, "openid aws.cognito.signin.user.admin", inForm)).json();
  const { status, members } = await callUserPool(as, tokens.access_token);
  const attributes = members.UserAttributes.map((each: { Name: string }) => each.Name);
  assertEquals([status, members.Username], [200, "alice"]);
  assertEquals(members.UserAttributes.slice(0, 2), [
    { Name: "sub", Value: "alice" },
    { Name: "name", Value: "Alice Adams" },
  ]);
  assertEquals(members.UserAttributes.find((each: Texts) => each["Name"] === "email_verified"), {
    Name: "email_verified",
    Value: "true",
  });
  assertEquals([attributes.includes("email"), attributes.includes("preferred_username")], [true, false]);
  const { person, api, clientId } = as.requests.last!;
  assertEquals([person, api, clientId], ["alice", cognito.api, "shop"]);
  assertEquals(JSON.stringify(as.requests.last).includes(tokens.access_token), false);

  const narrow = await (await redeem(as, cognito, "openid", inForm)).json();
  const refused = async (token: unknown) => {
    const { status, members: { __type, message } } = await callUserPool(as, token);
    assertEquals([status, __type], [400, "NotAuthorizedException"]);
    return message;
  };
  assertEquals(await refused(narrow.access_token), "Access Token does not have required scopes");
  for (const token of [tokens.refresh_token, tokens.id_token, "x", 1]) {
    assertEquals(await refused(token), "Invalid Access Token");
  }
  const revoked = await post(as, cognito.token.replace("token", "revoke"), {
    ...inForm,
    token: tokens.refresh_token,
  });
  assertEquals(revoked.status, 200);
  assertEquals(await refused(tokens.access_token), "Access Token has been revoked");
  assertEquals(await refused(await as.expire(narrow.access_token)), "Access Token has expired");
  const other = await callUserPool(as, narrow.access_token, "AWSCognitoIdentityProviderService.SignUp");
  assertEquals([other.status, other.members.__type], [400, "UnknownOperationException"]);
  const none = await as.fetch(cognito.api, { method: "POST", body: "{}" });
  assertEquals([none.status, reasonOf(as)], [400, "provider_action_unknown"]);
});

test("Cognito's API: GetTokensFromRefreshToken refreshes for the client of the token, until a revocation", async () => {
  await using as = await createShop("cognito");
  const tokens = await (await redeem(as, cognito, "openid", inForm)).json();
  const refresh = (more: Readonly<Record<string, unknown>> = {}) =>
    callUserPoolWith(
      as,
      { RefreshToken: tokens.refresh_token, ClientId: "shop", ClientSecret: secret, ...more },
      "AWSCognitoIdentityProviderService.GetTokensFromRefreshToken",
    );
  const { status, members: { AuthenticationResult: fresh } } = await refresh();
  assertEquals([status, fresh.TokenType, fresh.ExpiresIn], [200, "Bearer", 3600]);
  assertEquals([fresh.RefreshToken, fresh.AccessToken === tokens.access_token], [undefined, false]);
  const [access, id] = [decodeJwt(fresh.AccessToken), decodeJwt(fresh.IdToken)];
  assertEquals([access["token_use"], access["username"], id["sub"]], ["access", "alice", "alice"]);
  const { grantType, clientId } = as.requests.last!;
  assertEquals([grantType, clientId], ["refresh_token", "shop"]);
  const journal = JSON.stringify(as.requests.last);
  assertEquals([(await refresh({ ClientId: "nobody" })).members.__type, reasonOf(as)], [
    unknownPool,
    "client_unknown",
  ]);
  for (const text of [tokens.refresh_token, secret, fresh.AccessToken]) {
    assertEquals(journal.includes(text), false);
  }
  for (
    const [more, reason] of [
      [{ ClientSecret: "wrong" }, "secret_wrong"],
      [{ ClientSecret: undefined }, "secret_missing"],
      [{ ClientId: "other" }, "refresh_of_another_client"],
      [{ RefreshToken: "x" }, "provider_pool_token_refused"],
    ] as const
  ) {
    const refused = await refresh(more);
    assertEquals([refused.status, refused.members.__type, reasonOf(as)], [
      400,
      "NotAuthorizedException",
      reason,
    ]);
  }
  assertEquals((await refresh({ RefreshToken: 1 })).members.__type, "InvalidParameterException");
  await post(as, cognito.token.replace("token", "revoke"), { ...inForm, token: tokens.refresh_token });
  const { __type, message } = (await refresh()).members;
  assertEquals([__type, message], ["NotAuthorizedException", "Refresh Token has been revoked"]);
});

test("Cognito's API: InitiateAuth refreshes, and RevokeToken and GlobalSignOut end the login", async () => {
  await using as = await createShop("cognito", {
    clients: [
      { client_id: "shop", redirect_uris: [redirectUri], token_endpoint_auth_method: "none" },
      { ...inForm, client_id: "other", redirect_uris: [redirectUri] },
    ],
  });
  const code_verifier = "v".repeat(43);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(code_verifier));
  const code_challenge = new Uint8Array(digest).toBase64({ alphabet: "base64url", omitPadding: true });
  const logIn = async () => {
    const code = await authorize(as, cognito.authorize, { code_challenge, code_challenge_method: "S256" });
    const form = { client_id: "shop", grant_type: "authorization_code", code, redirect_uri: redirectUri };
    return await (await post(as, cognito.token, { ...form, code_verifier })).json();
  };
  const call = async (action: string, sent: Readonly<Record<string, unknown>>) => {
    const { status, members } = await callUserPoolWith(
      as,
      sent,
      `AWSCognitoIdentityProviderService.${action}`,
    );
    return members.__type ?? (members.AuthenticationResult === undefined ? status : "tokens");
  };
  const initiate = (AuthFlow: string, REFRESH_TOKEN: unknown) =>
    call("InitiateAuth", { ClientId: "shop", AuthFlow, AuthParameters: { REFRESH_TOKEN } });
  const { refresh_token, access_token } = await logIn();
  assertEquals(await initiate("REFRESH_TOKEN_AUTH", refresh_token), "tokens");
  assertEquals(await initiate("REFRESH_TOKEN", refresh_token), "tokens");
  assertEquals(await initiate("CUSTOM_AUTH", refresh_token), "UnknownOperationException");
  assertEquals(await initiate("REFRESH_TOKEN_AUTH", undefined), "InvalidParameterException");

  const revoke = (ClientId: string, more: Texts = {}) =>
    call("RevokeToken", { ClientId, Token: refresh_token, ...more });
  assertEquals(await revoke("nobody"), "UnauthorizedException");
  assertEquals(await revoke("shop", { Token: access_token }), "UnsupportedTokenTypeException");
  assertEquals(await revoke("other", { ClientSecret: secret }), 200);
  assertEquals(await call("GetUser", { AccessToken: access_token }), 200);
  assertEquals(await revoke("shop"), 200);
  assertEquals(await initiate("REFRESH_TOKEN_AUTH", refresh_token), "NotAuthorizedException");
  assertEquals(await call("GlobalSignOut", { AccessToken: access_token }), "NotAuthorizedException");

  const next = await logIn();
  assertEquals(await call("GlobalSignOut", { AccessToken: next.access_token }), 200);
  assertEquals(await call("GetUser", { AccessToken: next.access_token }), "NotAuthorizedException");
  assertEquals(await initiate("REFRESH_TOKEN_AUTH", next.refresh_token), "NotAuthorizedException");
});

/** As the SDKs of AWS compute it. */
function hashSecret(username: string, key = secret): string {
  return createHmac("sha256", key).update(`${username}shop`).digest("base64");
}

const initiateAuth = async (as: Mock, AuthFlow: string, AuthParameters: Texts, ClientId = "shop") => {
  const sent = { ClientId, AuthFlow, AuthParameters };
  const { status, members } = await callUserPoolWith(
    as,
    sent,
    "AWSCognitoIdentityProviderService.InitiateAuth",
  );
  return { status, ...members };
};

test("Cognito's API: InitiateAuth checks the SECRET_HASH of a configured client, also to refresh", async () => {
  await using as = await createShop("cognito");
  const { refresh_token } = await (await redeem(as, cognito, "openid", inForm)).json();
  const refresh = (more: Texts) =>
    initiateAuth(as, "REFRESH_TOKEN_AUTH", { REFRESH_TOKEN: refresh_token, ...more });
  // The refresh token stays the same.
  assertEquals((await refresh({ SECRET_HASH: hashSecret("alice") })).status, 200);
  const fresh = await refresh({ SECRET_HASH: hashSecret("alice") });
  assertEquals([fresh.status, decodeJwt(fresh.AuthenticationResult.AccessToken).sub], [200, "alice"]);
  for (
    const [more, message] of [
      [{}, "Client shop is configured with secret but SECRET_HASH was not received"],
      [{ SECRET_HASH: hashSecret("bob") }, "Unable to verify secret hash for client shop"],
      [{ SECRET_HASH: hashSecret("alice", "another") }, "Unable to verify secret hash for client shop"],
    ] as const
  ) {
    const refused = await refresh(more);
    assertEquals([refused.status, refused.__type], [400, "NotAuthorizedException"]);
    assert(refused.message.startsWith(message), refused.message);
  }
  const unknown = await initiateAuth(as, "REFRESH_TOKEN_AUTH", { REFRESH_TOKEN: refresh_token }, "nobody");
  assertEquals(unknown.__type, "ResourceNotFoundException");
  // The secret is kept at the addresses of this look-alike alone.
  assert(!JSON.stringify([...as.requests]).includes(secret));

  await using learnt = await createMock({ lookLike: "cognito" });
  const redirect_uri = "http://localhost/callback";
  const code = await authorize(learnt, cognito.authorize, { scope: "openid", redirect_uri });
  const form = { ...inForm, grant_type: "authorization_code", code, redirect_uri };
  const tokens = await (await post(learnt, cognito.token, form)).json();
  const REFRESH_TOKEN = tokens.refresh_token;
  const unread = await initiateAuth(learnt, "REFRESH_TOKEN_AUTH", {
    REFRESH_TOKEN,
    SECRET_HASH: hashSecret("alice"),
  });
  assertEquals([unread.__type, reasonOf(learnt)], ["NotAuthorizedException", "provider_secret_hash_wrong"]);
});

test("Cognito's API: InitiateAuth logs in by a password that is configured", async () => {
  const people = [
    { username: "alice", password: "right", claims: { email: "alice@example.com" } },
    { username: "bob", claims: { email: "bob@example.com" } },
    { username: "carol", password: "right", secondFactor: { kind: "totp", always: true } as const },
    { username: "dave", password: "right", disabled: true },
  ];
  await using as = await createShop("cognito", { people });
  const logIn = (USERNAME: string, more: Texts = {}) => {
    const sent = { USERNAME, PASSWORD: "right", SECRET_HASH: hashSecret(USERNAME), ...more };
    return initiateAuth(as, "USER_PASSWORD_AUTH", sent);
  };
  const { status, AuthenticationResult: result, ChallengeParameters } = await logIn("alice");
  const claims = decodeJwt(result.IdToken);
  assertEquals([status, result.TokenType, result.ExpiresIn, ChallengeParameters], [200, "Bearer", 3600, {}]);
  assertEquals([claims["email"], claims["cognito:username"], claims.aud], [
    "alice@example.com",
    "alice",
    "shop",
  ]);
  const user = await callUserPool(as, result.AccessToken);
  assertEquals(user.members.Username, "alice");
  const REFRESH_TOKEN = result.RefreshToken;
  const fresh = await initiateAuth(as, "REFRESH_TOKEN", { REFRESH_TOKEN, SECRET_HASH: hashSecret("alice") });
  assertEquals(fresh.status, 200);
  const others = [await logIn("alice@example.com"), await logIn("bob", { PASSWORD: "any" })];
  assertEquals(others.map(({ status }) => status), [200, 200]);
  const refusals = [
    await logIn("alice", { PASSWORD: "wrong" }),
    await logIn("nobody"),
    await logIn("dave"),
    await logIn("carol"),
    await logIn("alice", { SECRET_HASH: "wrong" }),
  ].map(({ __type, message }) => [__type, message.split(" ").slice(0, 5).join(" ")]);
  const wrong = ["NotAuthorizedException", "Incorrect username or password."];
  assertEquals(refusals, [
    ...[wrong, wrong],
    ["NotAuthorizedException", "User is disabled."],
    ["UnknownOperationException", "This look-alike does not have"],
    ["NotAuthorizedException", "Unable to verify secret hash"],
  ]);
  const other = await initiateAuth(as, "CUSTOM_AUTH", { USERNAME: "alice" });
  assertEquals([other.__type, reasonOf(as)], ["UnknownOperationException", "provider_action_unknown"]);
});

test("Cognito's API: after many wrong passwords, a login says that there are too many requests", async () => {
  await using as = await createShop("cognito", { people: [{ username: "alice", password: "right" }] });
  as.clock.freeze();
  const attempt = async () => {
    const sent = { USERNAME: "alice", PASSWORD: "wrong", SECRET_HASH: hashSecret("alice") };
    return (await initiateAuth(as, "USER_PASSWORD_AUTH", sent)).__type;
  };
  assertEquals(await attempt(), "NotAuthorizedException");
  for (let count = 0; count < 20; count++) await attempt();
  assertEquals(await attempt(), "TooManyRequestsException");
});

test("Cognito's API: a login by a password has the scopes of its client, or all", async () => {
  const scopes = [undefined, "openid email"];
  await using as = await createShop("cognito", {
    people: [{ username: "alice" }],
    clients: scopes.map((scope) => ({
      ...{ client_id: `of ${scope}`, token_endpoint_auth_method: "none", redirect_uris: [redirectUri] },
      ...scope === undefined ? {} : { scope },
    })),
  });
  const found = await Promise.all(scopes.map(async (scope) => {
    const AuthParameters = { USERNAME: "alice", PASSWORD: "any" };
    const sent = { AuthFlow: "USER_PASSWORD_AUTH", ClientId: `of ${scope}`, AuthParameters };
    const target = "AWSCognitoIdentityProviderService.InitiateAuth";
    return decodeJwt(
      (await callUserPoolWith(as, sent, target)).members.AuthenticationResult.AccessToken,
    )["scope"];
  }));
  assertEquals(found, [allScopes, "openid email"]);
});

test("Cognito's API: AdminInitiateAuth logs in and refreshes at its user pool, with flows of its own", async () => {
  const people = [{ username: "alice", password: "right" }, { username: "bob" }];
  await using as = await createShop("cognito", { people });
  const call = async (action: string, more: Readonly<Record<string, unknown>>) => {
    const sent = { ClientId: "shop", UserPoolId: "eu-central-1_Postern01", ...more };
    return (await callUserPoolWith(as, sent, `AWSCognitoIdentityProviderService.Admin${action}`)).members;
  };
  const initiate = (AuthFlow: string, AuthParameters: Texts, more: Texts = {}) =>
    call("InitiateAuth", {
      AuthFlow,
      AuthParameters: { ...AuthParameters, SECRET_HASH: hashSecret("alice") },
      ...more,
    });
  const right = { USERNAME: "alice", PASSWORD: "right" };
  for (const flow of ["ADMIN_USER_PASSWORD_AUTH", "ADMIN_NO_SRP_AUTH"]) {
    const { AuthenticationResult: result } = await initiate(flow, right);
    assertEquals(decodeJwt(result.AccessToken).sub, "alice");
    const fresh = await initiate("REFRESH_TOKEN_AUTH", { REFRESH_TOKEN: result.RefreshToken });
    assertEquals(decodeJwt(fresh.AuthenticationResult.AccessToken).sub, "alice");
  }
  const ChallengeResponses = {
    USERNAME: "bob",
    PASSWORD_CLAIM_SIGNATURE: "a proof",
    SECRET_HASH: hashSecret("bob"),
  };
  const proven = await call("RespondToAuthChallenge", {
    ChallengeName: "PASSWORD_VERIFIER",
    ChallengeResponses,
  });
  assertEquals(decodeJwt(proven.AuthenticationResult.AccessToken).sub, "bob");
  const refusals = [
    [await initiate("ADMIN_USER_PASSWORD_AUTH", { ...right, PASSWORD: "wrong" }), "NotAuthorizedException"],
    [await initiate("USER_PASSWORD_AUTH", right), "InvalidParameterException"],
    [await initiate("ADMIN_NO_SRP_AUTH", right, { UserPoolId: "Postern01" }), "ResourceNotFoundException"],
    [await initiateAuth(as, "ADMIN_NO_SRP_AUTH", right), "InvalidParameterException"],
    [await call("EnableUser", { Username: "alice" }), "UnknownOperationException"],
  ];
  for (const [{ __type }, expected] of refusals) assertEquals(__type, expected);
});

test("Cognito's API: USER_SRP_AUTH lets in a person without a password, and no other", async () => {
  const people = [{ username: "alice" }, { username: "bob", password: "right" }];
  await using as = await createShop("cognito", { people });
  const begin = (USERNAME: string, SRP_A = "0f", SECRET_HASH = hashSecret(USERNAME)) =>
    initiateAuth(as, "USER_SRP_AUTH", { USERNAME, SRP_A, SECRET_HASH });
  const prove = async (USERNAME: string, SECRET_HASH = hashSecret(USERNAME)) => {
    const ChallengeResponses = { USERNAME, PASSWORD_CLAIM_SIGNATURE: "a proof", SECRET_HASH };
    const sent = { ClientId: "shop", ChallengeName: "PASSWORD_VERIFIER", ChallengeResponses };
    const target = "AWSCognitoIdentityProviderService.RespondToAuthChallenge";
    return (await callUserPoolWith(as, sent, target)).members;
  };
  const { ChallengeName, ChallengeParameters: { USERNAME, SALT, SRP_B, SECRET_BLOCK } } = await begin(
    "alice",
  );
  assertEquals([ChallengeName, USERNAME], ["PASSWORD_VERIFIER", "alice"]);
  assertEquals([SALT, SRP_B].map((each) => /^[\da-f]{32,512}$/.test(each)), [true, true]);
  assertEquals(typeof SECRET_BLOCK, "string");
  assertEquals((await begin("alice", "a".repeat(800))).ChallengeName, "PASSWORD_VERIFIER");
  const { AccessToken, IdToken } = (await prove("alice")).AuthenticationResult;
  assertEquals([decodeJwt(AccessToken).sub, decodeJwt(IdToken)["at_hash"]], ["alice", undefined]);
  for (
    const [refused, type, reason] of [
      [() => begin("alice", "0f", "wrong"), "NotAuthorizedException", "provider_secret_hash_wrong"],
      [() => begin("alice", "00"), "InvalidParameterException", "provider_srp_malformed"],
      [() => begin("alice", "g"), "InvalidParameterException", "provider_srp_malformed"],
      [() => begin("alice", "a".repeat(801)), "InvalidParameterException", "provider_srp_malformed"],
      [() => prove("bob"), "NotAuthorizedException", "provider_srp_unchecked"],
      [() => prove("nobody"), "NotAuthorizedException", "provider_password_wrong"],
      [() => prove("alice", "wrong"), "NotAuthorizedException", "provider_secret_hash_wrong"],
    ] as const
  ) {
    assertEquals([(await refused()).__type, reasonOf(as)], [type, reason]);
  }
});

test("Cognito's API: each action takes its own flows and challenges, and no others", async () => {
  await using as = await createShop("cognito", { people: [{ username: "alice" }] });
  const tokens = await (await redeem(as, cognito, allScopes, inForm)).json();
  const of = { USERNAME: "alice", SECRET_HASH: hashSecret("alice") };
  const sent = {
    ...{ ClientId: "shop", ClientSecret: secret, UserPoolId: "eu-central-1_Postern01" },
    ...{ RefreshToken: tokens.refresh_token, AccessToken: tokens.access_token },
    AuthParameters: { ...of, PASSWORD: "any", SRP_A: "0f", REFRESH_TOKEN: tokens.refresh_token },
    ChallengeResponses: { ...of, PASSWORD_CLAIM_SIGNATURE: "a proof" },
  };
  const flows = ["USER_PASSWORD_AUTH", "ADMIN_USER_PASSWORD_AUTH", "ADMIN_NO_SRP_AUTH", "USER_SRP_AUTH"]
    .concat("REFRESH_TOKEN_AUTH", "REFRESH_TOKEN", "CUSTOM_AUTH");
  const call = async (action: string, more: Texts) => {
    const target = `AWSCognitoIdentityProviderService.${action}`;
    const { members } = await callUserPoolWith(as, { ...sent, ...more }, target);
    return members.ChallengeName ?? members.__type ?? members.Username ??
      Object.keys(members.AuthenticationResult).filter((name) => name.endsWith("Token")).join();
  };
  const all = "AccessToken,IdToken,RefreshToken";
  const fresh = "AccessToken,IdToken";
  const unknown = "UnknownOperationException";
  const refused = "InvalidParameterException";
  const expected: Readonly<Record<string, string[]>> = {
    InitiateAuth: [all, refused, refused, "PASSWORD_VERIFIER", fresh, fresh, unknown],
    AdminInitiateAuth: [refused, all, all, "PASSWORD_VERIFIER", fresh, fresh, unknown],
    RespondToAuthChallenge: Array(7).fill(all),
    AdminRespondToAuthChallenge: Array(7).fill(all),
    GetTokensFromRefreshToken: Array(7).fill(fresh),
    GetUser: Array(7).fill("alice"),
  };
  for (const [action, answers] of Object.entries(expected)) {
    const got: string[] = [];
    for (const AuthFlow of flows) {
      got.push(await call(action, { AuthFlow, ChallengeName: "PASSWORD_VERIFIER" }));
    }
    assertEquals(got, answers, action);
    const other = await call(action, { AuthFlow: "USER_SRP_AUTH", ChallengeName: "SMS_MFA" });
    assertEquals(other === unknown, action.includes("Respond"), action);
  }
  assertEquals(
    await call("AdminInitiateAuth", { UserPoolId: "", AuthFlow: "ADMIN_NO_SRP_AUTH" }),
    unknownPool,
  );
});

test("Cognito's API: the journal says whose login an action is about", async () => {
  const people = [{ username: "alice", sub: "a-1", claims: { phone_number: "+31 6" } }];
  await using as = await createShop("cognito", { people });
  const logIn = () =>
    initiateAuth(as, "USER_PASSWORD_AUTH", {
      USERNAME: "alice",
      PASSWORD: "any",
      SECRET_HASH: hashSecret("alice"),
    });
  const { AuthenticationResult: { AccessToken, RefreshToken } } = await logIn();
  const { person, clientId } = as.requests.last!;
  assertEquals([person, clientId], ["alice", "shop"]);
  const { members } = await callUserPool(as, AccessToken);
  const read = (name: string) => members.UserAttributes.find((each: Texts) => each["Name"] === name)?.Value;
  assertEquals([members.Username, read("sub"), read("phone_number")], ["alice", "a-1", "+31 6"]);
  const { flow, scope } = as.requests.last!;
  assertEquals([flow, scope], [decodeJwt(AccessToken).jti!.split(".")[0], allScopes.split(" ")]);
  const target = "AWSCognitoIdentityProviderService.GlobalSignOut";
  assertEquals((await callUserPoolWith(as, { AccessToken }, target)).status, 200);
  const ended = await initiateAuth(as, "REFRESH_TOKEN_AUTH", {
    REFRESH_TOKEN: RefreshToken,
    SECRET_HASH: hashSecret("alice"),
  });
  assertEquals(ended.__type, "NotAuthorizedException");
});

test("Cognito's API: each action names the member that is missing, and answers have the type and an id", async () => {
  await using as = await createShop("cognito");
  const ofLogin = { ClientId: "shop", AuthFlow: "USER_PASSWORD_AUTH" };
  const table:
    readonly (readonly [action: string, sent: Readonly<Record<string, unknown>>, missing: string])[] = [
      ["GetUser", {}, "AccessToken"],
      ["GlobalSignOut", {}, "AccessToken"],
      ["RevokeToken", { Token: "x" }, "ClientId"],
      ["RevokeToken", { ClientId: "shop" }, "Token"],
      ["GetTokensFromRefreshToken", { ClientId: "shop" }, "RefreshToken"],
      ["GetTokensFromRefreshToken", { RefreshToken: "x" }, "ClientId"],
      ["InitiateAuth", { ClientId: "shop" }, "AuthFlow"],
      ["InitiateAuth", { AuthFlow: "USER_PASSWORD_AUTH" }, "ClientId"],
      ["InitiateAuth", ofLogin, "USERNAME"],
      ["InitiateAuth", { ...ofLogin, AuthParameters: { USERNAME: "alice" } }, "PASSWORD"],
      [
        "InitiateAuth",
        { ClientId: "shop", AuthFlow: "USER_SRP_AUTH", AuthParameters: { USERNAME: "a" } },
        "SRP_A",
      ],
      ["InitiateAuth", { ClientId: "shop", AuthFlow: "REFRESH_TOKEN_AUTH" }, "REFRESH_TOKEN"],
      ["InitiateAuth", { ClientId: "shop", AuthFlow: "REFRESH_TOKEN" }, "REFRESH_TOKEN"],
      ["RespondToAuthChallenge", { ClientId: "shop" }, "ChallengeName"],
      ["RespondToAuthChallenge", { ChallengeName: "PASSWORD_VERIFIER" }, "ClientId"],
      ["AdminGetUser", { UserPoolId: "eu-central-1_Postern01" }, "Username"],
      ["AdminListGroupsForUser", { UserPoolId: "eu-central-1_Postern01" }, "Username"],
    ];
  for (const [action, sent, missing] of table) {
    const target = `AWSCognitoIdentityProviderService.${action}`;
    const { members } = await callUserPoolWith(as, sent, target);
    const message = `Missing required parameter ${missing}`;
    assertEquals([action, members], [action, { __type: "InvalidParameterException", message }]);
  }
  const headers = { "x-amz-target": getUserTarget };
  const answer = await as.fetch(cognito.api, { method: "POST", headers, body: "{}" });
  const [type, challenge] = ["content-type", "www-authenticate"].map((name) => answer.headers.get(name));
  assertEquals([type, challenge], ["application/x-amz-json-1.1", null]);
  assertMatch(answer.headers.get("x-amzn-requestid")!, /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
});

test("Cognito's API: AdminGetUser and AdminListGroupsForUser show a person of the pool", async () => {
  const people = [
    { username: "alice", sub: "a-1", claims: { email: "alice@example.com", groups: ["admins", 1] } },
    { username: "dave", disabled: true },
  ];
  await using as = await createShop("cognito", { people });
  const call = async (action: string, Username: string, UserPoolId = "eu-central-1_Postern01") =>
    (await callUserPoolWith(as, { Username, UserPoolId }, `AWSCognitoIdentityProviderService.${action}`))
      .members;
  const { Username, UserAttributes, ...others } = await call("AdminGetUser", "alice");
  assertEquals([Username, UserAttributes[0]], ["alice", { Name: "sub", Value: "a-1" }]);
  const dates = { UserCreateDate: 1_577_836_800, UserLastModifiedDate: 1_577_836_800 };
  assertEquals(others, { Enabled: true, UserStatus: "CONFIRMED", ...dates });
  for (const name of ["a-1", "alice@example.com"]) {
    assertEquals((await call("AdminGetUser", name)).Username, "alice");
  }
  assertEquals((await call("AdminGetUser", "dave")).Enabled, false);
  const { Groups } = await call("AdminListGroupsForUser", "alice");
  assertEquals(Groups, [{ GroupName: "admins", UserPoolId: "eu-central-1_Postern01" }]);
  assertEquals(await call("AdminGetUser", "nobody"), {
    ...{ __type: "UserNotFoundException", message: "User does not exist." },
  });
  assertEquals((await call("AdminGetUser", "alice", "x")).__type, unknownPool);
  const tokens = await (await redeem(as, cognito, "openid", inForm)).json();
  const groups = [tokens.id_token, tokens.access_token].map((each) => decodeJwt(each)["cognito:groups"]);
  assertEquals(groups, [["admins"], ["admins"]]);
});

test("Cognito: userinfo, the revocation and a client alone answer as Cognito does", async () => {
  await using as = await createShop("cognito", {
    clients: [{
      ...inForm,
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code", "client_credentials"],
    }],
  });
  const domain = "https://shop.auth.eu-central-1.amazoncognito.com/oauth2";
  const ask = async (headers: Texts) => {
    const answer = await as.fetch(`${domain}/userInfo`, { headers });
    const { error, error_description } = await answer.json();
    const challenge = answer.headers.get("www-authenticate");
    assertEquals(challenge, `Bearer error="${error}", error_description="${error_description}"`);
    return [answer.status, error, error_description.split(" ", 3).join(" ")];
  };
  assertEquals(await ask({}), [400, "invalid_request", "Bad OAuth2 request"]);
  assertEquals(await ask({ authorization: "Bearer x" }), [401, "invalid_token", "Access token is"]);
  const { access_token } = await (await redeem(as, cognito, "openid", inForm)).json();
  assertEquals(decodeJwt(access_token)["cognito:groups"], undefined);
  const revoked = await post(as, `${domain}/revoke`, { ...inForm, token: access_token });
  assertEquals([revoked.status, (await revoked.json()).error], [400, "unsupported_token_type"]);
  const headers = { authorization: `Bearer ${access_token}` };
  assertEquals((await as.fetch(`${domain}/userInfo`, { headers })).status, 200);
  const own = await post(as, cognito.token, { ...inForm, grant_type: "client_credentials", scope: "a/b" });
  const { auth_time, iat, origin_jti, event_id } = decodeJwt((await own.json()).access_token);
  assertEquals([auth_time, origin_jti, event_id], [iat, undefined, undefined]);
});
