/** Client libraries in a page of the site with the worker, each with the same steps. */

import { type Evaluating, runWithWorker } from "./worker_site.ts";

export interface Library {
  /** Options of `startWorker` besides the client. */
  readonly worker?: string;
  /**
   * Creates an object with `redirect()`, which leaves the page; `finish()`, which resolves to the person at the callback;
   * `popup()`, which does so after a sign-in in a window; and ways to renew, which resolve to the access token.
   */
  readonly program: string;
  /** The ways to renew without a page. */
  readonly renews: readonly string[];
  readonly hasPopup: boolean;
}

export const libraries: Readonly<Record<string, Library>> = {
  "oidc-client-ts": {
    program: `
      await import("/oidc-client-ts.js");
      const callback = location.origin + "/oidc_callback";
      const manager = new oidc.UserManager({
        authority: location.origin + "/idp", client_id: "app", redirect_uri: redirectUri, scope: "openid offline_access",
        popup_redirect_uri: callback, silent_redirect_uri: callback,
      });
      const renew = async () => (await manager.signinSilent()).access_token;
      return {
        redirect: () => manager.signinRedirect(),
        finish: async () => (await manager.signinCallback()).profile.sub,
        popup: async () => (await manager.signinPopup()).profile.sub,
        refresh: renew,
        async frame() {
          const user = await manager.getUser();
          // Without a refresh token, the client uses a frame.
          delete user.refresh_token;
          await manager.storeUser(user);
          return await renew();
        },
      };
    `,
    renews: ["refresh", "frame"],
    hasPopup: true,
  },
  "oauth4webapi": {
    program: `
      const server = await discover(location.origin + "/idp");
      const callback = location.origin + "/message_callback";
      async function begin(redirect_uri, params) {
        sessionStorage.verifier = oauth.generateRandomCodeVerifier();
        const url = new URL(server.authorization_endpoint);
        url.search = new URLSearchParams({
          ...client, redirect_uri, response_type: "code", scope: "openid offline_access", state: "s", ...params,
          code_challenge: await oauth.calculatePKCECodeChallenge(sessionStorage.verifier), code_challenge_method: "S256",
        });
        return url.href;
      }
      async function redeem(href, redirect_uri) {
        const params = oauth.validateAuthResponse(server, client, new URL(href), "s");
        const response = await oauth.authorizationCodeGrantRequest(
          server, client, oauth.None(), params, redirect_uri, sessionStorage.verifier, insecure);
        const tokens = await oauth.processAuthorizationCodeResponse(server, client, response);
        await oauth.validateApplicationLevelSignature(server, response, insecure);
        sessionStorage.refresh = tokens.refresh_token;
        return tokens;
      }
      /** Resolves to the address at which the other window has ended. */
      const receive = () => new Promise((resolve) => addEventListener("message", ({ data }) => resolve(data), { once: true }));
      return {
        redirect: async () => location.assign(await begin(redirectUri)),
        finish: async () => oauth.getValidatedIdTokenClaims(await redeem(location.href, redirectUri)).sub,
        async popup() {
          const popup = open("", "", "width=500,height=700");
          popup.location.href = await begin(callback);
          const href = await receive();
          popup.close();
          return oauth.getValidatedIdTokenClaims(await redeem(href, callback)).sub;
        },
        async frame() {
          const frame = document.body.appendChild(document.createElement("iframe"));
          frame.src = await begin(callback, { prompt: "none" });
          const href = await receive();
          frame.remove();
          return (await redeem(href, callback)).access_token;
        },
        async refresh() {
          const response = await oauth.refreshTokenGrantRequest(
            server, client, oauth.None(), sessionStorage.refresh, insecure);
          return (await oauth.processRefreshTokenResponse(server, client, response)).access_token;
        },
      };
    `,
    renews: ["refresh", "frame"],
    hasPopup: true,
  },
  "auth0-spa-js": {
    worker: `paths: "auth0"`,
    program: `
      const { Auth0Client } = await import("/auth0-spa-js.js");
      const create = (options) => new Auth0Client({
        domain: location.origin + "/idp", clientId: "app", authorizationParams: { redirect_uri: redirectUri }, ...options,
      });
      const framed = create({});
      // In memory, a script of the library renews, which accepts no domain with a path.
      const refreshing = create({ useRefreshTokens: true, cacheLocation: "localstorage" });
      const nameOf = async (auth0) => (await auth0.getUser()).sub;
      return {
        redirect: () => refreshing.loginWithRedirect(),
        finish: async () => (await refreshing.handleRedirectCallback(), await nameOf(refreshing)),
        popup: async () => (await framed.loginWithPopup(), await nameOf(framed)),
        refresh: () => refreshing.getTokenSilently({ cacheMode: "off" }),
        frame: () => framed.getTokenSilently({ cacheMode: "off" }),
      };
    `,
    renews: ["refresh", "frame"],
    hasPopup: true,
  },
  "keycloak-js": {
    worker: `lookLike: "keycloak"`,
    program: `
      const { default: Keycloak } = await import("/keycloak-js.js");
      const create = async (options) => {
        const keycloak = new Keycloak({ oidcProvider: location.origin + "/idp", clientId: "app" });
        await keycloak.init({ checkLoginIframe: false, ...options });
        return keycloak;
      };
      let keycloak;
      return {
        redirect: async () => (await create({})).login({ redirectUri }),
        async finish() {
          keycloak = await create({});
          return keycloak.subject;
        },
        frame: async () =>
          (await create({ onLoad: "check-sso", silentCheckSsoRedirectUri: location.origin + "/message_callback" })).token,
        refresh: async () => (await keycloak.updateToken(-1), keycloak.token),
      };
    `,
    renews: ["refresh", "frame"],
    hasPopup: false,
  },
  "keycloak-js with url and realm": {
    worker: `paths: "keycloak", lookLike: "keycloak"`,
    program: `
      const { default: Keycloak } = await import("/keycloak-js.js");
      const keycloak = new Keycloak({ url: location.origin + "/idp", realm: "master", clientId: "app" });
      await keycloak.init({ checkLoginIframe: false });
      return {
        redirect: () => keycloak.login({ redirectUri }),
        finish: async () => keycloak.idTokenParsed.preferred_username,
        refresh: async () => (await keycloak.updateToken(-1), keycloak.token),
      };
    `,
    renews: ["refresh"],
    hasPopup: false,
  },
};

/** Runs a step of the library in the page, which keeps the library until it is left. */
export async function runLibrary(
  page: Evaluating,
  { worker = "", program }: Library,
  step: string,
): Promise<string> {
  return await runWithWorker<string>(page)`
    await startWorker({ ...options, ${worker} });
    globalThis.library ??= await (async () => { ${program} })();
    ${step}
  `;
}
