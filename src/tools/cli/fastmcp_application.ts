/** Prints two programs for FastMCP, the Python framework: an MCP server that checks tokens, and its client. */

import { publicClientMethod } from "../../server/oauth/clients/client.ts";
import type { Settings } from "../../server/oauth/settings.ts";
import {
  type Application,
  describePlainFlow,
  mcpUrlOf,
  noteSecret,
  quote,
  secretName,
  urlOf,
} from "./application_terms.ts";
import { portOf } from "./library_address.ts";

export function describeFastmcp(application: Application, settings: Settings): readonly string[] {
  const { issuer, method } = application;
  const url = mcpUrlOf(settings);
  return [
    ...describeServer(application, url, settings),
    "",
    "# --- client.py: FastMCP 4 ---",
    ...describePlainFlow(application, {
      mark: "#",
      limit: "this form signs no assertion",
      logIn: ({ redirectUris, clientId }) => [
        ...noteAddress(redirectUris),
        ...noteScope(settings.clients.get(clientId)?.scope),
        ...callServer(
          application,
          url,
          "OAuth",
          method === "client_secret_basic"
            ? [`additional_client_metadata={"token_endpoint_auth_method": ${quote(method)}}`]
            : [],
        ),
      ],
      getToken: () =>
        callServer(application, url, "ClientCredentialsOAuthProvider", [
          `token_endpoint_auth_method=${quote(method)}`,
          `issuer=${quote(issuer)}`,
        ]),
    }),
  ];
}

function describeServer(
  { issuer, scope, redirectUris }: Application,
  url: string,
  settings: Settings,
): readonly string[] {
  const begin = "# --- server.py: FastMCP 4, pip install fastmcp ---";
  if (settings.accessTokens === "opaque") {
    return [
      begin,
      "# A server asks the introspection endpoint about opaque tokens: IntrospectionTokenVerifier",
    ];
  }
  const { origin, pathname } = new URL(url);
  return [
    begin,
    "from fastmcp import FastMCP",
    "from fastmcp.server.auth import RemoteAuthProvider",
    "from fastmcp.server.auth.providers.jwt import JWTVerifier",
    "from fastmcp.server.dependencies import get_access_token",
    "",
    "verifier = JWTVerifier(",
    `    jwks_uri=${quote(urlOf("jwks", settings))},`,
    `    issuer=${quote(issuer)},`,
    `    audience=${quote(url)},`,
    `    algorithm=${quote(settings.alg)},`,
    ")",
    "auth = RemoteAuthProvider(",
    "    token_verifier=verifier,",
    `    authorization_servers=[${quote(issuer)}],`,
    `    base_url=${quote(origin)},`,
    // Without this list the client requests an empty scope. A client for itself then sends none.
    ...(redirectUris.length === 0 ? [] : [`    scopes_supported=[${scope.map(quote).join(", ")}],`]),
    ")",
    'mcp = FastMCP("my-mcp-server", auth=auth)',
    "",
    "",
    "@mcp.tool",
    "def whoami() -> str:",
    '    return get_access_token().claims["sub"]',
    "",
    "",
    `mcp.run(transport="http", port=${portOf(url)}, path=${quote(pathname)})`,
  ];
}

/** FastMCP takes a free port, and the port of a loopback redirect URI may differ (RFC 8252 §7.3). */
function noteAddress(redirectUris: readonly string[]): readonly string[] {
  return redirectUris.some((uri) => /^http:\/\/localhost(:\d+)?\/callback$/.test(uri)) ? [] : [
    "# FastMCP receives the answer on this machine: " +
    `add http://localhost/callback to redirect_uris, beside ${redirectUris[0]}`,
  ];
}

function noteScope(registered: readonly string[] | undefined): readonly string[] {
  return registered === undefined || registered.includes("offline_access")
    ? []
    : ["# FastMCP also requests offline_access: add it to the scope of this client"];
}

function callServer(
  application: Application,
  url: string,
  provider: string,
  more: readonly string[],
): readonly string[] {
  const { clientId, method } = application;
  const isPublic = method === publicClientMethod;
  return [
    ...noteSecret(application, "#"),
    "import asyncio",
    ...(isPublic ? [] : ["import os"]),
    "",
    "from fastmcp import Client",
    `from fastmcp.client.auth import ${provider}`,
    "",
    ...(isPublic ? [`auth = ${provider}(client_id=${quote(clientId)})`] : [
      `auth = ${provider}(`,
      `    client_id=${quote(clientId)},`,
      `    client_secret=os.environ["${secretName}"],`,
      ...more.map((line) => `    ${line},`),
      ")",
    ]),
    "",
    "",
    "async def main():",
    `    async with Client(${quote(url)}, auth=auth) as client:`,
    '        print((await client.call_tool("whoami")).data)',
    "",
    "",
    "asyncio.run(main())",
  ];
}
