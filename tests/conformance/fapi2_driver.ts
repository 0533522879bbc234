/** Plays what surrounds a server in the FAPI 2 test plans: two clients with keys, a browser, a person and an API. */

import { assert, assertEquals } from "@std/assert";
import { X509Certificate } from "node:crypto";
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  exportJWK,
  importJWK,
  type JWK,
  type JWTPayload,
  jwtVerify,
} from "jose";
import { testKeysFor } from "../../src/mock/server/test_keys.ts";
import type { ClientMetadata, ServerOptions } from "../../src/mod.ts";
import { authority, type Certificate, certify } from "../features/mtls/certificates.ts";
import { agree } from "../openid/openid_world.ts";
import { assertion, type AssertionTerms, type KeyPair, keys, show } from "../tokens/assertions.ts";
import { readTokens, type Tokens } from "../tokens/bearer.ts";
import { createProofKey, type ProofKey, type ProofUse, signProof } from "../tokens/dpop.ts";
import {
  authorizationParams,
  createBrowser,
  encodeForm,
  inWorld,
  type Params,
  sampleKey,
  verifier,
  type World,
} from "../world.ts";

/** The choices of a plan. Each combination is a run of its own. */
export interface Variant {
  readonly clientAuth: "private_key_jwt" | "mTLS";
  /** What access tokens are bound to: a key by DPoP, or a certificate. */
  readonly constraint: "DPoP" | "mTLS";
  readonly openid: boolean;
  /** Message signing: the client signs its requests. */
  readonly signsRequests?: true;
  /** Message signing: the server signs its authorization responses (JARM). */
  readonly signsResponses?: true;
}

/** The plan of the security profile. Two choices of each pair meet in one of the runs. */
export const securityVariants: readonly Variant[] = [
  { clientAuth: "private_key_jwt", constraint: "DPoP", openid: true },
  { clientAuth: "private_key_jwt", constraint: "mTLS", openid: false },
  { clientAuth: "mTLS", constraint: "DPoP", openid: false },
  { clientAuth: "mTLS", constraint: "mTLS", openid: true },
];

/** The plan of message signing. A client may do without one of the two. */
export const signingVariants: readonly Variant[] = [
  { ...securityVariants[0]!, signsRequests: true, signsResponses: true },
  { clientAuth: "mTLS", constraint: "mTLS", openid: false, signsRequests: true, signsResponses: true },
  { ...securityVariants[0]!, signsRequests: true },
  { ...securityVariants[0]!, signsResponses: true },
];

function usesCertificates({ clientAuth, constraint }: Variant): boolean {
  return clientAuth === "mTLS" || constraint === "mTLS";
}

export function describeVariant(variant: Variant): string {
  const { clientAuth, constraint, openid, signsRequests, signsResponses } = variant;
  return [
    clientAuth,
    `bound by ${constraint}`,
    openid ? "OpenID" : "plain OAuth",
    ...signsRequests ? ["signed requests"] : [],
    ...signsResponses ? ["JARM"] : [],
  ].join(", ");
}

export interface SuiteClient {
  readonly id: string;
  readonly redirectUri: string;
  readonly key: KeyPair;
  readonly alg: string;
  readonly proofKey: ProofKey;
  readonly certificate: Pick<Certificate, "cert">;
  /** How the client authenticates with the certificate. */
  readonly certified: Pick<ClientMetadata, "token_endpoint_auth_method" | "tls_client_auth_san_dns">;
}

/** A key of both clients for PS256. */
const rsaKey: JWK = testKeysFor(["PS256"])[0]! as JWK;

const first: SuiteClient = {
  id: "client1",
  redirectUri: "https://suite.example/test/a/postern/callback",
  key: keys.es256,
  alg: "ES256",
  proofKey: await createProofKey("ES256"),
  certificate: await certify("CN=client1", { by: "itself" }),
  certified: { token_endpoint_auth_method: "self_signed_tls_client_auth" },
};

const second: SuiteClient = {
  id: "client2",
  redirectUri: "https://suite.example/test/a/postern/callback?dummy1=lorem&dummy2=ipsum",
  key: keys.edDsa,
  alg: "EdDSA",
  proofKey: await rsaProofKey(),
  certificate: await certify("CN=client2", { dns: ["client2.example"] }),
  certified: { token_endpoint_auth_method: "tls_client_auth", tls_client_auth_san_dns: "client2.example" },
};

async function rsaProofKey(): Promise<ProofKey> {
  const alg = "PS256";
  const publicJwk: JWK = { kty: rsaKey.kty!, n: rsaKey.n!, e: rsaKey.e! };
  const privateKey = await importJWK({ ...rsaKey, alg }, alg) as never;
  return { alg, privateKey, publicJwk, thumbprint: await calculateJwkThumbprint(publicJwk) };
}

async function metadataOf(
  client: SuiteClient,
  { clientAuth, constraint, signsRequests, signsResponses }: Variant,
): Promise<ClientMetadata> {
  const { id, redirectUri, key, alg, certificate, certified } = client;
  const { kty, n, e } = rsaKey;
  const certifiedKey = await exportJWK(new X509Certificate(certificate.cert).publicKey);
  return {
    client_id: id,
    redirect_uris: [redirectUri],
    ...(clientAuth === "mTLS" ? certified : { token_endpoint_auth_method: clientAuth }),
    jwks: { keys: [{ ...key.jwk, kid: alg }, { kty, n, e, kid: "RSA" }, certifiedKey] as never },
    ...(constraint === "mTLS" ? { tls_client_certificate_bound_access_tokens: true } : {}),
    ...(signsResponses && !signsRequests ? { require_signed_request_object: false } : {}),
    ...(signsRequests && !signsResponses ? { require_signed_response: false } : {}),
  };
}

/** How a request of a client differs from a valid one. */
export interface Call {
  /** Default: the first client. */
  readonly client?: SuiteClient;
  /** `absent`: there is neither a DPoP proof nor, in a variant with tokens bound by mTLS, a certificate. */
  readonly proof?: "absent";
}

/** An authorization response: where it goes, and its parameters. */
export interface Answer {
  readonly status: number;
  readonly url: URL;
  readonly params: URLSearchParams;
}

export interface Suite {
  readonly variant: Variant;
  readonly world: World;
  readonly first: SuiteClient;
  readonly second: SuiteClient;
  /** The URL of the API. */
  readonly api: string;
  /** Sends a pushed authorization request. */
  push(call?: Call): Promise<Response>;
  /** Opens the request of this reference in a new browser, signs in, and approves. */
  approve(requestUri: string, client?: SuiteClient): Promise<Answer>;
  /** Pushes a request, which the server must accept, and approves it. */
  authorize(call?: Call): Promise<Answer>;
  redeem(code: string, call?: Call): Promise<Response>;
  tokens(call?: Call): Promise<Tokens>;
  refresh(token: string, call?: Call): Promise<Response>;
  callApi(tokens: Tokens, client?: SuiteClient): Promise<Response>;
}

/** The nonce and the state of a request. */
export const nonce = "n-0S6_WzA2Mj";
export const state = "a state of the suite";

const person = "alice";

/** Runs one module: a new server, and a new browser for each authorization request. */
export async function inSuite(variant: Variant, walk: (suite: Suite) => Promise<void>): Promise<void> {
  const options: ServerOptions = {
    // On loopback, the server has people without a configuration.
    issuer: "https://localhost",
    signingKeys: [sampleKey],
    profile: variant.signsRequests || variant.signsResponses ? "fapi2-message-signing" : "fapi2-security",
    ...(variant.openid ? {} : { demoResource: "/resource" }),
    ...(usesCertificates(variant) ? { mtls: { ca: authority.cert } } : {}),
    clients: await Promise.all([first, second].map((client) => metadataOf(client, variant))),
  };
  await inWorld(options, (world) => walk(createSuite(world, variant)), {});
}

function createSuite(world: World, variant: Variant): Suite {
  const api = world.issuer + (variant.openid ? "/userinfo" : "/resource");

  function paramsOf(client: SuiteClient): Params {
    return authorizationParams({
      client_id: client.id,
      redirect_uri: client.redirectUri,
      scope: variant.openid ? "openid" : "read",
      state,
      ...(variant.openid ? { nonce } : { resource: api }),
      ...(variant.signsResponses ? { response_mode: "jwt" } : {}),
    });
  }

  async function sign(client: SuiteClient, changed: AssertionTerms = {}): Promise<string> {
    const header = { alg: client.alg, kid: client.alg, ...changed.header };
    return await assertion(world, { clientId: client.id, key: client.key.privateKey, ...changed, header });
  }

  async function identify(client: SuiteClient): Promise<Params> {
    return variant.clientAuth === "mTLS" ? { client_id: client.id } : show(await sign(client));
  }

  /** RFC 9101 §4: the parameters are claims. */
  async function signObject(client: SuiteClient, params: Params): Promise<Params> {
    const { now } = world.clock;
    const times = { iat: now, nbf: now, exp: now + 300 };
    const claims = { sub: undefined, jti: undefined, ...times, ...params };
    return { request: await sign(client, { header: { typ: "oauth-authz-req+jwt" }, claims }) };
  }

  async function proofHeader({ proofKey }: SuiteClient, use: ProofUse): Promise<Record<string, string>> {
    return variant.constraint === "DPoP" ? { dpop: await signProof(proofKey, world, use) } : {};
  }

  /** Sends a request, with the certificate of the client if the variant needs one there. */
  function send(
    request: Request,
    { client = first, proof }: Call,
    authenticates: boolean,
  ): Promise<Response> {
    const isBound = variant.constraint === "mTLS";
    const shows = isBound ? proof !== "absent" : authenticates && variant.clientAuth === "mTLS";
    return world.fetch(request, shows ? { certificate: client.certificate } : {});
  }

  async function post(path: string, form: Params, call: Call, isProved: boolean): Promise<Response> {
    const { client = first } = call;
    const url = world.issuer + path;
    const body = new URLSearchParams(encodeForm({ ...await identify(client), ...form }));
    const headers = isProved ? await proofHeader(client, { url }) : {};
    return await send(new Request(url, { method: "POST", headers, body }), call, true);
  }

  function requestToken(form: Params, call: Call): Promise<Response> {
    return post("/oauth2/token", form, call, call.proof !== "absent");
  }

  const suite: Suite = {
    variant,
    world,
    first,
    second,
    api,
    async push(call = {}) {
      const { client = first } = call;
      const params = paramsOf(client);
      const form = variant.signsRequests ? await signObject(client, params) : params;
      return await post("/oauth2/par", form, call, false);
    },
    async approve(request_uri, client = first) {
      const browser = createBrowser(world);
      const page = await browser.open(
        `/oauth2/authorize?${encodeForm({ client_id: client.id, request_uri })}`,
      );
      const { leftFor, status, html } = await agree(browser, page, person);
      if (leftFor === undefined) throw new Error(`no redirect but ${status}: ${html.slice(0, 400)}`);
      const url = new URL(leftFor);
      const params = variant.signsResponses
        ? await readSignedResponse(url.searchParams, world)
        : url.searchParams;
      return { status, url, params };
    },
    async authorize(call = {}) {
      const response = await suite.push(call);
      const body = await response.json();
      assertEquals(response.status, 201, JSON.stringify(body));
      return await suite.approve(body.request_uri, call.client);
    },
    redeem(code, call = {}) {
      const { redirectUri } = call.client ?? first;
      return requestToken({
        grant_type: "authorization_code",
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      }, call);
    },
    async tokens(call = {}) {
      const { params } = await suite.authorize(call);
      return await readTokens(await suite.redeem(params.get("code")!, { client: call.client ?? first }));
    },
    refresh(token, call = {}) {
      return requestToken({ grant_type: "refresh_token", refresh_token: token }, call);
    },
    async callApi({ access_token: accessToken, token_type: type }, client = first) {
      const headers = {
        authorization: `${type} ${accessToken}`,
        ...await proofHeader(client, { method: "GET", url: api, accessToken }),
      };
      return await send(new Request(api, { headers }), { client }, false);
    },
  };
  return suite;
}

/** Verifies a response that is a JWT (JARM §2.4), and returns its parameters. */
async function readSignedResponse(sent: URLSearchParams, world: World): Promise<URLSearchParams> {
  const names = [...sent.keys()].filter((name) => !/^dummy\d$/.test(name));
  assertEquals(names, ["response"]);
  const { aud, exp, ...params } = await verifyJwt(world, sent.get("response")!);
  assert([first.id, second.id].includes(aud as string), `${aud}`);
  // JARM §2.1.
  assert(exp! > world.clock.now && exp! <= world.clock.now + 600, `${exp}`);
  return new URLSearchParams(params as Record<string, string>);
}

/** SP §5.4.1. `Ed25519` is another name of EdDSA with that curve (RFC 9864 §2.2). */
const algorithms: readonly string[] = ["PS256", "ES256", "EdDSA", "Ed25519"];

/** Verifies a JWT of the server. */
export async function verifyJwt(world: World, jwt: string, audience?: string): Promise<JWTPayload> {
  const keySet = createLocalJWKSet(await (await world.get("/oauth2/jwks")).json());
  const { payload } = await jwtVerify(jwt, keySet, {
    issuer: world.issuer,
    ...(audience === undefined ? {} : { audience }),
    algorithms: [...algorithms],
    currentDate: new Date(world.clock.now * 1000),
    requiredClaims: ["exp"],
  });
  return payload;
}
