/** What a look-alike answers and refuses, as a table of its provider, and a shop that asks it. */

import { assertEquals } from "@std/assert";
import type { LookAlikeName, Mock } from "../../../../src/kit/mod.ts";
import { appKey } from "../../../github_app.ts";
import type { Shape } from "./answer_shapes.ts";
import {
  basic,
  createShop,
  deviceGrant,
  grant,
  post,
  redirectUri,
  secret,
  type Texts,
} from "./provider_shop.ts";

/** A request, as `GET https://…`, and the members of its answer. Tokens of the login are at `{access_token}`. */
export type Answer = readonly [request: string, members: Shape, sent?: {
  /** Whose token is sent: by default that of a person, else of the application alone, or the JWT of an app. */
  readonly by?: "person" | "bot" | "app" | "none";
  readonly form?: Texts;
  readonly json?: object;
  readonly headers?: Texts;
  /** 200, if left out. */
  readonly status?: number;
}];

/** A request of `requestsOf`, and the words in which it is refused, if they matter. */
export type Refusal = readonly [what: string, status: number, error?: string, description?: string];

export interface Provider {
  readonly authorize: string;
  readonly token: string;
  readonly revoke?: string;
  readonly introspect?: string;
  readonly device?: string;
  readonly par?: string;
  /** What the shop sends to the page of the login. */
  readonly login: Texts;
  /** The client_id of the shop, if the provider has a form of its own. */
  readonly client?: string;
  readonly clients?: NonNullable<Parameters<typeof createShop>[1]>["clients"];
  /** The secret of the shop at this time, in seconds since 1970. */
  readonly secretOf?: (now: number) => Promise<string>;
  /** Those of alice. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Whether the specification names each member, so that no other one may be there. */
  readonly exact?: boolean;
  readonly tokens?: Shape;
  readonly accessToken?: Shape;
  readonly idToken?: Shape;
  readonly answers: readonly Answer[];
  /** All members of a refusal, by default `error` and `error_description`. */
  readonly refused?: Shape;
  readonly refusals?: readonly Refusal[];
  /** Those of the refusals that have a challenge. */
  readonly challenges?: readonly string[];
  /** The description of each error that a redirect names. */
  readonly redirects?: Readonly<Partial<Record<RedirectError, string | null>>>;
}

type RedirectError = "access_denied" | "consent_required" | "login_required" | "unsupported_response_type";

export const groupId = "5ea5ba62-6ba4-4a0e-a6a0-3d5ee8b6e3a4";

/** The claims of a person about whom all is known. */
export const whole: Readonly<Record<string, unknown>> = {
  ...{ name: "Alice Adams", given_name: "Alice", family_name: "Adams", nickname: "Ali", gender: "female" },
  ...{ email: "alice@shop.test", email_verified: true, picture: "https://shop.test/alice.png" },
  ...{ birthdate: "1990-05-17", locale: "en-GB", zoneinfo: "Europe/Berlin", website: "https://shop.test/" },
  groups: [groupId],
};

export function createProvider(name: LookAlikeName, provider: Provider, seed = 1): Promise<Mock> {
  const { client = "shop", claims } = provider;
  const ofEach = { client_secret: secret, redirect_uris: [redirectUri] };
  const grant_types = ["authorization_code", "refresh_token"];
  const able = { jwks: { keys: [appKey] }, grant_types: [...grant_types, "client_credentials", deviceGrant] };
  return createShop(name, {
    seed,
    clients: provider.clients ?? [
      ...[client, "other"].map((client_id) => ({ client_id, ...ofEach, ...able })),
      { client_id: "page", token_endpoint_auth_method: "none", redirect_uris: [redirectUri] },
      { client_id: "small", ...ofEach, grant_types },
    ],
    ...(claims === undefined ? {} : { people: [{ username: "alice", claims }] }),
  });
}

export async function credentialsOf({ clock }: Mock, { client, secretOf }: Provider): Promise<Texts> {
  return { client_id: client ?? "shop", client_secret: await secretOf?.(clock.now) ?? secret };
}

/** Logs alice in as the table has it, and returns what redeems the code. */
export async function logIn(as: Mock, provider: Provider, more: Texts = {}): Promise<Texts> {
  const credentials = await credentialsOf(as, provider);
  const asked = { client_id: credentials["client_id"]!, ...provider.login, ...more };
  return { ...await grant(as, provider.authorize, asked), ...credentials };
}

/** The body is what JSON.parse returns. */
// deno-lint-ignore no-explicit-any
type Reply = Readonly<{ answer: Response; text: string; body: any }>;

export async function send(as: Mock, url: string | undefined, form: Texts, headers?: Texts): Promise<Reply> {
  const answer = await post(as, url!, form, headers);
  const text = await answer.text();
  return { answer, text, body: text === "" ? undefined : JSON.parse(text) };
}

async function startDevice(as: Mock, { device, login }: Provider, client: Texts) {
  const { body: { device_code, user_code } } = await send(as, device, { ...client, ...login });
  const form: Texts = { ...client, grant_type: deviceGrant, device_code };
  return { form, userCode: user_code as string };
}

type Requests = Readonly<Record<string, () => Promise<Reply>>>;

const verifier = "a".repeat(43);
const challenge: Texts = {
  code_challenge: "ZtNPunH49FD35FWYhT5Tv8I7vRKQJ8uxMaL0_9eHjNA",
  code_challenge_method: "S256",
};

/** Each one sends what a specification refuses. */
export function requestsOf(as: Mock, provider: Provider, client: Texts): Requests {
  const token = (form: Texts, headers: Texts = {}) => send(as, provider.token, form, headers);
  const code = async (form: Texts, more: Texts = {}) =>
    token({ ...await logIn(as, provider, more), ...form });
  const without = async (name: string, more: Texts = {}) => {
    const { [name]: _, ...form } = await logIn(as, provider, more);
    return await token(form);
  };
  const revoke = async (by: Texts) => {
    const { body: { refresh_token: token } } = await send(as, provider.token, await logIn(as, provider));
    assertEquals(typeof token, "string");
    return await send(as, provider.revoke, { ...by, token });
  };
  const wrong: Texts = { ...client, client_secret: "wrong" };
  const unproven: Texts = { grant_type: "authorization_code", code: "x", redirect_uri: redirectUri };
  const refresh: Texts = { grant_type: "refresh_token", ...client };
  const pushed: Texts = { ...client, response_type: "code", redirect_uri: redirectUri, ...provider.login };
  const own: Texts = { grant_type: "client_credentials", scope: "orders" };
  return {
    "no grant_type": () => token(client),
    "another grant_type": () => token({ ...client, grant_type: "other" }),
    "a grant_type of others": () => token({ ...client, ...own, client_id: "small" }),
    "no code": () => without("code"),
    "an unknown code": () => code({ code: "x" }),
    "a used code": async () => {
      const form = await logIn(as, provider);
      await token(form);
      return await token(form);
    },
    "the code of another client": () => code({ client_id: "other" }),
    "another redirect_uri": () => code({ redirect_uri: "https://other.test/" }),
    "no redirect_uri": () => without("redirect_uri"),
    "another verifier": () => code({ code_verifier: "b".repeat(43) }, challenge),
    "no verifier": () => code({}, challenge),
    "a malformed verifier": () => code({ code_verifier: "b" }, challenge),
    "an unasked verifier": () => code({ code_verifier: verifier }),
    "no client": () => token(unproven),
    "no secret": () => token({ ...unproven, client_id: "shop" }),
    "a wrong secret": () => token({ ...unproven, ...wrong }),
    "an unknown client": () => token({ ...unproven, ...client, client_id: "nobody" }),
    "two secrets": () => token({ ...unproven, ...wrong }, basic()),
    "an unknown refresh token": () => token({ ...refresh, refresh_token: "x" }),
    "a revoked refresh token": async () => {
      const { body: { refresh_token } } = await token(await logIn(as, provider));
      await send(as, provider.revoke, { ...client, token: refresh_token });
      return await token({ ...refresh, refresh_token });
    },
    "no refresh token": () => token(refresh),
    "an unknown device code": () => token({ ...client, grant_type: deviceGrant, device_code: "x" }),
    "a pending device": async () => token((await startDevice(as, provider, client)).form),
    "a hasty device": async () => {
      const { form } = await startDevice(as, provider, client);
      await token(form);
      return await token(form);
    },
    "a refused device": async () => {
      const { form, userCode } = await startDevice(as, provider, client);
      await as.approveDevice(userCode, { deny: true });
      return await token(form);
    },
    "no username": () => token({ ...client, grant_type: "password", password: "any" }),
    "an assertion": () => token({ ...unproven, client_id: "shop", client_assertion: "x" }),
    "device: the code of another client": async () =>
      token({ ...(await startDevice(as, provider, client)).form, client_id: "other" }),
    "device: a grant_type of others": () =>
      token({ ...client, client_id: "small", grant_type: deviceGrant, device_code: "x" }),
    "par: another redirect_uri": () =>
      send(as, provider.par, { ...pushed, redirect_uri: "https://other.test/" }),
    "revoke: the token of another client": () => revoke({ ...client, client_id: "other" }),
    "introspect: a public client": () => send(as, provider.introspect, { token: "x", client_id: "page" }),
    "device: a client without the grant": () => send(as, provider.device, { ...client, client_id: "small" }),
    "par: a wrong secret": () => send(as, provider.par, { ...pushed, client_secret: "wrong" }),
    "revoke: a wrong secret": () => revoke(wrong),
    "introspect: a wrong secret": () => send(as, provider.introspect, { ...wrong, token: "x" }),
    "revoke: no token": () => send(as, provider.revoke, client),
    "revoke: no client": () => revoke({}),
    "introspect: no token": () => send(as, provider.introspect, client),
    "introspect: no client": () => send(as, provider.introspect, { token: "x" }),
    "device: no client": () => send(as, provider.device, {}),
    "par: no client": () => send(as, provider.par, { ...pushed, client_id: "", client_secret: "" }),
    "par: another response_type": () => send(as, provider.par, { ...pushed, response_type: "other" }),
    "par: another response_mode": () => send(as, provider.par, { ...pushed, response_mode: "other" }),
  };
}

/** What each token endpoint refuses, with one status. */
export const refuseAll = (status: number): readonly Refusal[] =>
  [
    ...["no code", "an unknown code", "another grant_type", "a wrong secret", "an unknown client"],
    ...["no refresh token", "an unknown refresh token"],
  ].map((what) => [what, status]);
