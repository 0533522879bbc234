/** An MCP server of the SDK with Express, which accepts the tokens of one authorization server. */

import { InvalidTokenError } from "@modelcontextprotocol/sdk/server/auth/errors.js";
import { requireBearerAuth } from "@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js";
import {
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthMetadataRouter,
} from "@modelcontextprotocol/sdk/server/auth/router.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { findFreePort } from "../../../free_port.ts";
import { type Application, load, withApplication } from "../../server/clients/express_application.ts";

/** The MCP server, and what its middleware has answered. */
export interface McpApplication {
  readonly url: string;
  readonly statuses: readonly number[];
}

/** Every request needs the scope `read`. The tool needs `toolScopes` in addition. */
export async function withMcpServer(
  { issuer, toolScopes = [] }: {
    readonly issuer: string;
    readonly toolScopes?: readonly string[] | undefined;
  },
  work: (application: McpApplication) => Promise<void>,
): Promise<void> {
  const port = await findFreePort();
  const url = new URL(`http://localhost:${port}/mcp`);
  const oauthMetadata = await (await fetch(`${issuer}/.well-known/oauth-authorization-server`)).json();
  // Its own limit is five seconds of real time, which a busy machine may need.
  const keys = createRemoteJWKSet(new URL(oauthMetadata.jwks_uri), { timeoutDuration: 60_000 });
  const statuses: number[] = [];

  async function verifyAccessToken(token: string): Promise<object> {
    const terms = { issuer, audience: url.href, typ: "at+jwt", requiredClaims: ["exp"] };
    const { payload } = await jwtVerify(token, keys, terms).catch((error) => {
      throw new InvalidTokenError(error.message);
    });
    const { client_id: clientId, scope, exp: expiresAt, sub } = payload;
    return { token, clientId, scopes: `${scope}`.split(" "), expiresAt, extra: { person: sub } };
  }

  const protectedBy = (...requiredScopes: readonly string[]) =>
    requireBearerAuth({
      verifier: { verifyAccessToken },
      requiredScopes,
      resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(url),
    });
  const [reading, greeting] = [protectedBy("read"), protectedBy("read", ...toolScopes)];

  const build = async (application: Application & ExpressMore) => {
    const express = await load<{ json(): unknown }>("express");
    application.use(mcpAuthMetadataRouter({ oauthMetadata, resourceServerUrl: url }));
    application.post(
      "/mcp",
      express.json(),
      (request, response, next) => {
        response.on("finish", () => void statuses.push(response.statusCode));
        return (request.body.method === "tools/call" ? greeting : reading)(request, response, next);
      },
      handleMcp,
    );
  };
  await withApplication(
    port,
    (application) => build(application as Application & ExpressMore),
    () => work({ url: url.href, statuses }),
  );
}

// deno-lint-ignore no-explicit-any -- Deno does not find the types of Express and of the SDK
type Any = any;

interface ExpressMore {
  post(path: string, json: unknown, ...handlers: readonly ((...given: Any[]) => unknown)[]): void;
}

async function handleMcp(request: Any, response: Any): Promise<void> {
  const server = new McpServer({ name: "greeter", version: "1.0.0" });
  server.registerTool("greet", {}, ({ authInfo }: Any) => ({
    content: [{ type: "text", text: `Hello ${authInfo.extra.person}` }],
  }));
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.on("close", () => void server.close());
  await server.connect(transport as Any);
  await transport.handleRequest(request, response, request.body);
}
