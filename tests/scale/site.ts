/** A server with two web applications, an API and many people, and what these do with it. */
import { createRandomBytes } from "../../src/ground/crypto/bytes.ts";
import type { Jwk } from "../../src/ground/crypto/jwk.ts";
import type { ServerOptions, Store } from "../../src/mod.ts";
import { loadKeySet } from "../../src/server/setup/key_set.ts";
import { deviceGrantType } from "../server/features/device_login.ts";
import { assertingClients, assertion, show } from "../server/tokens/assertions.ts";
import { createProofKey, proof } from "../server/tokens/dpop.ts";
import { exchangeGrant } from "../server/tokens/exchange_world.ts";
import { forPeople, forWorkloads, jwtBearer } from "../server/tokens/jwt_grants.ts";
import {
  basic,
  type Browser,
  challenge,
  createBrowser,
  createClock,
  createWorld,
  type Page,
  type Params,
  sampleKey,
  sampleRsaKey,
  verifier,
  type World,
  worldDefaults,
} from "../world.ts";

export interface Site {
  readonly world: World;
  /** The authorization request of the web application. */
  request(changed?: Params): Params;
  /** Sends the browser to the server with that request. */
  authorize(browser: Browser, changed?: Params): Promise<Page>;
  /** Signs in a person who was never signed in before. */
  signIn(browser: Browser, page: Page): Promise<Page>;
  consent(browser: Browser, page: Page): Promise<Page>;
  /** A login of a new browser, up to the tokens. */
  logIn(terms?: LoginTerms): Promise<SignedIn>;
  /** The web application exchanges the code of a page that has left for it. */
  redeem(page: Page, headers?: Headers): Promise<Tokens>;
  /** Sends a request that must succeed, as the web application if there are no other headers. */
  post(path: string, form: Params | string, headers?: Headers): Promise<Record<string, unknown>>;
  get(path: string, headers?: Headers): Promise<void>;
  /** A DPoP proof (RFC 9449). */
  proof(
    use: { readonly method?: string; readonly path: string; readonly accessToken?: string },
  ): Promise<Headers>;
  /** The username of a person. */
  readonly username: string;
  /** The parameters of a client that authenticates with a key (RFC 7523). */
  assertion(): Promise<Params>;
}

export interface LoginTerms {
  readonly request?: Params;
  /** The headers of the token request. */
  readonly headers?: Headers;
}

export interface SignedIn {
  readonly browser: Browser;
  readonly tokens: Tokens;
}

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly idToken: string;
}

type Headers = Readonly<Record<string, string>>;

export const redirectUri = "https://shop.example/callback";
/** The API that the API above calls. */
export const warehouseUrl = "https://warehouse.shop.example/";
export const apiUrl = "https://api.shop.example/";
export const initialToken = "an-initial-access-token-of-32-characters";
const password = "correct horse battery staple";
const secret = "ByKUm2ZEUbRyZ5Q6kvYgJqJ2m9bYz8sA";
// Without given keys, the server keeps its keys in the store, as it does when it runs.
const { signingKeys: _given, ...defaults } = worldDefaults;

export const asShop: Headers = basic("shop", secret);
export const asApi: Headers = basic("api", secret);
export const asAgent: Headers = basic("agent", secret);

export async function openSite(store: Store, options: ServerOptions = {}): Promise<Site> {
  // Another site on the same store has other people.
  const name = crypto.randomUUID().slice(0, 8);
  const people = Array.from({ length: 100 }, (_, index) => {
    const username = `${name}-${index}`;
    return { username, password, claims: { email: `${username}@shop.example` } };
  });
  const clock = createClock();
  // The server would make these keys itself, which is slow.
  await loadKeySet({
    ...{ store, algorithms: ["ES256", "RS256"], now: () => clock.now, random: createRandomBytes() },
    createJwk: (alg) => Promise.resolve((alg === "RS256" ? sampleRsaKey : sampleKey) as Jwk),
  });
  const world = createWorld({
    ...{ clock, store },
    login: "picker",
    people,
    clients: [
      { client_id: "shop", client_secret: secret, redirect_uris: [redirectUri] },
      assertingClients[0]!,
      {
        client_id: "api",
        client_secret: secret,
        introspects: [apiUrl],
        grant_types: [exchangeGrant],
        token_exchange: { from: ["shop"], to: [warehouseUrl] },
      },
      { client_id: "till", grant_types: [deviceGrantType, "refresh_token"] },
      { client_id: "agent", client_secret: secret, grant_types: [jwtBearer] },
    ],
    trust: [{ ...forPeople, person: { username: "sub" } }, forWorkloads],
    registration: { initialAccessTokens: [initialToken] },
    ...options,
  }, defaults);
  const key = await createProofKey();
  let signIns = 0;

  async function read(response: Response): Promise<Record<string, unknown>> {
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${text}`);
    return text === "" ? {} : JSON.parse(text);
  }

  const site: Site = {
    world,
    username: people[0]!.username,
    request: (changed) => ({
      response_type: "code",
      client_id: "shop",
      redirect_uri: redirectUri,
      scope: "openid email",
      state: "af0ifjsldkj",
      nonce: "n-0S6_WzA2Mj",
      code_challenge: challenge,
      code_challenge_method: "S256",
      ...changed,
    }),
    authorize: (browser, changed) => browser.open(world.authorizeUrl(site.request(changed))),
    signIn: (browser, page) => browser.submit(page, { username: people[signIns++]!.username, password }),
    consent: (browser, page) => browser.submit(page, { decision: "approve" }),
    async logIn({ request, headers } = {}) {
      const browser = createBrowser(world);
      const page = await site.signIn(browser, await site.authorize(browser, request));
      return { browser, tokens: await site.redeem(await site.consent(browser, page), headers) };
    },
    async redeem(page, headers) {
      const code = new URL(page.leftFor ?? "about:blank").searchParams.get("code");
      if (code === null) throw new Error(`no code: ${page.status} ${page.leftFor} ${page.html}`);
      const form = {
        grant_type: "authorization_code",
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      };
      const { access_token, refresh_token, id_token } = await site.post("/oauth2/token", form, {
        ...asShop,
        ...headers,
      });
      return { accessToken: access_token, refreshToken: refresh_token, idToken: id_token } as Tokens;
    },
    post: async (path, form, headers = asShop) => await read(await world.post(path, form, headers)),
    get: async (path, headers) => void await read(await world.get(path, headers)),
    proof: ({ path, ...use }) => proof(key, world, { url: world.issuer + path, ...use }),
    assertion: async () => show(await assertion(world)),
  };
  return site;
}
