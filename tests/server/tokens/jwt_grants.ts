/** JWT authorization grants for tests: valid, except for what a test changes. */

import { CompactSign } from "jose";
import type { ClientMetadata, ServerOptions } from "../../../src/mod.ts";
import { basic, type Params, type World } from "../../world.ts";
import { type KeyPair, keys } from "./assertions.ts";

export const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** An identity provider, whose JWTs are about people. */
export const idp = "https://idp.example";
/** A platform, whose JWTs are about workloads. */
export const platform = "https://platform.example";

type Trust = NonNullable<ServerOptions["trust"]>[number];

const setOf = ({ jwk }: KeyPair) => ({ keys: [{ ...jwk, kid: "k" }] }) as NonNullable<Trust["jwks"]>;

export const idpKeys: NonNullable<Trust["jwks"]> = setOf(keys.es256);
export const platformKeys: NonNullable<Trust["jwks"]> = setOf(keys.edDsa);

export const forPeople: Trust = { issuer: idp, jwks: idpKeys, person: { sub: "sub" } };
/** A JWT about a person whom the server does not know adds that person. */
export const creating: Trust = { ...forPeople, person: { sub: "sub", create: true } };
export const forIdJags: Trust = { issuer: idp, jwks: idpKeys, idJag: true };
export const forWorkloads: Trust = { issuer: platform, jwks: platformKeys, subjects: ["repo:octo/*"] };

/** The claims of a person whom the server does not know. */
export const carol = {
  sub: "c-1",
  preferred_username: "carol",
  name: "Carol Chen",
  email: "carol@shop.example",
  email_verified: true,
};

const grant_types = [jwtBearer];

export const grantClients: readonly ClientMetadata[] = [
  { client_id: "agent", client_secret: "agent-secret", grant_types },
  { client_id: "other", client_secret: "other-secret", grant_types },
  { client_id: "public", grant_types },
  { client_id: "basic", client_secret: "basic-secret" },
  { client_id: "api", client_secret: "api-secret", introspects: ["https://as.test", "https://api.example/"] },
];

export const asAgent: ReturnType<typeof basic> = basic("agent", "agent-secret");

/** A world that trusts the identity provider for people, and the platform for workloads. */
export function trusting(...trust: readonly Trust[]): ServerOptions {
  return { clients: grantClients, trust: trust.length === 0 ? [forPeople, forWorkloads] : trust };
}

export interface GrantOptions {
  readonly header?: Readonly<Record<string, unknown>>;
  /** `undefined` leaves a claim out. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly key?: CryptoKey;
}

let count = 0;

async function sign(world: World, usual: object, { header, claims, key }: GrantOptions): Promise<string> {
  const payload = {
    aud: world.issuer,
    iat: world.clock.now,
    exp: world.clock.now + 300,
    jti: `grant-${count++}`,
    ...usual,
    ...claims,
  };
  return await new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader({ alg: "ES256", kid: "k", ...header })
    .sign(key ?? keys.es256.privateKey);
}

/** A JWT of the identity provider about alice. */
export function personJwt(world: World, terms: GrantOptions = {}): Promise<string> {
  return sign(world, { iss: idp, sub: "alice" }, terms);
}

/** An ID-JAG of the identity provider, by which the client `agent` may act for alice. */
export function idJag(world: World, { header, ...terms }: GrantOptions = {}): Promise<string> {
  return sign(world, { iss: idp, sub: "alice", client_id: "agent" }, {
    ...terms,
    header: { typ: "oauth-id-jag+jwt", ...header },
  });
}

/** A JWT of the platform about a workload. */
export function workloadJwt(world: World, { header, ...terms }: GrantOptions = {}): Promise<string> {
  return sign(world, { iss: platform, sub: "repo:octo/app:ref:refs/heads/main" }, {
    key: keys.edDsa.privateKey,
    ...terms,
    header: { alg: "EdDSA", ...header },
  });
}

/** Sends the JWT as the client `agent`. */
export function present(
  world: World,
  assertion: string | undefined,
  changed: Params = {},
  headers: Readonly<Record<string, string>> = asAgent,
): Promise<Response> {
  return world.post("/oauth2/token", { grant_type: jwtBearer, assertion, ...changed }, headers);
}
