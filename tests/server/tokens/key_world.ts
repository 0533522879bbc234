/** Servers that make their own signing keys, on one store and with one clock. */

import type { JSONWebKeySet } from "jose";
import { generateSigningJwk } from "../../../src/ground/crypto/jwk.ts";
import { memoryStore, type ServerOptions, type Store } from "../../../src/mod.ts";
import { keysFor } from "../../keys.ts";
import type { KeySource } from "../../../src/server/setup/server_keys.ts";
import { createClock, createWorld, redirectUri, type World } from "../../world.ts";
import { headerOf, opensUserinfo, readTokens, type Tokens } from "./bearer.ts";

export const issuer: string = "https://as.test";

export interface KeyWorld extends World {
  tokens(clientId?: string): Promise<Tokens>;
  keySet(): Promise<JSONWebKeySet>;
  /** The ids of the keys that sign access tokens. The published list also has RS256 keys for ID tokens. */
  kids(): Promise<readonly string[]>;
  opens(token: string): Promise<boolean>;
}

export const kidOf = (token: string): string => headerOf(token)["kid"] as string;

/** Makes each key when the server asks for it. RSA keys are ready ones in turn, because making one is slow. */
export function createKeySource(): KeySource {
  const rsaKeys = keysFor(["RS256", "PS256"]);
  let taken = 0;
  return {
    first: () => [],
    createJwk: (alg) =>
      alg === "RS256" || alg === "PS256"
        ? Promise.resolve({ ...rsaKeys[taken++ % rsaKeys.length]!, alg })
        : generateSigningJwk(alg),
  };
}

export async function withKeys(
  work: (at: {
    readonly clock: World["clock"];
    readonly store: Store;
    readonly open: (options?: ServerOptions) => KeyWorld;
  }) => Promise<void>,
): Promise<void> {
  const store = memoryStore();
  const keySource = createKeySource();
  const clock = createClock();
  const opened: World[] = [];

  function open(options: ServerOptions = {}): KeyWorld {
    const world = createWorld({ clock, store, keySource, ...options }, {
      issuer,
      alg: "ES256",
      login: "auto",
      clients: [{ client_id: "public", redirect_uris: [redirectUri] }],
    });
    opened.push(world);
    const keySet = async () => await (await world.get("/oauth2/jwks")).json() as JSONWebKeySet;
    return {
      ...world,
      async tokens(client_id = "public") {
        const code = await world.code({ client_id, scope: "openid" });
        return await readTokens(await world.redeem(code, { client_id }));
      },
      keySet,
      async kids() {
        const { keys } = await keySet();
        return keys.filter(({ alg }) => alg === (options.alg ?? "ES256")).map(({ kid }) => kid!);
      },
      opens: (token) => opensUserinfo(world, token),
    };
  }

  try {
    await work({ clock, store, open });
  } finally {
    await Promise.all(opened.map((world) => world.close()));
    await store.close();
  }
}
