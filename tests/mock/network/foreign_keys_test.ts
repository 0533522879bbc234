/** Servers of one mock trust one another: each reads the keys of the others without a network. */

import { assertEquals } from "@std/assert";
import { decodeJwt } from "jose";
import { createMock, type Mock, type MockOptions, type Tenant } from "../../../src/mock/mod.ts";
import { test } from "../../runner.ts";

const grant_type = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const client = { client_id: "deployer", client_secret: "secret", grant_types: [grant_type] };

function trusting(as: Mock, jwks_uri: string, issuer: string): Tenant {
  const options: Omit<MockOptions, "issuer"> = {
    clients: [client],
    trust: [{ issuer, jwks_uri, subjects: ["repo:octo/*"] }],
  };
  return as.tenant("api", options);
}

/** Sends a JWT of the platform, and returns the status, or the reason of the refusal. */
async function exchange(as: Mock, api: Tenant): Promise<unknown> {
  const { token } = await as.workload("github-actions", {
    sub: "repo:octo/app:ref:refs/heads/main",
    audience: api.issuer,
  });
  const answer = await as.fetch(`${api.issuer}/oauth2/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa("deployer:secret")}` },
    body: new URLSearchParams({ grant_type, assertion: token }),
  });
  return answer.status === 200 ? 200 : api.requests.token.last?.refusal?.reason;
}

test("foreign keys: a tenant fetches the keys of another one, and again after a rotation (RFC 7517 §5)", async () => {
  await using as = await createMock();
  const { issuer, jwksUri } = await as.workload("github-actions");
  const api = trusting(as, jwksUri, issuer);
  const platform = as.tenant("github-actions");
  const before = platform.requests.jwks.length;
  assertEquals([await exchange(as, api), await exchange(as, api)], [200, 200]);
  assertEquals(platform.requests.jwks.length, before + 1);
  await platform.rotateKeys({ atOnce: true });
  assertEquals(await exchange(as, api), 200);
  assertEquals(platform.requests.jwks.length, before + 2);
});

test("foreign keys: the tokens of each platform are accepted as grants (RFC 7523 §3)", async () => {
  await using as = await createMock();
  for (const platform of ["github-actions", "gitlab-ci", "kubernetes", "spiffe"] as const) {
    const name = `api-for-${platform}`;
    const { token, issuer, jwksUri } = await as.workload(platform, { audience: `${as.issuer}/${name}` });
    const { sub } = decodeJwt(token);
    const api = as.tenant(name, {
      clients: [client],
      trust: [{ issuer, jwks_uri: jwksUri, subjects: [`${sub}`] }],
    });
    const answer = await as.fetch(`${api.issuer}/oauth2/token`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa("deployer:secret")}` },
      body: new URLSearchParams({ grant_type, assertion: token }),
    });
    const { access_token, error_description } = await answer.json();
    assertEquals([answer.status, error_description], [200, undefined], platform);
    assertEquals(decodeJwt(access_token).sub, sub);
  }
});

test("foreign keys: another address of the mock is not fetched", async () => {
  await using as = await createMock();
  const { issuer } = await as.workload("github-actions");
  const api = trusting(as, `${as.issuer}/userinfo`, issuer);
  assertEquals(await exchange(as, api), "jwt_grant_keys_unavailable");
  assertEquals(as.requests.length, 0);
});

test("foreign keys: a closed tenant gives no keys", async () => {
  await using as = await createMock();
  const { issuer, jwksUri, token } = await as.workload("github-actions", { audience: `${as.issuer}/api` });
  const api = trusting(as, jwksUri, issuer);
  await as.tenant("github-actions").close();
  const answer = await as.fetch(`${api.issuer}/oauth2/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa("deployer:secret")}` },
    body: new URLSearchParams({ grant_type, assertion: token }),
  });
  assertEquals([answer.status, api.requests.token.last?.refusal?.reason], [
    400,
    "jwt_grant_keys_unavailable",
  ]);
});
