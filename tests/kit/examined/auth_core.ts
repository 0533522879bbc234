/** `@auth/core` with a provider of the type `oidc`. */

import { Auth, type AuthConfig } from "@auth/core";
import type { Mock, Scenario } from "../../../src/kit/mod.ts";
import { createBrowser, locationOf } from "./browser.ts";
import {
  application,
  callApi,
  challenges,
  type Examined,
  grantedScopes,
  needsTwoLogins,
  notUsed,
  ofApplication,
  resourceOf,
  scope,
  secret,
  SeenByDriver,
  sentTokens,
  withSecret,
} from "./examined.ts";

const callback = "/api/auth/callback/postern";
const base = {
  package: "@auth/core",
  dependsOn: ["oauth4webapi"],
  leaves: {
    ...challenges,
    ...notUsed("pushed_request", "dpop"),
    "The library redirects the browser, and no browser follows a redirect to a script.": [
      "metadata.authorization_endpoint_script",
    ],
    ...ofApplication,
    ...grantedScopes,
  },
  notes: [
    "It asks for userinfo before it refuses an empty `sub`.",
    "It uses `oauth4webapi`, which compares the issuer of the metadata as a `URL`, and accepts the algorithms that the " +
    "metadata lists.",
    "It always sets the option `allowInsecureRequests` of `oauth4webapi`, so a token endpoint may be http.",
    "It gives the scope of a token to the callback `jwt`, in `account.scope`. So there is no row about an additional scope.",
  ],
  options: withSecret("client_secret_basic", { redirectUris: [`${application}${callback}`] }),
} satisfies Partial<Examined>;

export const authCore: Examined = {
  ...base,
  use: 'a provider of the type `oidc` with the default `checks: ["pkce"]`',
  // It asks for no userinfo.
  leaves: { ...base.leaves, ...sentTokens },
  client: (as, scenario) => run(as, scenario, {}),
};

export const authCoreWithChecks: Examined = {
  ...base,
  use: 'a provider of the type `oidc` with `checks: ["pkce", "state", "nonce"]`, `idToken: false`',
  client: (as, scenario) => run(as, scenario, { checks: ["pkce", "state", "nonce"], idToken: false }),
};

type Provider = Extract<AuthConfig["providers"][number], { readonly type: "oidc" }>;

async function run(as: Mock, scenario: Scenario, more: Pick<Provider, "checks" | "idToken">): Promise<void> {
  const { issuer, clientId, phase, browse } = scenario;
  using _intercepted = as.intercept();
  const logged: Error[] = [];
  let accessToken: string | undefined;
  const resource = resourceOf(scenario);
  // Userinfo does not accept a token for the API.
  const { idToken = true, ...others } = resource.resource === undefined ? more : { ...more, idToken: true };
  const config: AuthConfig = {
    basePath: "/api/auth",
    secret: "a secret for development, 32 characters or more",
    trustHost: true,
    logger: { error: (error) => void logged.push(error), warn() {}, debug() {} },
    providers: [{
      id: "postern",
      name: "Postern",
      type: "oidc",
      issuer,
      clientId,
      clientSecret: secret,
      authorization: { params: { scope, ...resource } },
      idToken,
      ...others,
    }],
    callbacks: {
      jwt({ token, account }) {
        accessToken ??= account?.access_token;
        return token;
      },
    },
  };
  const open = createBrowser(application, (request) => Auth(request, config));
  const logIn = async () => {
    const { csrfToken } = await (await open("/api/auth/csrf")).json();
    const form = new URLSearchParams({ csrfToken });
    const begun = await locationOf(await open("/api/auth/signin/postern", `${form}`));
    requireNoError(logged);
    await open((await browse(begun)).href);
    requireNoError(logged);
  };
  if (needsTwoLogins(scenario)) await logIn();
  await logIn();
  const session = await (await open("/api/auth/session")).json();
  if (session === null || accessToken === undefined) throw new SeenByDriver("no person is signed in");
  if (phase === "call_api") await callApi(fetch, scenario, accessToken);
}

/** Auth.js logs an error, and shows a page. The cause says more than the page. */
function requireNoError([error]: readonly Error[]): void {
  if (error === undefined) return;
  const cause = error.cause as { readonly err?: Error } | undefined;
  throw cause?.err ?? error;
}
