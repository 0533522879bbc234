/** Requests of each kind, to send over a store that fails or is slow. */
import { assertEquals } from "@std/assert";
import {
  clientId as documentId,
  createHost,
  fetchFrom,
  usual,
} from "../../server/features/client_documents.ts";
import {
  begin as beginDevice,
  deviceClients,
  type DeviceCodes,
  poll,
} from "../../server/features/device_login.ts";
import { nativeUri, registered } from "../../server/features/registration.ts";
import { readTokens, type Tokens } from "../../server/tokens/bearer.ts";
import { createProofKey, proof } from "../../server/tokens/dpop.ts";
import { personJwt, present, trusting } from "../../server/tokens/jwt_grants.ts";
import { basic, callbackParams, createBrowser, type Params, verifier, type World } from "../../world.ts";
import { openConsentForm, openDeviceConsentForm, openSignInForm } from "../forms.ts";
import { without } from "../outcome.ts";
import type { FaultyRequest } from "../play_fault.ts";

const asBasic = basic("basic", "basic secret: a+b%c");
const newcomer = { client_id: "newcomer", redirect_uri: "http://127.0.0.1:4000/cb" };
const asked = { login: "picker" } as const;
const proofKey = await createProofKey();

async function begin(world: World, changed?: Params): Promise<Tokens> {
  return await readTokens(await world.redeem(await world.code({ scope: "openid", ...changed })));
}

function refresh(world: World, token: string, client_id = "public"): Promise<Response> {
  return world.post("/oauth2/token", { grant_type: "refresh_token", refresh_token: token, client_id });
}

/** Refreshes with the token of an answer to the client `public`. */
async function refreshAgain(world: World, answer: Response): Promise<Response> {
  return await refresh(world, (await readTokens(answer)).refresh_token!);
}

async function redeemCode(world: World, answer: Response, changed?: Params): Promise<Response> {
  return await world.redeem(callbackParams(answer).get("code")!, changed);
}

function revoke(world: World, token: string): Promise<Response> {
  return world.post("/oauth2/revoke", { token, client_id: "public" });
}

/** Prepares what a request needs, and then sends the request with it. */
function after<Needed>(
  prepare: (world: World) => Promise<Needed>,
  send: (world: World, needed: Needed) => Promise<Response>,
): FaultyRequest["prepare"] {
  return async (world) => {
    const needed = await prepare(world);
    return (world) => send(world, needed);
  };
}

/** A token without its grant's write, and a session without its cookie: no client and no browser has the secret. */
const withoutUnheld = without("access_token", "session");

/** If the store fails after the grant is written, the server asks the person again next time. */
const withoutConsent = without("consent", "session");

const redemptions: readonly FaultyRequest[] = [
  {
    name: "redemption",
    once: true,
    use: refreshAgain,
    calls: 2,
    prepare: after((world) => world.code(), (world, code) => world.redeem(code)),
  },
  {
    name: "redemption for an opaque token",
    once: true,
    options: { accessTokens: "opaque" },
    use: refreshAgain,
    calls: 3,
    compared: withoutUnheld,
    prepare: after((world) => world.code(), (world, code) => world.redeem(code)),
  },
  {
    name: "redemption by a first-use client",
    once: true,
    options: { firstUse: true },
    calls: 5,
    prepare: after(
      (world) => world.code(newcomer),
      (world, code) => world.redeem(code, { ...newcomer, client_secret: "a-secret" }),
    ),
  },
  {
    name: "redemption with a DPoP proof",
    once: true,
    calls: 3,
    async prepare(world) {
      const code = await world.code();
      const proofs = [await proof(proofKey, world), await proof(proofKey, world)];
      // Each server gets another proof, because a client signs a new one for each request.
      const sent = new Map<World, number>();
      return (world) => {
        if (!sent.has(world)) sent.set(world, sent.size);
        return world.redeem(code, {}, proofs[sent.get(world)!]!);
      };
    },
    compared: without("once"),
  },
  {
    name: "replay of a code",
    calls: 2,
    async prepare(world) {
      const code = await world.code();
      assertEquals((await world.redeem(code)).status, 200);
      return (world) => world.redeem(code);
    },
  },
  {
    name: "redemption with a wrong verifier",
    calls: 2,
    prepare: after(
      (world) => world.code(),
      (world, code) => world.redeem(code, { code_verifier: verifier.toUpperCase() }),
    ),
  },
  {
    name: "redemption with a wrong secret",
    calls: 2,
    prepare: after(
      (world) => world.code({ client_id: "post" }),
      (world, code) => world.redeem(code, { client_id: "post", client_secret: "guess" }),
    ),
  },
];

const opaque = { accessTokens: "opaque" } as const;

const tokens: readonly FaultyRequest[] = [
  {
    name: "refresh",
    once: true,
    options: opaque,
    use: refreshAgain,
    calls: 2,
    compared: withoutUnheld,
    prepare: after((world) => begin(world), (world, { refresh_token }) => refresh(world, refresh_token)),
  },
  {
    name: "refresh within grace",
    options: { ...opaque, lifetimes: { refreshGrace: 10 } },
    use: refreshAgain,
    calls: 2,
    prepare: after((world) => begin(world), (world, { refresh_token }) => refresh(world, refresh_token)),
    compared: withoutUnheld,
  },
  {
    name: "reuse of a refresh token",
    calls: 2,
    async prepare(world) {
      const { refresh_token } = await begin(world);
      assertEquals((await refresh(world, refresh_token)).status, 200);
      return (world) => refresh(world, refresh_token);
    },
  },
  {
    name: "revocation of a refresh token",
    calls: 2,
    prepare: after((world) => begin(world), (world, { refresh_token }) => revoke(world, refresh_token)),
  },
  ...(["jwt", "opaque"] as const).map((accessTokens): FaultyRequest => ({
    name: `revocation of an access token, ${accessTokens}`,
    options: { accessTokens },
    calls: 1,
    prepare: after((world) => begin(world), (world, { access_token }) => revoke(world, access_token)),
  })),
  {
    name: "introspection",
    options: opaque,
    calls: 2,
    prepare: after(
      (world) => begin(world),
      (world, { access_token: token }) => world.post("/oauth2/introspect", { token }, asBasic),
    ),
  },
  {
    name: "userinfo",
    calls: 1,
    prepare: after(
      (world) => begin(world),
      (world, { access_token }) => world.get("/userinfo", { authorization: `Bearer ${access_token}` }),
    ),
  },
];

const authorizations: readonly FaultyRequest[] = [
  {
    name: "authorization with automatic sign-in",
    compared: withoutUnheld,
    use: redeemCode,
    calls: 1,
    prepare: () => Promise.resolve((world) => world.authorize()),
  },
  {
    name: "authorization on first use",
    options: { firstUse: true },
    compared: withoutUnheld,
    use: (world, answer) => redeemCode(world, answer, newcomer),
    calls: 3,
    prepare: () => Promise.resolve((world) => world.authorize(newcomer)),
  },
  {
    name: "authorization of a client with a metadata document",
    options: { clients: [], fetch: fetchFrom(createHost()) },
    compared: withoutUnheld,
    use: (world, answer) => redeemCode(world, answer, usual),
    calls: 5,
    prepare: () => Promise.resolve((world) => world.authorize({ ...usual, client_id: documentId })),
  },
  {
    name: "sign-in",
    options: asked,
    calls: 1,
    prepare: after((world) => openSignInForm(world), (world, form) => form.send(world, { person: "alice" })),
  },
  {
    name: "sign-in with a password",
    isSlow: true,
    options: { ...asked, people: [{ username: "carol", password: "carol's password" }] },
    // An attempt whose answer is lost counts as a wrong password.
    compared: without("throttle", "session"),
    calls: 2,
    prepare: after(
      (world) => openSignInForm(world),
      (world, form) => form.send(world, { username: "carol", password: "carol's password" }),
    ),
  },
  {
    name: "approval",
    options: asked,
    compared: withoutConsent,
    use: redeemCode,
    calls: 2,
    prepare: after(
      (world) => openConsentForm(world),
      (world, form) => form.send(world, { decision: "approve" }),
    ),
  },
  {
    name: "approval on first use",
    options: { ...asked, firstUse: true },
    use: (world, answer) => redeemCode(world, answer, newcomer),
    calls: 4,
    prepare: after(
      (world) => openConsentForm(world, newcomer),
      (world, form) => form.send(world, { decision: "approve" }),
    ),
  },
  {
    name: "denial",
    options: asked,
    calls: 1,
    prepare: after(
      (world) => openConsentForm(world),
      (world, form) => form.send(world, { decision: "deny" }),
    ),
  },
  {
    name: "sign-out",
    calls: 2,
    async prepare(world) {
      const browser = createBrowser(world);
      const { leftFor } = await browser.open(world.authorizeUrl({ scope: "openid" }));
      const { id_token } = await (await world.redeem(new URL(leftFor!).searchParams.get("code")!)).json();
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      return (world) => world.get(`/connect/logout?id_token_hint=${id_token}`, { cookie });
    },
  },
  {
    name: "pushed request",
    compared: without("push_bound"),
    calls: 3,
    prepare(world) {
      const { searchParams } = new URL(world.authorizeUrl());
      return Promise.resolve((world) => world.post("/oauth2/par", searchParams.toString()));
    },
  },
  {
    name: "authorization with a pushed request",
    // The order decides whether the later request is refused when it looks for the grant, or when it writes one.
    compared: ({ answers, left }) =>
      withoutUnheld({
        left,
        answers: Object.fromEntries(
          Object.entries(answers).map(([name, { status }]) => [name, { status: status === 303 ? 303 : 400 }]),
        ),
      }),
    use: redeemCode,
    calls: 2,
    async prepare(world) {
      const { searchParams } = new URL(world.authorizeUrl());
      const pushed = await world.post("/oauth2/par", searchParams.toString());
      const { request_uri } = await pushed.json();
      return (world) => world.authorize({ request_uri });
    },
  },
];

const withDevice = { ...asked, clients: deviceClients };

async function approvedDevice(world: World): Promise<DeviceCodes> {
  const codes = await beginDevice(world);
  await (await openDeviceConsentForm(world, codes)).send(world, { decision: "approve" });
  return codes;
}

const deviceLogins: readonly FaultyRequest[] = [
  {
    name: "device authorization of an unknown client",
    options: { ...asked, clients: [], firstUse: true },
    calls: 6,
    compared: without("device_request", "user_code", "waiting_client", "waiting_requests"),
    prepare: () =>
      Promise.resolve((world) => world.post("/oauth2/device_authorization", { client_id: "my-cli" })),
  },
  {
    name: "poll of a device",
    options: withDevice,
    calls: 4,
    prepare: after((world) => beginDevice(world), (world, codes) => poll(world, codes)),
  },
  {
    name: "redemption of a device code",
    options: withDevice,
    once: true,
    use: async (world, answer) => refresh(world, (await readTokens(answer)).refresh_token!, "tv"),
    calls: 4,
    prepare: after((world) => approvedDevice(world), (world, codes) => poll(world, codes)),
  },
  {
    name: "user code",
    options: withDevice,
    calls: 8,
    // An attempt whose answer is lost counts as a wrong code.
    compared: without("throttle"),
    prepare: after(
      (world) => beginDevice(world),
      (world, { user_code }) => world.post("/oauth2/device_verification", { user_code }),
    ),
  },
  {
    name: "approval of a device",
    options: withDevice,
    calls: 4,
    compared: without("session"),
    prepare: after(
      async (world) => openDeviceConsentForm(world, await beginDevice(world)),
      (world, form) => form.send(world, { decision: "approve" }),
    ),
  },
];

const registration = { issuer: "http://localhost:9000", registration: { open: true } };

async function manage(
  world: World,
  method: string,
  changes?: Params,
): Promise<(world: World) => Promise<Response>> {
  const client = await registered(world);
  const { client_id, registration_client_uri: uri, registration_access_token: token } = client;
  const body = changes && JSON.stringify({ client_id, redirect_uris: [nativeUri], ...changes });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return (world) => world.fetch(new Request(uri, { method, headers, ...(body ? { body } : {}) }));
}

const clients: readonly FaultyRequest[] = [
  {
    name: "JWT authorization grant",
    once: true,
    options: trusting(),
    calls: 3,
    prepare: after((world) => personJwt(world), (world, jwt) => present(world, jwt)),
  },
  {
    name: "registration",
    options: registration,
    compared: without("client_places"),
    calls: 2,
    prepare: () =>
      Promise.resolve((world) =>
        world.fetch(
          new Request(`${world.issuer}/connect/register`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ redirect_uris: [nativeUri] }),
          }),
        )
      ),
  },
  {
    name: "first approval of a registered client",
    options: { ...registration, login: "auto" },
    compared: without("client_places", "session", "grant"),
    calls: 7,
    prepare: after(
      (world) => registered(world),
      (world, { client_id }) => world.authorize({ client_id, redirect_uri: nativeUri }),
    ),
  },
  {
    name: "update of a registration",
    options: registration,
    calls: 2,
    prepare: (world) => manage(world, "PUT", { client_name: "New" }),
  },
  {
    name: "deletion of a registration",
    options: registration,
    compared: without("client_places"),
    calls: 3,
    prepare: (world) => manage(world, "DELETE"),
  },
];

export const faultyRequests: readonly FaultyRequest[] = [
  ...redemptions,
  ...tokens,
  ...authorizations,
  ...deviceLogins,
  ...clients,
];
