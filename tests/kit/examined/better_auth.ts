/** `better-auth` 1 with its plugin `genericOAuth`, without a database. */

import { betterAuth } from "better-auth";
import { createAuthClient } from "better-auth/client";
import { genericOAuth } from "better-auth/plugins";
import { createBrowser, locationOf, openedBy } from "./browser.ts";
import {
  application,
  callApi,
  challenges,
  countRefreshes,
  type Examined,
  needsTwoLogins,
  notUsed,
  ofApplication,
  refreshForCallers,
  resourceOf,
  scope,
  secret,
  SeenByDriver,
  signOut,
  withSecret,
} from "./examined.ts";

const callback = "/api/auth/callback/postern";

export const betterAuthClient: Examined = {
  package: "better-auth",
  use: "`genericOAuth` with `discoveryUrl`; `signIn.social()` of its client opens the login",
  leaves: {
    ...challenges,
    ...notUsed("pushed_request", "dpop"),
    "`listAccounts` shows the scope.": ["token_response.scope_more"],
    ...ofApplication,
  },
  notes: [
    "It takes the issuer from the metadata, and does not compare it with the address of the metadata. With " +
    "`requireIdTokenVerification: true`, it needs metadata with an issuer.",
    "It compares the `iss` of the authorization response, but accepts a response without one, even if the metadata " +
    "promises it.",
    "If the token response has no ID token, it takes the person from userinfo.",
    "It takes over the ID token of a refresh without a check (`refreshAccessToken` of `@better-auth/core`).",
    "It follows a redirect of userinfo, and `fetch` does not send the access token to another host.",
    "`listAccounts` shows the scope that a login granted, so there is no row about an additional one. A refresh does not " +
    "change what it shows.",
  ],
  options: withSecret("client_secret_post", { redirectUris: [`${application}${callback}`] }),
  does: ["two_refreshes"],
  async client(as, scenario) {
    const { issuer, clientId, postLogoutRedirectUri, phase, browse } = scenario;
    using _intercepted = as.intercept();
    const errors: unknown[] = [];
    const { resource } = resourceOf(scenario);
    const params = resource === undefined ? {} : { resource };
    const auth = betterAuth({
      baseURL: application,
      secret: "a secret for development, 32 characters or more",
      logger: {
        level: "error",
        log: (_level, ...details) => void errors.push(...details),
      },
      rateLimit: { enabled: false },
      telemetry: { enabled: false },
      plugins: [genericOAuth({
        config: [{
          providerId: "postern",
          clientId,
          clientSecret: secret,
          discoveryUrl: `${issuer}/.well-known/openid-configuration`,
          scopes: scope.split(" "),
          authorizationUrlParams: params,
          tokenUrlParams: params,
          ...(resource === undefined ? {} : { getUserInfo: () => Promise.resolve(person) }),
        }],
      })],
    });
    const open = createBrowser(application, (request) => auth.handler(request));
    const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
      const response = await open(`/api/auth${path}`, JSON.stringify(body));
      if (!response.ok) {
        throw findError(errors) ??
          new SeenByDriver(`${path} answers ${response.status}: ${await response.text()}`);
      }
      return await response.json();
    };
    const client = createAuthClient({
      baseURL: application,
      fetchOptions: {
        customFetchImpl: (input, init) => open(new URL(`${input}`).pathname, `${init?.body}`),
      },
    });
    const logIn = async () => {
      const opened = await openedBy(async () => {
        const { error } = await client.signIn.social({
          provider: "postern",
          callbackURL: "/home",
          errorCallbackURL: "/failed",
        });
        if (error !== null) {
          throw findError(errors) ??
            new SeenByDriver(`the application answers ${error.status}: ${error.message}`);
        }
      });
      const { pathname, searchParams } = await locationOf(await open((await browse(opened)).href));
      if (pathname !== "/home") {
        throw findError(errors) ??
          new SeenByDriver(`the application shows the error ${searchParams.get("error")}`);
      }
    };
    if (needsTwoLogins(scenario)) await logIn();
    await logIn();
    const readToken = async (path: string) => {
      const [account] = await (await open("/api/auth/list-accounts")).json();
      return `${(await post(path, { accountId: account.id }))["accessToken"]}`;
    };
    if (phase === "call_api") await callApi(fetch, scenario, await readToken("/get-access-token"));
    if (phase === "refresh") {
      for (let count = countRefreshes(scenario); count > 0; count--) {
        await refreshForCallers(
          scenario,
          async () => await callApi(fetch, scenario, await readToken("/refresh-token")),
        );
      }
    }
    if (phase === "logout") {
      const { url } = await post("/sign-out", { callbackURL: postLogoutRedirectUri });
      await signOut(scenario, `${url}`);
    }
  },
};

/** The person of a login for the API, because userinfo does not accept a token for the API. */
const person = { id: "person", email: "person@app.test", emailVerified: true, name: "Person" };

/** The library logs the errors that it turns into pages: as errors, or as texts. */
function findError(details: readonly unknown[]): Error | undefined {
  const text = details.find((each) => typeof each === "string");
  return details.find((each) => each instanceof Error) ?? (text === undefined ? undefined : new Error(text));
}
