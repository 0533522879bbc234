// A login with Auth.js, for an examination by Postern. Change it to what your application does.
//   __STEPS__
import { Auth } from "@auth/core";

const { OAUTH_ISSUER, OAUTH_SCOPE, OAUTH_RESOURCE } = process.env;
const application = "http://localhost:3000/auth";
const cookies = new Map(), errors = [];
let accessToken;
const config = {
  basePath: "/auth",
  secret: "for development only, 32 characters or more",
  trustHost: true,
  logger: { error: (error) => errors.push(error.cause?.err ?? error), warn() {}, debug() {} },
  providers: [{
    id: "postern",
    type: "oidc",
    issuer: OAUTH_ISSUER,
    clientId: "authjs", // not OAUTH_CLIENT_ID, because Auth.js has a redirect URI of its own
    client: { token_endpoint_auth_method: "none" },
    authorization: { params: { scope: `${OAUTH_SCOPE} orders`, resource: OAUTH_RESOURCE } },
    checks: ["pkce", "state", "nonce"],
  }],
  callbacks: { jwt: ({ token, account }) => (accessToken ??= account?.access_token, token) },
};

/** The browser at the application. */
async function open(url, more) {
  const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
  const response = await Auth(new Request(url, { headers: { cookie }, ...more }), config);
  for (const line of response.headers.getSetCookie()) cookies.set(...line.split(";")[0].split(/=(.*)/s, 2));
  if (errors.length > 0) throw errors[0];
  return response;
}

const { csrfToken } = await (await open(`${application}/csrf`)).json();
const body = new URLSearchParams({ csrfToken });
const begun = await open(`${application}/signin/postern`, { method: "POST", body });
// The server signs in without a page.
const { headers } = await fetch(begun.headers.get("location"), { redirect: "manual" });
await open(headers.get("location"));
if (accessToken === undefined) throw new Error("no person is signed in");
const answer = await fetch(OAUTH_RESOURCE, { headers: { authorization: `Bearer ${accessToken}` } });
if (!answer.ok) throw new Error(`the API answers ${answer.status}`);
