/** Servers that make their own signing keys, on one store and with one clock. */

import { assertEquals } from "@std/assert";
import type { JSONWebKeySet } from "jose";
import { createServer, memoryStore, type ServerOptions, type Store } from "../../src/mod.ts";
import { challenge, encodeForm, redirectUri, verifier } from "../world.ts";
import { headerOf } from "./bearer.ts";

export const issuer: string = "https://as.test";
export const start: number = 1_800_000_000;

export interface Tokens {
  readonly access_token: string;
  readonly id_token: string;
}

export interface KeyWorld {
  rotate(terms?: { readonly atOnce?: boolean }): Promise<void>;
  tokens(clientId?: string): Promise<Tokens>;
  keySet(): Promise<JSONWebKeySet>;
  /** The algorithm of the keys that sign access tokens. The published list also has RS256 keys for ID tokens. */
  kids(): Promise<readonly string[]>;
  metadata(): Promise<Readonly<Record<string, unknown>>>;
  opens(token: string): Promise<boolean>;
  close(): Promise<void>;
}

/** A server that makes its own keys, and its clock. */
export function createKeyWorld(
  clock: { now: number },
  store: Store,
  options: ServerOptions = {},
): KeyWorld {
  const server = createServer({
    issuer,
    alg: "ES256",
    login: "auto",
    clients: [{ client_id: "public", redirect_uris: [redirectUri] }],
    now: () => clock.now,
    store,
    ...options,
  });
  const get = (path: string, headers: HeadersInit = {}) =>
    server.fetch(new Request(issuer + path, { headers }));
  const keySet = async () => await (await get("/oauth2/jwks")).json() as JSONWebKeySet;
  return {
    rotate: server.rotateKeys,
    async tokens(client_id = "public") {
      const asked = await get(`/oauth2/authorize?${
        encodeForm({
          response_type: "code",
          client_id,
          redirect_uri: redirectUri,
          scope: "openid",
          code_challenge: challenge,
          code_challenge_method: "S256",
        })
      }`);
      const code = new URL(asked.headers.get("location")!).searchParams.get("code")!;
      const response = await server.fetch(
        new Request(`${issuer}/oauth2/token`, {
          method: "POST",
          body: new URLSearchParams({
            grant_type: "authorization_code",
            code,
            client_id,
            redirect_uri: redirectUri,
            code_verifier: verifier,
          }),
        }),
      );
      const body = await response.json();
      assertEquals(response.status, 200, JSON.stringify(body));
      return body;
    },
    keySet,
    async kids() {
      const { keys } = await keySet();
      return keys.filter(({ alg }) => alg === (options.alg ?? "ES256")).map(({ kid }) => kid!);
    },
    metadata: async () => await (await get("/.well-known/openid-configuration")).json(),
    async opens(token) {
      const response = await get("/userinfo", { authorization: `Bearer ${token}` });
      await response.body?.cancel();
      return response.status === 200;
    },
    close: server.close,
  };
}

export const kidOf = (token: string): string => headerOf(token)["kid"] as string;

export async function withKeys(
  work: (at: {
    readonly clock: { now: number };
    readonly store: Store;
    readonly open: (options?: ServerOptions) => KeyWorld;
  }) => Promise<void>,
): Promise<void> {
  const clock = { now: start };
  const store = memoryStore();
  const opened: KeyWorld[] = [];
  try {
    await work({
      clock,
      store,
      open(options) {
        const world = createKeyWorld(clock, store, options);
        opened.push(world);
        return world;
      },
    });
  } finally {
    await Promise.all(opened.map((world) => world.close()));
    await store.close();
  }
}
