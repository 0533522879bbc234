/** What Google's libraries ask with the credentials of a workload: a token of the pool, and one of a service account. */

import { assertEquals, assertMatch } from "@std/assert";
import { decodeJwt } from "jose";
import { createMock, type Mock, type MockOptions } from "../../../../src/kit/mod.ts";
import { appKey, signAsApp } from "../../../github_app.ts";
import { test } from "../../../runner.ts";

const pool = "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/shop/providers/ci";
const account = "robot@shop.iam.gserviceaccount.com";
const scope = "https://www.googleapis.com/auth/cloud-platform";
const jwtType = "urn:ietf:params:oauth:token-type:jwt";
const accounts = "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts";

function createCloud(terms: MockOptions = {}): Promise<Mock> {
  return createMock({
    lookLike: "google",
    ...terms,
    trust: [{
      issuer: "https://ci.test",
      jwks: { keys: [appKey] },
      audiences: [`https:${pool}`],
      subjects: ["*"],
    }],
    clients: [
      {
        client_id: pool,
        grant_types: ["urn:ietf:params:oauth:grant-type:token-exchange"],
        client_secret: "unused by Google's libraries",
      },
      {
        client_id: account,
        grant_types: ["client_credentials"],
        jwks: { keys: [appKey] },
        token_endpoint_auth_method: "private_key_jwt",
      },
    ],
  });
}

/** As google-auth and google-auth-library do, with a token from a file. */
async function exchange(as: Mock, claims: Readonly<Record<string, string>> = {}, more = {}) {
  const subject_token = await signAsApp({
    iss: "https://ci.test",
    aud: `https:${pool}`,
    sub: "job",
    ...claims,
  });
  const form = {
    ...{ grant_type: "urn:ietf:params:oauth:grant-type:token-exchange", audience: pool, scope },
    ...{ requested_token_type: "urn:ietf:params:oauth:token-type:access_token", subject_token },
    ...{ subject_token_type: jwtType, ...more },
  };
  const body = new URLSearchParams(form);
  const answer = await as.fetch("https://sts.googleapis.com/v1/token", { method: "POST", body });
  return [answer.status, await answer.json(), as.requests.at(-1)?.refusal?.reason];
}

async function actAs(as: Mock, token: string, method: string, asked: unknown, email = account) {
  const answer = await as.fetch(`${accounts}/${email}:${method}`, {
    ...{ method: "POST", body: JSON.stringify(asked) },
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
  });
  return [answer.status, await answer.json()];
}

test("look-alike google: a workload exchanges the token of its platform", async () => {
  await using as = await createCloud();
  const [status, { access_token, ...others }] = await exchange(as);
  assertEquals([status, others], [200, {
    ...{ issued_token_type: "urn:ietf:params:oauth:token-type:access_token", token_type: "Bearer" },
    ...{ expires_in: 3600, scope },
  }]);
  assertEquals(decodeJwt(access_token).sub, "job");
  assertEquals(as.requests.at(-1)?.clientId, pool);
  const [, ofOpenid] = await exchange(as, {}, { scope: "openid offline_access" });
  assertEquals(Object.keys(ofOpenid).sort(), ["access_token", ...Object.keys(others).sort()]);
  const askProject = async (headers: Readonly<Record<string, string>>) => {
    const url = "https://cloudresourcemanager.googleapis.com/v1/projects/1";
    const answer = await as.fetch(url, { headers });
    return [answer.status, (await answer.json()).projectNumber];
  };
  assertEquals(await askProject({ authorization: `Bearer ${access_token}` }), [200, "1"]);
  assertEquals(await askProject({}), [401, undefined]);
  const refused = async (
    ...terms: Parameters<typeof exchange> extends [unknown, ...infer More] ? More : never
  ) => {
    const [status, { error }, reason] = await exchange(as, ...terms);
    return [status, error, reason];
  };
  assertEquals(await refused({}, { audience: "//iam.googleapis.com/other" }), [
    400,
    "invalid_target",
    "provider_pool_unknown",
  ]);
  assertEquals(await refused({ iss: "https://other.test" }), [
    400,
    "invalid_grant",
    "provider_subject_unknown",
  ]);
  assertEquals(await refused({ aud: "https://other.test" }), [400, "invalid_request", "jwt_grant_audience"]);
  const saml = { subject_token_type: "urn:ietf:params:oauth:token-type:saml2" };
  assertEquals(await refused({}, saml), [400, "invalid_grant", "provider_subject_unknown"]);
  assertEquals(await refused({}, { grant_type: "authorization_code" }), [
    400,
    "unsupported_grant_type",
    "provider_grant_unknown",
  ]);
});

test("look-alike google: the token of a workload acts as a service account", async () => {
  await using as = await createCloud({ lifetimes: { accessToken: 7200 } });
  const [, { access_token }] = await exchange(as);
  const asked = { delegates: [], scope: ["a", "b"], lifetime: "600s" };
  const [status, { accessToken, expireTime }] = await actAs(as, access_token, "generateAccessToken", asked);
  const { sub, scope: given, exp, iat } = decodeJwt(accessToken);
  assertEquals([status, sub, given, exp! - iat!], [200, account, "a b", 600]);
  const [, usual] = await actAs(as, access_token, "generateAccessToken", { scope });
  const { exp: end, iat: start } = decodeJwt(usual.accessToken);
  assertEquals(end! - start!, 3600);
  assertMatch(expireTime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assertEquals(Date.parse(expireTime), exp! * 1000);
  const encoded = encodeURIComponent(account);
  const [, { token }] = await actAs(
    as,
    access_token,
    "generateIdToken",
    { audience: "https://run.test" },
    encoded,
  );
  const { aud, email, iss } = decodeJwt(token);
  assertEquals([aud, email, iss], ["https://run.test", account, "https://accounts.google.com"]);
  const [missing, { error }] = await actAs(
    as,
    access_token,
    "generateAccessToken",
    asked,
    "nobody@shop.test",
  );
  assertEquals([missing, error.status], [404, "NOT_FOUND"]);
  const [denied, { error: { status: because } }] = await actAs(as, accessToken, "generateAccessToken", asked);
  assertEquals([denied, because], [403, "PERMISSION_DENIED"]);
  assertEquals((await actAs(as, access_token, "signBlob", asked))[0], 501);
});

test("look-alike google: a token acts as a service account by two scopes, and by no other whose name has theirs in it", async () => {
  await using as = await createCloud();
  const asked = { scope, audience: "https://run.test" };
  const statuses = async (names: readonly string[]) => {
    const given = new Set();
    for (const name of names) {
      const [, { access_token }] = await exchange(as, {}, { scope: `https://www.googleapis.com/${name}` });
      for (const method of ["generateAccessToken", "generateIdToken"]) {
        given.add((await actAs(as, access_token, method, asked))[0]);
      }
    }
    return [...given];
  };
  assertEquals(await statuses(["auth/cloud-platform", "auth/iam"]), [200]);
  const others = ["auth/cloud-platform.read-only", "auth/iam.test", "auth/iam/x", "auth/cloud-iam", "x/iam"];
  assertEquals(await statuses(others), [403]);
});
