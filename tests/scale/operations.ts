/** What people and programs do with the server. The store calls of each operation are counted. */
import { rereadAfter } from "../../src/ground/crypto/key_ring.ts";
import type { ServerOptions } from "../../src/mod.ts";
import { deviceGrantType } from "../server/features/device_login.ts";
import { exchangeGrant, typeOf } from "../server/tokens/exchange_world.ts";
import { jwtBearer, personJwt, workloadJwt } from "../server/tokens/jwt_grants.ts";
import { basic, type Browser } from "../world.ts";
import {
  apiUrl,
  asAgent,
  asApi,
  initialToken,
  type LoginTerms,
  redirectUri,
  type SignedIn,
  type Site,
  type Tokens,
} from "./site.ts";

export interface Operation {
  readonly name: string;
  /** What the tables of the documentation call the operation. */
  readonly title: string;
  /** Options of the server for this operation. */
  readonly options?: ServerOptions;
  /** Does what comes before the operation. Resolves to a function that does the operation once. */
  readonly prepare: (site: Site) => Promise<() => Promise<unknown>>;
}

const forItself = { grant_type: "client_credentials", scope: "read" };

const introspect = afterLogin(
  (site, { tokens }) => () => site.post("/oauth2/introspect", { token: tokens.accessToken }, asApi),
  { request: { resource: apiUrl } },
);

export const operations: readonly Operation[] = [
  {
    name: "first_login",
    title: "login with password and consent",
    prepare: (site) => Promise.resolve(() => site.logIn()),
  },
  {
    name: "next_login",
    title: "login with a session and remembered consent",
    prepare: afterLogin((site, { browser }) => async () => await site.redeem(await site.authorize(browser))),
  },
  {
    name: "pushed_login",
    title: "the same, and the request is pushed (PAR)",
    prepare: afterLogin((site, { browser }) => async () => {
      const { request_uri } = await site.post("/oauth2/par", site.request());
      const query = new URLSearchParams({ client_id: "shop", request_uri: `${request_uri}` });
      return await site.redeem(await browser.open(`/oauth2/authorize?${query}`));
    }),
  },
  {
    name: "dpop_login",
    title: "the same, and the tokens are bound to a key (DPoP)",
    prepare: afterLogin((site, { browser }) => () => redeemBound(site, browser)),
  },
  {
    name: "registered_login",
    title: "login with a session, at a client that registered itself",
    async prepare(site) {
      const client = await register(site);
      const changed = { client_id: client.id };
      const { browser } = await site.logIn({ request: changed, headers: client.headers });
      return async () => await site.redeem(await site.authorize(browser, changed), client.headers);
    },
  },
  {
    name: "refresh",
    title: "refresh",
    prepare: afterLogin((site, { tokens }) => () =>
      site.post("/oauth2/token", { grant_type: "refresh_token", refresh_token: tokens.refreshToken })
    ),
  },
  {
    name: "userinfo",
    title: "userinfo",
    prepare: afterLogin((site, { tokens }) => () =>
      site.get("/userinfo", { authorization: `Bearer ${tokens.accessToken}` })
    ),
  },
  {
    name: "dpop_userinfo",
    title: "userinfo with DPoP",
    prepare: afterLogin(async (site, { browser }) => {
      const { accessToken } = await redeemBound(site, browser);
      const use = { method: "GET", path: "/userinfo", accessToken };
      return async () =>
        await site.get("/userinfo", { authorization: `DPoP ${accessToken}`, ...await site.proof(use) });
    }),
  },
  {
    name: "introspection",
    title: "introspection of a JWT",
    prepare: introspect,
  },
  {
    name: "opaque_introspection",
    title: "introspection of an opaque token",
    options: { accessTokens: "opaque" },
    prepare: introspect,
  },
  {
    name: "revocation",
    title: "revocation of a refresh token",
    prepare: afterLogin((site, { tokens }) => () =>
      site.post("/oauth2/revoke", { token: tokens.refreshToken })
    ),
  },
  {
    name: "access_token_revocation",
    title: "revocation of an access token",
    prepare: afterLogin((site, { tokens }) => () =>
      site.post("/oauth2/revoke", { token: tokens.accessToken })
    ),
  },
  {
    name: "client_credentials",
    title: "client credentials",
    prepare: (site) => Promise.resolve(() => site.post("/oauth2/token", forItself)),
  },
  {
    name: "client_credentials_with_key",
    title: "client credentials, authenticated with a key",
    prepare: (site) =>
      Promise.resolve(async () =>
        await site.post("/oauth2/token", { ...forItself, ...await site.assertion() }, {})
      ),
  },
  {
    name: "opaque_client_credentials",
    title: "client credentials with an opaque token",
    options: { accessTokens: "opaque" },
    prepare: (site) => Promise.resolve(() => site.post("/oauth2/token", forItself)),
  },
  {
    name: "device_login_begun",
    title: "device login, begun",
    prepare: (site) => Promise.resolve(() => beginDeviceLogin(site)),
  },
  {
    name: "device_login_polled",
    title: "device login, a poll before the person answers",
    prepare: async (site) => {
      const { device_code } = await beginDeviceLogin(site);
      return () => pollAsDevice(site, `${device_code}`);
    },
  },
  {
    name: "device_login_approved",
    title: "device login with a session, approved and redeemed",
    prepare: afterLogin(async (site, { browser }) => {
      const { device_code, user_code } = await beginDeviceLogin(site);
      return async () => {
        const form = await browser.open("/device");
        const question = await browser.submit(form, { user_code: `${user_code}` });
        await browser.submit(question, { decision: "approve" });
        const { error } = await pollAsDevice(site, `${device_code}`);
        if (error !== undefined) throw new Error(`${error}`);
      };
    }),
  },
  {
    name: "token_exchange",
    title: "token exchange",
    prepare: afterLogin((site, { tokens }) => () =>
      site.post("/oauth2/token", {
        grant_type: exchangeGrant,
        subject_token: tokens.accessToken,
        subject_token_type: typeOf("access_token"),
      }, asApi), { request: { resource: apiUrl } }),
  },
  {
    name: "jwt_of_person",
    title: "JWT of a trusted issuer, for a person",
    prepare: (site) =>
      Promise.resolve(async () =>
        await redeemJwt(site, await personJwt(site.world, { claims: { sub: site.username } }))
      ),
  },
  {
    name: "jwt_of_workload",
    title: "JWT of a trusted platform, for a workload",
    prepare: (site) => Promise.resolve(async () => await redeemJwt(site, await workloadJwt(site.world))),
  },
  {
    name: "registration",
    title: "registration of a client",
    prepare: (site) => Promise.resolve(() => register(site)),
  },
  {
    name: "sign_out",
    title: "sign-out with an ID token as the hint",
    prepare: afterLogin((_site, { browser, tokens }) => () =>
      browser.open(`/connect/logout?id_token_hint=${tokens.idToken}`)
    ),
  },
  {
    name: "key_set",
    title: "key set, the first request after 10 seconds",
    prepare: ({ world, get }) => {
      world.clock.advance(rereadAfter);
      return Promise.resolve(() => get("/oauth2/jwks"));
    },
  },
  {
    name: "discovery",
    title: "metadata and key set, every other request",
    prepare: ({ get }) =>
      Promise.resolve(async () => {
        await get("/.well-known/openid-configuration");
        await get("/oauth2/jwks");
      }),
  },
];

type Work = () => Promise<unknown>;

/** Prepares work for a person who has signed in. */
function afterLogin(
  prepare: (site: Site, signedIn: SignedIn) => Work | Promise<Work>,
  terms?: LoginTerms,
): Operation["prepare"] {
  return async (site) => await prepare(site, await site.logIn(terms));
}

function beginDeviceLogin(site: Site): Promise<Record<string, unknown>> {
  return site.post("/oauth2/device_authorization", { client_id: "till", scope: "read" }, {});
}

async function pollAsDevice({ world }: Site, device_code: string): Promise<Record<string, unknown>> {
  const form = { grant_type: deviceGrantType, client_id: "till", device_code };
  return await (await world.post("/oauth2/token", form)).json();
}

function redeemJwt(site: Site, assertion: string): Promise<unknown> {
  return site.post("/oauth2/token", { grant_type: jwtBearer, assertion, scope: "read" }, asAgent);
}

async function redeemBound(site: Site, browser: Browser): Promise<Tokens> {
  return await site.redeem(await site.authorize(browser), await site.proof({ path: "/oauth2/token" }));
}

async function register(
  site: Site,
): Promise<{ readonly id: string; readonly headers: ReturnType<typeof basic> }> {
  const metadata = JSON.stringify({ client_name: "Another shop", redirect_uris: [redirectUri] });
  const { client_id, client_secret } = await site.post("/connect/register", metadata, {
    authorization: `Bearer ${initialToken}`,
    "content-type": "application/json",
  });
  return { id: `${client_id}`, headers: basic(`${client_id}`, `${client_secret}`) };
}
