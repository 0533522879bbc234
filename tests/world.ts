/** The world of a test: a server with a clock that the test turns, a journal, and a simulated browser. */

import { sha256 } from "../src/ground/crypto/platform.ts";
import { defaultFeatures, expandOptions } from "../src/server/features/mod.ts";
import { addCookies, fetchOf, readSetCookies } from "./cookies.ts";
import { guardWrites } from "./guarded_store.ts";
import { keysFor } from "./keys.ts";
import { requireReceived } from "./received.ts";
import { present } from "../src/ground/values/present.ts";
import type { JournalEntry, Refusal, Server, ServerOptions } from "../src/mod.ts";
import { memoryStore } from "../src/server/store/memory.ts";
import { assembleServer, type ServerParts } from "../src/server/server.ts";

/** The published key of RFC 7515 appendix A.3. */
export const sampleKey: JsonWebKey = {
  kty: "EC",
  crv: "P-256",
  x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
  y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
  d: "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI",
};

/** An RSA key that is known to everyone. Tests share it, because making one is slow. */
export const sampleRsaKey: JsonWebKey = keysFor(["RS256"])[0]!;

/** RFC 7636 appendix B. */
export const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
export const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

export function challengeOf(verifier: string): string {
  return sha256(verifier);
}

export const redirectUri = "https://app.example/cb";

/** One client of each common kind. */
export const clients: NonNullable<ServerOptions["clients"]> = [
  { client_id: "public", redirect_uris: [redirectUri] },
  { client_id: "basic", client_secret: "basic secret: a+b%c", redirect_uris: [redirectUri] },
  {
    client_id: "post",
    client_secret: "post-secret",
    token_endpoint_auth_method: "client_secret_post",
    redirect_uris: [redirectUri],
  },
];

export type Params = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The form in which the public client redeems a code. */
export function codeForm(code: string): Readonly<Record<string, string>> {
  return {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    client_id: "public",
    code_verifier: verifier,
  };
}

/** The parameters of a valid authorization request with some changed; `undefined` leaves one out. */
export function authorizationParams(changed: Params = {}): Params {
  return {
    response_type: "code",
    client_id: "public",
    redirect_uri: redirectUri,
    scope: "read",
    state: "af0ifjsldkj",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...changed,
  };
}

/** `await using world = createWorld()` closes it, even if the test fails. */
export interface World extends AsyncDisposable {
  readonly issuer: string;
  readonly clock: { now: number; advance(seconds: number): void };
  readonly journal: readonly JournalEntry[];
  /** The refusal of the last exchange, which says what was received; `undefined` if it succeeded. */
  lastRefusal(): Refusal | undefined;
  readonly fetch: Server["fetch"];
  /** `path` begins with a slash and is below the issuer, or is a complete URL. */
  get(path: string, headers?: HeadersInit): Promise<Response>;
  post(path: string, form: Params | string, headers?: HeadersInit): Promise<Response>;
  /** A valid authorization request with some parameters changed; `undefined` leaves one out. */
  authorizeUrl(changed?: Params): string;
  authorize(changed?: Params): Promise<Response>;
  /** The code for a valid request with some parameters changed. Needs automatic sign-in, a world's default. */
  code(changed?: Params): Promise<string>;
  /** A valid token request of the client `public` with some parameters changed. */
  redeem(code: string, changed?: Params, headers?: HeadersInit): Promise<Response>;
  rotateKeys(terms?: { readonly atOnce?: boolean }): Promise<void>;
  close(): Promise<void>;
}

/**
 * `features` replaces the default ones, `keySource` makes the signing keys, `growingPeople` keeps new people, and
 * `changeSettings` changes the settings, as a look-alike does. `answerWith` answers the requests instead of the world's
 * own server.
 */
export type WorldOptions =
  & ServerOptions
  & Partial<Pick<ServerParts, "features" | "keySource" | "growingPeople" | "changeSettings">>
  & {
    readonly clock?: World["clock"];
    readonly answerWith?: World["fetch"];
  };

/** The defaults of a world. A test may choose any issuer, and still has the demo people. */
export const worldDefaults: ServerOptions = {
  issuer: "https://as.test",
  exposeDemo: true,
  alg: "ES256",
  signingKeys: [sampleKey],
  login: "auto",
  clients,
};

/** `defaults: {}` is a world without configuration. */
export function createWorld(
  { features, keySource, growingPeople, changeSettings, clock = createClock(), answerWith, ...options }:
    WorldOptions = {},
  defaults: ServerOptions = worldDefaults,
): World {
  const journal: JournalEntry[] = [];
  const given: ServerOptions = {
    ...defaults,
    now: () => clock.now,
    journal: (entry) => void journal.push(entry),
    ...options,
  };
  const store = guardWrites(given.store ?? memoryStore());
  const guarded: ServerOptions = { ...given, store };
  const complete = features === undefined ? expandOptions(guarded) : guarded;
  const { server } = assembleServer(complete, {
    features: features ?? defaultFeatures(complete),
    ...present({ keySource, growingPeople, changeSettings }),
  });
  const baseUrl = server.issuer.replace(/\/$/, "");
  const url = (path: string) => path.startsWith("/") ? baseUrl + path : path;
  const fetch = answerWith ?? fetchOf(server);
  const close = async () => {
    await server.close();
    if (given.store === undefined) await store.close();
  };

  const world: World = {
    issuer: server.issuer,
    clock,
    journal,
    lastRefusal: () => requireReceived(journal.at(-1)?.facts.refusal),
    fetch,
    get: (path, headers = {}) => fetch(new Request(url(path), { headers })),
    post(path, form, headers = {}) {
      return fetch(
        new Request(url(path), {
          method: "POST",
          body: typeof form === "string" ? form : encodeForm(form),
          headers: {
            "content-type": "application/x-www-form-urlencoded",
            ...Object.fromEntries(new Headers(headers)),
          },
        }),
      );
    },
    authorizeUrl: (changed) => `${baseUrl}/oauth2/authorize?${encodeForm(authorizationParams(changed))}`,
    authorize: (changed) => world.get(world.authorizeUrl(changed)),
    async code(changed) {
      const response = await world.authorize(changed);
      const code = callbackParams(response).get("code");
      if (code === null) throw new Error(`no code: ${response.status} ${response.headers.get("location")}`);
      return code;
    },
    redeem(code, changed = {}, headers = {}) {
      return world.post("/oauth2/token", { ...codeForm(code), ...changed }, headers);
    },
    rotateKeys: server.rotateKeys,
    close,
    [Symbol.asyncDispose]: close,
  };
  return world;
}

export function createClock(): World["clock"] {
  return {
    now: 1_800_000_000,
    advance(seconds) {
      this.now += seconds;
    },
  };
}

/** Opens a world for one test, and closes it even if the test fails. */
export async function inWorld(
  options: WorldOptions,
  work: (world: World) => Promise<void>,
  defaults: ServerOptions = worldDefaults,
): Promise<void> {
  const world = createWorld(options, defaults);
  try {
    await work(world);
  } finally {
    await world.close();
  }
}

/** Opens a world without configured clients. Automatic sign-in approves requests, unless the options change `login`. */
export function withoutClients(options: WorldOptions, work: (world: World) => Promise<void>): Promise<void> {
  return inWorld({ alg: "ES256", signingKeys: [sampleKey], login: "auto", ...options }, work, {});
}

export function encodeForm(params: Params): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const each of value === undefined ? [] : [value].flat()) form.append(name, each);
  }
  return form.toString();
}

/** The parameters of a redirect to the client, from the query or the fragment. */
export function callbackParams(response: Response): URLSearchParams {
  const location = response.headers.get("location");
  if (location === null) throw new Error(`no redirect but ${response.status}`);
  const url = new URL(location);
  return url.hash === "" ? url.searchParams : new URLSearchParams(url.hash.slice(1));
}

/** RFC 6749 §2.3.1: both halves are form-urlencoded, then the pair is base64. */
export function basic(id: string, secret: string): { readonly authorization: string } {
  const encode = (text: string) => new URLSearchParams([["", text]]).toString().slice(1);
  return { authorization: `Basic ${btoa(`${encode(id)}:${encode(secret)}`)}` };
}

/** A simulated browser: keeps cookies, follows redirects within the server, fills in forms. */
/** Headers of a browser that opens an address. */
export const navigationHeaders = { accept: "text/html", "sec-fetch-mode": "navigate" } as const;

export interface Browser {
  readonly cookies: Map<string, string>;
  open(url: string): Promise<Page>;
  /** Posts the page's first form, with its encrypted request, if it has one, and these fields. */
  submit(page: Page, fields: Params, headers?: HeadersInit): Promise<Page>;
}

export interface Page {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** A redirect to another origin, which was not followed. */
  readonly leftFor: string | undefined;
}

export function createBrowser(world: World): Browser {
  const cookies = new Map<string, string>();

  async function load(request: Request): Promise<Page> {
    addCookies(request, cookies);
    const response = await world.fetch(request);
    for (const cookie of readSetCookies(response)) {
      const [pair] = cookie.split(";");
      const equals = pair!.indexOf("=");
      cookies.set(pair!.slice(0, equals), pair!.slice(equals + 1));
    }
    const location = response.headers.get("location");
    if (location !== null && new URL(location, request.url).origin === new URL(world.issuer).origin) {
      return await load(new Request(new URL(location, request.url)));
    }
    return {
      url: request.url,
      status: response.status,
      headers: response.headers,
      html: await response.text(),
      leftFor: location ?? undefined,
    };
  }

  return {
    cookies,
    open: (url) => load(new Request(new URL(url, `${world.issuer}/`))),
    submit(page, fields, headers = {}) {
      const action = attribute(page.html, /<form[^>]*\saction="([^"]*)"/);
      const encrypted = /<input[^>]*\sname="request"[^>]*\svalue="([^"]*)"/;
      const request = encrypted.test(page.html) ? attribute(page.html, encrypted) : undefined;
      return load(
        new Request(new URL(action, page.url), {
          method: "POST",
          headers: {
            "content-type": "application/x-www-form-urlencoded",
            ...Object.fromEntries(new Headers(headers)),
          },
          body: encodeForm({ request, ...fields }),
        }),
      );
    },
  };
}

function attribute(html: string, pattern: RegExp): string {
  const value = pattern.exec(html)?.[1];
  if (value === undefined) throw new Error(`the page has no ${pattern.source}: ${html.slice(0, 300)}`);
  return value.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll(
    "&gt;",
    ">",
  )
    .replaceAll("&amp;", "&");
}
