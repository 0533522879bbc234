/**
 * The extensions of MCP in which no person signs in at the authorization server: the client and the server of the SDK,
 * with a process of `postern start` that has a configuration and nothing else. `id_jag_test.ts` has
 * enterprise-managed authorization.
 */

import { assertEquals } from "@std/assert";
import {
  ClientCredentialsProvider,
  PrivateKeyJwtProvider,
} from "@modelcontextprotocol/sdk/client/auth-extensions.js";
import { importJWK, type JWK, SignJWT } from "jose";
import { writeFile } from "node:fs/promises";
import type { FetchInit } from "../../src/kit/mod.ts";
import { withServer } from "../tools/cli/command.ts";
import { inFolder } from "../in_folder.ts";
import { createJwtBearerProvider } from "../portable/kit/clients/jwt_bearer_provider.ts";
import { withMcpServer } from "../portable/kit/clients/mcp_application.ts";
import { callGreet } from "../portable/kit/clients/mcp_client.ts";
import { test } from "../runner.ts";
import { sampleKey } from "../world.ts";

const { d: _d, ...publicSampleKey } = sampleKey;
const jwks = { keys: [publicSampleKey] };
const platform = "https://idp.conformance-test.local";

const clients = {
  basic: { client_id: "with-a-secret", client_secret: "conformance-test-secret" },
  jwt: { client_id: "with-a-key", token_endpoint_auth_method: "private_key_jwt", jwks },
  workload: {
    client_id: "workload",
    token_endpoint_auth_method: "none",
    grant_types: ["urn:ietf:params:oauth:grant-type:jwt-bearer"],
  },
};

const configuration = {
  scopes: { read: "Read" },
  clients: Object.values(clients),
  trust: [{ issuer: platform, jwks, subjects: ["workload-*"], publicClients: true }],
};

/** Calls the tool of an MCP server that accepts the tokens of the issuer. Resolves to what the tool has said. */
async function greet(issuer: string, provider: object): Promise<string> {
  let said = "";
  await withMcpServer({ issuer }, async ({ url }) => {
    const as = {
      fetch: (input: string | URL | Request, init?: FetchInit) => fetch(input, init as RequestInit),
      authorize: () => Promise.reject(new Error("no person signs in")),
    };
    said = await callGreet({ as, url, saved: { verifier: "" }, application: { provider } });
  });
  return said;
}

/** A workload with the token that its platform gives it (RFC 7523 §2.1). */
function createWorkload(subject: string): object {
  return createJwtBearerProvider({
    client: clients.workload,
    method: "none",
    assertion: async (audience) =>
      await new SignJWT({}).setProtectedHeader({ alg: "ES256", typ: "JWT" }).setIssuer(platform)
        .setSubject(subject).setAudience(audience).setIssuedAt().setExpirationTime("5m")
        .sign(await importJWK(sampleKey as JWK, "ES256")),
  });
}

test("mcp extensions: client-credentials-basic, client-credentials-jwt and wif-jwt-bearer (MCP)", () =>
  inFolder(async (path) => {
    await writeFile(path("postern.json"), JSON.stringify(configuration));
    await withServer(["--config", path("postern.json")], async ({ issuer: expectedIssuer }) => {
      const { client_id: clientId, client_secret: clientSecret } = clients.basic;
      const basic = new ClientCredentialsProvider({ clientId, clientSecret, expectedIssuer });
      assertEquals(await greet(expectedIssuer, basic), "Hello with-a-secret");

      const key = { clientId: "with-a-key", privateKey: sampleKey, algorithm: "ES256", expectedIssuer };
      assertEquals(await greet(expectedIssuer, new PrivateKeyJwtProvider(key)), "Hello with-a-key");

      assertEquals(await greet(expectedIssuer, createWorkload("workload-1")), "Hello workload-1");
      const refused = await greet(expectedIssuer, createWorkload("stranger")).catch((error) => error);
      assertEquals(refused.errorCode, "invalid_grant", "the platform's other workloads are not trusted");
    });
  }));
