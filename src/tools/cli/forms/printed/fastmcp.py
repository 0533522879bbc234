# --- server.py: FastMCP 4, pip install fastmcp ---
#: if opaque
# A server asks the introspection endpoint about opaque tokens: IntrospectionTokenVerifier
#: else
from fastmcp import FastMCP
from fastmcp.server.auth import RemoteAuthProvider
from fastmcp.server.auth.providers.jwt import JWTVerifier
from fastmcp.server.dependencies import get_access_token

verifier = JWTVerifier(
    jwks_uri=__JWKS_URL__,
    issuer=__ISSUER__,
    audience=__MCP_URL__,
    algorithm="__ALG__",
)
auth = RemoteAuthProvider(
    token_verifier=verifier,
    authorization_servers=[__ISSUER__],
    base_url=__MCP_ORIGIN__,
#: if login
    scopes_supported=[__SCOPES__],
#: end
)
mcp = FastMCP("my-mcp-server", auth=auth)


@mcp.tool
def whoami() -> str:
    return get_access_token().claims["sub"]


mcp.run(transport="http", port=__MCP_PORT__, path=__MCP_PATH__)
#: end

# --- client.py: FastMCP 4 ---
#: if signs
# this client authenticates with __METHOD__, and this form signs no assertion
#: else if runs
#: if login
#: if not local_callback
# FastMCP receives the answer on this machine: add http://localhost/callback to redirect_uris, beside __FIRST_REDIRECT_URI__
#: end
#: if not offline_access
# FastMCP also requests offline_access: add it to the scope of this client
#: end
#: end
# __SECRET_NOTE__
import asyncio
#: if secret
import os
#: end

from fastmcp import Client
#: if login
from fastmcp.client.auth import OAuth

#: if none
auth = OAuth(client_id=__CLIENT_ID__)
#: else
auth = OAuth(
    client_id=__CLIENT_ID__,
    client_secret=os.environ["OAUTH_CLIENT_SECRET"],
#: if client_secret_basic
    additional_client_metadata={"token_endpoint_auth_method": "client_secret_basic"},
#: end
)
#: end
#: else
from fastmcp.client.auth import ClientCredentialsOAuthProvider

auth = ClientCredentialsOAuthProvider(
    client_id=__CLIENT_ID__,
    client_secret=os.environ["OAUTH_CLIENT_SECRET"],
    token_endpoint_auth_method="__METHOD__",
    issuer=__ISSUER__,
)
#: end


async def main():
    async with Client(__MCP_URL__, auth=auth) as client:
        print((await client.call_tool("whoami")).data)


asyncio.run(main())
#: else
# __SIGN_IN_PROBLEM__
#: end
