/** Clients that use a library for a part of their work, each as the advisory of the library describes its use. */

import { createHash, randomBytes } from "node:crypto";

/** By the name of the flaw: takes the library, and returns a client for `examine`. */
export const clients = {
  "CVE-2026-22036": ({ fetch }) => async (_as, scenario) => {
    const { access_token: token } = await logIn(scenario, fetch);
    await callApi(scenario, token, fetch);
  },
  "CVE-2022-0235": (nodeFetch) => async (_as, scenario) => {
    const { access_token: token } = await logIn(scenario);
    await callApi(scenario, token, nodeFetch);
  },
  "CVE-2021-41580": (Strategy) => async (_as, scenario) => {
    const { issuer, redirectUri: callbackURL, api, browse } = scenario;
    const settings = {
      authorizationURL: `${issuer}/oauth2/authorize?${new URLSearchParams({ resource: api })}`,
      tokenURL: `${issuer}/oauth2/token`,
      ...{ clientID: "app", clientSecret: secret, callbackURL, scope: "orders", pkce: true, state: true },
    };
    const session = {};
    const step = (url) =>
      new Promise((resolve, reject) => {
        const verify = (accessToken, _refreshToken, _profile, done) => done(null, { accessToken });
        Object.assign(new Strategy(settings, verify), {
          ...{ redirect: resolve, success: resolve, error: reject },
          fail: ({ message } = {}) => reject(new Error(message)),
        }).authenticate({ url, query: Object.fromEntries(new URL(url).searchParams), headers: {}, session });
      });
    const { accessToken } = await step((await browse(await step(callbackURL))).href);
    await callApi(scenario, accessToken);
  },
  "CVE-2023-31999": (plugin, load) => {
    // The program starts once, and serves each login.
    let app;
    return async (_as, { issuer, redirectUri, api, browse }) => {
      const credentials = {
        client: { id: "app", secret },
        auth: { tokenHost: issuer, tokenPath: "/oauth2/token", authorizePath: "/oauth2/authorize" },
        options: { authorizationMethod: "body" },
      };
      app = load("fastify")();
      app.register(plugin, {
        ...{ name: "oauth", credentials, scope: ["openid", "orders"], startRedirectPath: "/login" },
        ...{ callbackUri: redirectUri, callbackUriParams: { resource: api } },
      });
      app.get("/callback", async function (request) {
        return (await this.oauth.getAccessTokenFromAuthorizationCodeFlow(request)).token;
      });
      const { headers, cookies } = await app.inject("/login");
      const { pathname, search } = await browse(headers.location);
      const sent = Object.fromEntries(cookies.map(({ name, value }) => [name, value]));
      const response = await app.inject({ url: pathname + search, cookies: sent });
      if (response.statusCode !== 200) throw new Error(response.body);
      await callApi({ api }, response.json().access_token);
    };
  },
};

const secret = "a-secret-of-this-test";
const withSecret = { client_secret: secret, token_endpoint_auth_method: "client_secret_post" };

/** The metadata of clients that need a secret, or have no PKCE. */
export const metadata = {
  "CVE-2021-41580": withSecret,
  "CVE-2023-31999": { ...withSecret, require_pkce: false, oauth_version: "2.0" },
};

/** Logs in with PKCE. The library sends the token request. */
async function logIn({ issuer, clientId, redirectUri, api, browse }, send = fetch) {
  const verifier = randomBytes(32).toString("base64url");
  const state = randomBytes(32).toString("base64url");
  const code_challenge = createHash("sha256").update(verifier).digest("base64url");
  const asked = {
    ...{ response_type: "code", client_id: clientId, redirect_uri: redirectUri, state, scope: "orders" },
    ...{ code_challenge, code_challenge_method: "S256", resource: api },
  };
  const { searchParams } = await browse(`${issuer}/oauth2/authorize?${new URLSearchParams(asked)}`);
  if (searchParams.get("state") !== state) throw new Error("the state differs");
  const response = await send(`${issuer}/oauth2/token`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: `${new URLSearchParams({
      ...{ grant_type: "authorization_code", code: searchParams.get("code"), client_id: clientId },
      ...{ redirect_uri: redirectUri, code_verifier: verifier },
    })}`,
  });
  if (!response.ok) throw new Error("the token request failed");
  return await response.json();
}

async function callApi({ api }, token, send = fetch) {
  const response = await send(api, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(`the API answered ${response.status}`);
}
