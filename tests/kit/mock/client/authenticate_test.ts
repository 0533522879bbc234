/** The client of the kit authenticates by each method of the server, for each kind of request. */
import { assert, assertEquals } from "@std/assert";
import { exportJWK, generateKeyPair } from "jose";
import { defaultFeatures, everyFeature } from "../../../../src/server/features/mod.ts";
import { createMock } from "../../../../src/kit/mod.ts";
import { gatherSlots } from "../../../../src/server/slots.ts";
import { test } from "../../../runner.ts";

const pair = await generateKeyPair("ES256", { extractable: true });
const clientKey = { ...await exportJWK(pair.privateKey), kid: "k" } as JsonWebKey;
const jwks = { keys: [{ ...await exportJWK(pair.publicKey), kid: "k" }] };
const secret = "a secret of more than 32 octets: %&+é";

/** What a client registers besides its method. */
function registered(method: string): object {
  if (method === "none") return {};
  if (method === "tls_client_auth") return { tls_client_auth_subject_dn: "CN=app" };
  return method.startsWith("client_secret_") ? { client_secret: secret } : { jwks };
}

const methods = ["none", ...gatherSlots(defaultFeatures(everyFeature)).clientAuth.keys()];

for (const method of methods) {
  test(`client: it pushes, redeems, refreshes and revokes by ${method} (RFC 7591 §2)`, async () => {
    const app = {
      client_id: "app",
      redirect_uris: ["https://app.test/cb"],
      token_endpoint_auth_method: method,
      ...registered(method),
    };
    await using as = await createMock({ alg: "ES256", mtls: {}, clients: [app as never] });
    const { jwk } = await as.certificate("app", { selfSigned: method === "self_signed_tls_client_auth" });
    if (method === "self_signed_tls_client_auth") {
      as.clients.change("app", { jwks: { keys: [jwk as never] } });
    }
    const tokens = await as.login("alice", { clientKey, pushed: true });
    const fresh = await as.refresh(tokens);
    await as.revoke(fresh);
    const sent = as.requests.filter(({ endpoint }) => endpoint !== "authorize");
    assertEquals(sent.map(({ endpoint }) => endpoint), ["par", "token", "token", "revoke"]);
    assert(sent.every(({ status = 500 }) => status < 300));
    assertEquals(sent.map(({ clientAuth }) => clientAuth), Array(4).fill(method));
  });
}

test("client: refresh signs with the clientKey of its call, which later calls remember", async () => {
  const app = {
    client_id: "app",
    redirect_uris: ["https://app.test/cb"],
    token_endpoint_auth_method: "private_key_jwt" as const,
  };
  await using as = await createMock({ alg: "ES256", clients: [{ ...app, jwks } as never] });
  const tokens = await as.login("alice", { clientKey });
  const other = await generateKeyPair("ES256", { extractable: true });
  as.clients.change("app", { jwks: { keys: [await exportJWK(other.publicKey)] } as never });
  await as.revoke(await as.refresh(tokens, { clientKey: await exportJWK(other.privateKey) as never }));
  assertEquals([...as.requests].slice(-2).map(({ status }) => status), [200, 200]);
});
