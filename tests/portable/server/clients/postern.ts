/** The server for the foreign libraries: a short configuration, otherwise defaults. */

import { assertEquals } from "@std/assert";
import type { ServerOptions } from "../../../../src/mod.ts";
import { createWorld, redirectUri, sampleRsaKey, type World } from "../../../world.ts";
import { createVisitor, type Visit, type Visitor } from "./visitor.ts";

export const secret = "a long secret: with + and % in it";
export const signedOutUri = "https://app.example/bye";

const registered = {
  redirect_uris: [redirectUri],
  post_logout_redirect_uris: [signedOutUri],
};

export type ClientMetadata = NonNullable<ServerOptions["clients"]>[number];

export const publicClient: ClientMetadata = { client_id: "app", ...registered };
export const basicClient: ClientMetadata = { client_id: "app", client_secret: secret, ...registered };

const person = {
  username: "carol",
  password: "open sesame",
  sub: "user-7",
  claims: { name: "Carol Clark", email: "carol@shop.example", email_verified: true },
};

/** RS256, because the libraries expect it. */
export function optionsFor(clients: readonly ClientMetadata[]): ServerOptions {
  return { clients, people: [person], signingKeys: [sampleRsaKey] };
}

/** For libraries that accept a `fetch` function: they call the server in this process. */
export async function withWorld(
  client: ClientMetadata,
  work: (world: World, visitor: Visitor) => Promise<void>,
  more: ServerOptions = {},
): Promise<void> {
  const options = {
    issuer: "https://as.test",
    now: () => Date.now() / 1000,
    ...optionsFor([client]),
    ...more,
  };
  await using world = createWorld(options, {});
  const visitor = createVisitor({
    send: world.fetch,
    serves: ({ origin }) => origin === new URL(world.issuer).origin,
  });
  await work(world, visitor);
}

/** Signs in with the password, approves unless consent is remembered, and resolves to the last page. */
export async function signIn(visitor: Visitor, url: string | URL): Promise<Visit> {
  const form = await visitor.open(url);
  const next = await visitor.press(form, "sign-in", {
    username: person.username,
    password: person.password,
  });
  return next.html.includes('id="approve"') ? await visitor.press(next, "approve") : next;
}

/** Signs in like `signIn` for a client without a server, and resolves to the redirect URI with its parameters. */
export async function signInFor(visitor: Visitor, url: string | URL): Promise<URL> {
  const { leftFor, status, html } = await signIn(visitor, url);
  if (leftFor === undefined) throw new Error(`${status}: ${html.slice(0, 400)}`);
  return leftFor;
}

export function requireCarol(claims: Readonly<Record<string, unknown>>): void {
  const { sub, name, email, email_verified } = claims;
  assertEquals({ sub, name, email, email_verified }, { sub: person.sub, ...person.claims });
}
