/** A tenant that trusts a platform gives access tokens for the tokens of its workloads (RFC 7523, RFC 10070). */

import { assertEquals, assertRejects } from "@std/assert";
import { decodeJwt } from "jose";
import { ClientSecretBasic, customFetch, discovery, genericGrantRequest } from "openid-client";
import {
  createMock,
  type Mock,
  type MockOptions,
  type Workload,
  type WorkloadTerms,
} from "../../../src/mock/mod.ts";
import { test } from "../../runner.ts";

const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const secret = "a secret of the deployer";
const main = "repo:acme/shop:ref:refs/heads/main";

/** The clients and the trust of a server for deployments. The platform is at the same mock. */
function trusting(...subjects: readonly string[]): MockOptions {
  const issuer = "https://as.test/github-actions";
  return {
    clients: [{
      client_id: "deployer",
      client_secret: secret,
      grant_types: [jwtBearer],
      scope: "deploy",
    }],
    trust: [{ issuer, jwks_uri: `${issuer}/.well-known/jwks`, subjects, scope: "deploy" }],
  };
}

/** Sends the token as the assertion of a JWT authorization grant, with openid-client. */
async function exchange(as: Mock, issuer: string, { token }: Workload) {
  const config = await discovery(new URL(issuer), "deployer", undefined, ClientSecretBasic(secret), {
    [customFetch]: as.fetch,
  });
  return await genericGrantRequest(config, jwtBearer, { assertion: token });
}

test("workload: a tenant that trusts GitHub Actions gives an access token for the token of a job (RFC 7523 §2.1)", async () => {
  await using as = await createMock();
  const acme = as.tenant("acme", trusting(main));
  const mint = (terms: WorkloadTerms = {}) =>
    as.workload("github-actions", { sub: main, audience: acme.issuer, ...terms });
  const tokens = await exchange(as, acme.issuer, await mint());
  const { iss, sub, client_id, scope } = decodeJwt(tokens.access_token);
  assertEquals([iss, sub, client_id, scope], [acme.issuer, main, "deployer", "deploy"]);

  const refusals: readonly (readonly [terms: WorkloadTerms, reason: string])[] = [
    [{ sub: "repo:acme/shop:ref:refs/heads/dev" }, "jwt_grant_not_trusted"],
    [{ audience: as.issuer }, "jwt_grant_audience"],
    [{ claims: { exp: 1 } }, "jwt_grant_expired"],
  ];
  for (const [terms, reason] of refusals) {
    const workload = await mint(terms);
    await assertRejects(() => exchange(as, acme.issuer, workload), Error);
    assertEquals(acme.requests.token.last?.refusal?.reason, reason);
  }
});

test("workload: a platform takes many requests for one token, until the token ends (RFC 7523 §3)", async () => {
  await using as = await createMock(trusting("repo:acme/*"));
  const workload = await as.workload("github-actions", { sub: main, audience: as.issuer });
  for (let times = 0; times < 2; times++) await exchange(as, as.issuer, workload);
  as.clock.advance("10m");
  await assertRejects(() => exchange(as, as.issuer, workload), Error);
  assertEquals(as.requests.token.last?.refusal?.reason, "jwt_grant_expired");
  await exchange(as, as.issuer, await as.workload("github-actions", { sub: main, audience: as.issuer }));
});
