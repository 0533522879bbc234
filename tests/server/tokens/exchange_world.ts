/** A world with a client whose tokens another client, the gateway, may exchange. */

import type { ClientMetadata } from "../../../src/mod.ts";
import { basic, createWorld, type Params, redirectUri, type World, type WorldOptions } from "../../world.ts";
import { type Tokens, tokensOf } from "./bearer.ts";

export const exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";
export const typeOf = (name: string): string => `urn:ietf:params:oauth:token-type:${name}`;

export const gatewayApi = "https://gateway.example/";
export const orders = "https://orders.example/";

export function secretOf(id: string): { readonly authorization: string } {
  return basic(id, `${id} secret`);
}

/** A client that may exchange tokens as `terms` says, and gets tokens for itself. */
export function exchanger(
  id: string,
  terms?: ClientMetadata["token_exchange"],
  more: Partial<ClientMetadata> = {},
): ClientMetadata {
  return {
    client_id: id,
    client_secret: `${id} secret`,
    grant_types: [exchangeGrant, "client_credentials"],
    ...(terms === undefined ? {} : { token_exchange: terms }),
    ...more,
  };
}

export const web: ClientMetadata = {
  client_id: "web",
  client_secret: "web secret",
  redirect_uris: [redirectUri],
};

export const gateway: ClientMetadata = exchanger("gateway", { from: ["web"], to: [orders] }, {
  introspects: [orders],
});

/** `asked` changes the authorization request of the login. */
export async function inExchange(
  work: (world: World, tokens: Tokens) => Promise<void>,
  { asked = {}, ...options }: WorldOptions & { readonly asked?: Params } = {},
): Promise<void> {
  await using world = createWorld({ clients: [web, gateway], ...options });
  await work(world, await webTokens(world, asked));
}

/** The tokens of a login of the client `web`. */
export async function webTokens(world: World, changed: Params = {}): Promise<Tokens> {
  return await tokensOf(world, { client_id: "web", scope: "openid read write", ...changed }, secretOf("web"));
}

/** A token that a client gets for itself. */
export async function ownToken(world: World, id: string, changed: Params = {}): Promise<string> {
  const form = { grant_type: "client_credentials", scope: "act", ...changed };
  return (await (await world.post("/oauth2/token", form, secretOf(id))).json()).access_token;
}

/** The parameters for an actor. */
export function actedBy(actor_token: string, type = "access_token"): Params {
  return { actor_token, actor_token_type: typeOf(type) };
}

/** Exchanges an access token, unless `changed` names another type. */
export function exchange(
  world: World,
  subjectToken: string | undefined,
  changed: Params = {},
  { as = "gateway", headers = {} }: {
    readonly as?: string;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<Response> {
  return world.post("/oauth2/token", {
    grant_type: exchangeGrant,
    subject_token: subjectToken,
    subject_token_type: typeOf("access_token"),
    ...changed,
  }, { ...secretOf(as), ...headers });
}
