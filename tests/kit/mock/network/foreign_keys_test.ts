/** Servers of one mock trust one another: each reads the keys of the others without a network. */

import { assertEquals } from "@std/assert";
import {
  createMock,
  type Mock,
  type MockOptions,
  type Tenant,
  workloadPlatforms,
} from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";

const grant_type = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const client = { client_id: "deployer", client_secret: "secret", grant_types: [grant_type] };

function trusting(as: Mock, jwks_uri: string, issuer: string, name = "api"): Tenant {
  const options: Omit<MockOptions, "issuer"> = {
    clients: [client],
    trust: [{ issuer, jwks_uri, subjects: ["*"] }],
  };
  return as.tenant(name, options);
}

/** Sends a JWT as a grant, and returns the status, or the reason of the refusal. */
async function send(as: Mock, api: Tenant, assertion: string): Promise<unknown> {
  const answer = await as.fetch(`${api.issuer}/oauth2/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa("deployer:secret")}` },
    body: new URLSearchParams({ grant_type, assertion }),
  });
  return answer.status === 200 ? 200 : api.requests.token.last?.refusal?.reason;
}

test("foreign keys: a tenant fetches the keys of another one, and again after a rotation (RFC 7517 §5)", async () => {
  await using as = await createMock({ alg: "ES256" });
  const { issuer, jwksUri } = await as.workload("spiffe", { audience: "https://as.test/api" });
  const api = trusting(as, jwksUri, issuer);
  const platform = as.tenant("spiffe");
  const exchange = async () =>
    await send(as, api, (await as.workload("spiffe", { audience: api.issuer })).token);
  const before = platform.requests.jwks.length;
  assertEquals([await exchange(), await exchange()], [200, 200]);
  assertEquals(platform.requests.jwks.length, before + 1);
  await platform.rotateKeys({ atOnce: true });
  assertEquals(await exchange(), 200);
  assertEquals(platform.requests.jwks.length, before + 2);
});

test("foreign keys: those of another origin come from there, also at a path that the mock has", async () => {
  await using other = await createMock({ alg: "ES256", issuer: "https://elsewhere.test" });
  await using as = await createMock({ alg: "ES256", fetch: other.fetch });
  await as.workload("spiffe", { audience: "https://as.test/api" });
  const { issuer, jwksUri } = await other.workload("spiffe", { audience: "https://as.test/api" });
  const api = trusting(as, jwksUri, issuer);
  const { token } = await other.workload("spiffe", { audience: api.issuer });
  assertEquals(await send(as, api, token), 200);
});

test("foreign keys: the tokens of each platform are accepted as grants (RFC 7523 §3)", async () => {
  await using as = await createMock({ alg: "ES256" });
  for (const platform of workloadPlatforms) {
    const name = `api-for-${platform}`;
    const { issuer, jwksUri, token } = await as.workload(platform, { audience: `${as.issuer}/${name}` });
    assertEquals(await send(as, trusting(as, jwksUri, issuer, name), token), 200, platform);
  }
});

test("foreign keys: another address of the mock is not fetched, and a closed tenant gives no keys", async () => {
  await using as = await createMock({ alg: "ES256" });
  const [audience, other] = [`${as.issuer}/api`, `${as.issuer}/other`];
  const { issuer, token } = await as.workload("spiffe", { audience });
  const late = await as.workload("spiffe", { audience: other });
  const wrong = trusting(as, `${as.issuer}/userinfo`, issuer);
  assertEquals(await send(as, wrong, token), "jwt_grant_keys_unavailable");
  assertEquals(as.requests.length, 0);
  await as.tenant("spiffe").close();
  assertEquals(
    await send(as, trusting(as, late.jwksUri, issuer, "other"), late.token),
    "jwt_grant_keys_unavailable",
  );
});
