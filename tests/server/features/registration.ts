/** What the tests of client registration share: a world, and the requests of a client that registers itself. */

import { assertEquals } from "@std/assert";
import type { ServerOptions } from "../../../src/mod.ts";
import { signWithSecret } from "../../../src/ground/crypto/jwt.ts";
import { show } from "../tokens/assertions.ts";
import { testInWorld } from "../../test_in_world.ts";
import { challenge, createWorld, inWorld, verifier, type World, worldDefaults } from "../../world.ts";

/** A redirect URI of a program on the person's machine. */
export const nativeUri = "http://127.0.0.1:4000/cb";
export const initialToken = "initial-access-token";

/** Two people, automatic sign-in, and a loopback issuer: registration is on by default. */
export const registrationDefaults: ServerOptions = { ...worldDefaults, issuer: "http://localhost:9000" };

export function createRegistrationWorld(options: ServerOptions = {}): World {
  return createWorld(options, registrationDefaults);
}

/** Registers a test in such a world, which the test need not close. */
export const testInRegistration: ReturnType<typeof testInWorld> = testInWorld(
  {},
  (options, work) => inWorld(options, work, registrationDefaults),
);

export type Json = Readonly<Record<string, unknown>>;

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

/** Sends a registration request. `token` is an initial access token or a registration access token. */
export async function send(
  world: World,
  method: string,
  path: string,
  { body, token, headers = {} }: {
    readonly body?: unknown;
    readonly token?: string | undefined;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<Answered> {
  const url = path.startsWith("/") ? world.issuer + path : path;
  const response = await world.fetch(
    new Request(url, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? {} : JSON.parse(text) };
}

/** Reads, updates or deletes a registration with its own token. */
export function manage(
  world: World,
  method: "GET" | "PUT" | "DELETE",
  { registration_client_uri, registration_access_token: token }: Registration,
  body?: unknown,
): Promise<Answered> {
  return send(world, method, registration_client_uri, { token, body });
}

export async function register(
  world: World,
  body: unknown,
  terms: { readonly token?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Answered> {
  return await send(world, "POST", "/connect/register", { body, ...terms });
}

/** Registers a client, which must succeed. */
export async function registered(world: World, metadata: Json = {}, token?: string): Promise<Registration> {
  const { status, body } = await register(world, { redirect_uris: [nativeUri], ...metadata }, {
    ...(token === undefined ? {} : { token }),
  });
  assertEquals(status, 201, JSON.stringify(body));
  return body as unknown as Registration;
}

export interface Registration extends Json {
  readonly client_id: string;
  readonly client_secret: string;
  readonly registration_access_token: string;
  readonly registration_client_uri: string;
}

/** `expected` is an object, or the status, the error and the reason in the journal as one text. */
export function assertRefused(
  world: World,
  { status, body, headers }: Answered,
  expected: string | { readonly status?: number; readonly error: string; readonly reason: string },
): void {
  assertEquals(
    `${status} ${body["error"]} ${world.lastRefusal()?.reason}`,
    typeof expected === "string"
      ? expected
      : `${expected.status ?? 400} ${expected.error} ${expected.reason}`,
    JSON.stringify({ body, refusal: world.lastRefusal() }),
  );
  assertEquals(headers.get("cache-control"), "no-store");
}

/** The whole flow of a registered client. Resolves to the token response. */
export async function logIn(
  world: World,
  { client_id, client_secret }: Pick<Registration, "client_id"> & { readonly client_secret?: string },
  redirect_uri: string = nativeUri,
): Promise<Response> {
  const code = await world.code({ client_id, redirect_uri, scope: undefined, code_challenge: challenge });
  return await world.redeem(
    code,
    { client_id: client_secret === undefined ? client_id : undefined, redirect_uri, code_verifier: verifier },
    client_secret === undefined ? {} : { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` },
  );
}

/** Redeems a new code with an assertion that the secret of the client signs. */
export async function redeemWithSecretJwt(
  world: World,
  { client_id, client_secret }: Registration,
  aud: string = world.issuer,
): Promise<Response> {
  const { now } = world.clock;
  const claims = { iss: client_id, sub: client_id, aud, jti: crypto.randomUUID(), iat: now, exp: now + 60 };
  const code = await world.code({ client_id, redirect_uri: nativeUri });
  const proof = show(signWithSecret(client_secret, claims));
  return await world.redeem(code, { client_id: undefined, redirect_uri: nativeUri, ...proof });
}
