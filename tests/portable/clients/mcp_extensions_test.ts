/**
 * The extensions of MCP in which no person signs in at the authorization server: the client and the server of the SDK,
 * with processes of `postern start` that have a configuration and nothing else.
 */

import { assertEquals } from "@std/assert";
import {
  ClientCredentialsProvider,
  PrivateKeyJwtProvider,
} from "@modelcontextprotocol/sdk/client/auth-extensions.js";
import { importJWK, type JWK, SignJWT } from "jose";
import { writeFile } from "node:fs/promises";
import * as oauth from "oauth4webapi";
import * as openid from "openid-client";
import type { FetchInit } from "../../../src/mock/mod.ts";
import { inFolder, type RunningServer, withServer } from "../../cli/command.ts";
import { findFreePort } from "../../free_port.ts";
import { runtime, test } from "../../runner.ts";
import { sampleKey } from "../../world.ts";
import { createJwtBearerProvider } from "./jwt_bearer_provider.ts";
import { withMcpServer } from "./mcp_application.ts";
import { callGreet } from "./mcp_client.ts";

const { d: _d, ...publicSampleKey } = sampleKey;
const companyRedirectUri = "https://app.test/callback";
const tokenType = "urn:ietf:params:oauth:token-type";
const tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange";
const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** Starts a server with this configuration in a file. */
async function withConfigured(
  configuration: object,
  work: (server: RunningServer) => Promise<void>,
  port?: number,
): Promise<void> {
  await inFolder(async (path) => {
    await writeFile(path("postern.json"), JSON.stringify(configuration));
    await withServer(["--config", path("postern.json")], work, undefined, port);
  });
}

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

const scopes = { scopes: { read: "Read" } };

testOnce(
  "client-credentials-basic: the client gets a token for itself (MCP, OAuth client credentials)",
  () => {
    const client = { client_id: "conformance-test-client", client_secret: "conformance-test-secret" };
    return withConfigured({ ...scopes, clients: [client] }, async ({ issuer }) => {
      const provider = new ClientCredentialsProvider({
        clientId: client.client_id,
        clientSecret: client.client_secret,
        expectedIssuer: issuer,
      });
      assertEquals(await greet(issuer, provider), "Hello conformance-test-client");
    });
  },
);

testOnce("client-credentials-jwt: the client signs its own assertion (MCP, OAuth client credentials)", () => {
  const client = {
    client_id: "conformance-test-client",
    token_endpoint_auth_method: "private_key_jwt",
    jwks: { keys: [publicSampleKey] },
  };
  return withConfigured({ ...scopes, clients: [client] }, async ({ issuer }) => {
    const provider = new PrivateKeyJwtProvider({
      clientId: client.client_id,
      privateKey: sampleKey,
      algorithm: "ES256",
      expectedIssuer: issuer,
    });
    assertEquals(await greet(issuer, provider), "Hello conformance-test-client");
  });
});

const platform = "https://idp.conformance-test.local";

/** Signs the token that a platform gives to one of its workloads. */
async function signWorkload(audience: string, subject = "workload-1"): Promise<string> {
  return await new SignJWT({}).setProtectedHeader({ alg: "ES256", typ: "JWT" }).setIssuer(platform)
    .setSubject(subject).setAudience(audience).setIssuedAt().setExpirationTime("5m")
    .sign(await importJWK(sampleKey as JWK, "ES256"));
}

const workloadClient = {
  client_id: "conformance-test-client",
  token_endpoint_auth_method: "none",
  grant_types: [jwtBearer],
};
const workloads = {
  ...scopes,
  clients: [workloadClient],
  trust: [{
    issuer: platform,
    jwks: { keys: [publicSampleKey] },
    subjects: ["workload-*"],
    publicClients: true,
  }],
};

testOnce(
  "wif-jwt-bearer: a workload exchanges the token of its platform (RFC 7523 §2.1)",
  () =>
    withConfigured(workloads, async ({ issuer }) => {
      const provider = createJwtBearerProvider({
        client: workloadClient,
        method: "none",
        assertion: (audience) => signWorkload(audience),
      });
      assertEquals(await greet(issuer, provider), "Hello workload-1");
    }),
);

testOnce(
  "wif-jwt-bearer: a workload that is not trusted gets invalid_grant (RFC 7523 §3.1)",
  () =>
    withConfigured(workloads, async ({ issuer }) => {
      const provider = createJwtBearerProvider({
        client: workloadClient,
        method: "none",
        assertion: (audience) => signWorkload(audience, "stranger"),
      });
      const { errorCode } = await greet(issuer, provider).catch((error) => error);
      assertEquals(errorCode, "invalid_grant");
    }),
);

const employee = { username: "bob", claims: { name: "Bob", email: "bob@example.com" } };
const application = { client_id: "conformance-test-client", client_secret: "conformance-test-secret" };

/** Starts an identity provider, and an authorization server that accepts its ID-JAGs. */
async function withEnterprise(
  work: (servers: { readonly provider: string; readonly issuer: string }) => Promise<void>,
): Promise<void> {
  const [providerPort, port] = [await findFreePort(), await findFreePort()];
  const provider = {
    people: [employee],
    clients: [{
      client_id: "enterprise-app",
      client_secret: "enterprise-secret",
      redirect_uris: [companyRedirectUri],
      grant_types: ["authorization_code", tokenExchange],
      token_exchange: {
        id_jag: [{ audience: `http://localhost:${port}`, client_id: application.client_id }],
      },
    }],
    login: "auto:bob",
  };
  const server = {
    ...scopes,
    people: [employee],
    clients: [{ ...application, grant_types: [jwtBearer] }],
    trust: [{
      issuer: `http://localhost:${providerPort}`,
      jwks_uri: `http://localhost:${providerPort}/oauth2/jwks`,
      idJag: true,
    }],
  };
  await withConfigured(
    provider,
    (first) =>
      withConfigured(server, (second) => work({ provider: first.issuer, issuer: second.issuer }), port),
    providerPort,
  );
}

testOnce(
  "enterprise-managed-authorization: bob signs in once at the company, and not at the server (ID-JAG §4)",
  () =>
    withEnterprise(async ({ provider, issuer }) => {
      const session = await signIn(provider);
      const jag = createJwtBearerProvider({
        client: application,
        method: "client_secret_basic",
        assertion: (audience, resource) => requestIdJag(session, audience, resource),
      });
      assertEquals(await greet(issuer, jag), "Hello bob");
    }),
);

testOnce(
  "enterprise-managed-authorization: the company decides which servers its people use (ID-JAG §4.3.3)",
  () =>
    withEnterprise(async ({ provider, issuer }) => {
      const session = await signIn(provider);
      const error = await requestIdJag(session, `${issuer}/other`, `${issuer}/mcp`).catch((thrown) => thrown);
      assertEquals(error.error, "invalid_target");
    }),
);

/** A session of bob in the application, at his company. */
interface EmployeeSession {
  readonly config: openid.Configuration;
  readonly idToken: string;
}

async function signIn(issuer: string): Promise<EmployeeSession> {
  const config = await openid.discovery(
    new URL(issuer),
    "enterprise-app",
    undefined,
    openid.ClientSecretBasic("enterprise-secret"),
    { execute: [openid.allowInsecureRequests] },
  );
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: companyRedirectUri,
    scope: "openid email",
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
  });
  const answer = await fetch(address, { redirect: "manual" });
  await answer.body?.cancel();
  const callback = new URL(answer.headers.get("location")!);
  const { id_token: idToken } = await openid.authorizationCodeGrant(config, callback, { pkceCodeVerifier });
  return { config, idToken: idToken! };
}

/** openid-client accepts no token_type `N_A`, but the library below it can be told. */
async function requestIdJag(
  { config, idToken }: EmployeeSession,
  audience: string,
  resource: string,
): Promise<string> {
  const server = config.serverMetadata();
  const client = config.clientMetadata();
  const response = await oauth.genericTokenEndpointRequest(
    server,
    client,
    oauth.ClientSecretBasic("enterprise-secret"),
    tokenExchange,
    {
      subject_token: idToken,
      subject_token_type: `${tokenType}:id_token`,
      requested_token_type: `${tokenType}:id-jag`,
      audience,
      resource,
    },
    { [oauth.allowInsecureRequests]: true },
  );
  const recognizedTokenTypes = { n_a: () => {} };
  const { access_token: idJag } = await oauth.processGenericTokenEndpointResponse(server, client, response, {
    recognizedTokenTypes,
  });
  return idJag;
}

function testOnce(name: string, body: () => Promise<void>): void {
  const title = `mcp extension ${name}`;
  if (runtime !== "deno") test.skip(title, "it does not depend on the runtime");
  else test(title, body);
}
