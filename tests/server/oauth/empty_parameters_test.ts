/** An empty parameter counts as absent, at each endpoint and with each grant type (OAuth 2.1 §3.1, §3.2). */

import { assert, assertEquals } from "@std/assert";
import { SignJWT } from "jose";
import { createAssembledServer } from "../../../src/server/server.ts";
import type { ServerOptions } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import {
  authorizationParams,
  createClock,
  createWorld,
  type Params,
  redirectUri,
  type World,
  worldDefaults,
} from "../../world.ts";
import { answer, begin, deviceGrantType, poll } from "../features/device_login.ts";
import { keys } from "../tokens/assertions.ts";
import { isActive, readTokens, refresh, revoke } from "../tokens/bearer.ts";
import {
  exchange,
  exchangeGrant,
  gateway,
  ownToken,
  secretOf,
  web,
  webTokens,
} from "../tokens/exchange_world.ts";
import { grantClients, personJwt, present, trusting } from "../tokens/jwt_grants.ts";
import { assertCode } from "./refusals.ts";

const asWeb = secretOf("web");
const signed = { client_id: "signed", redirect_uris: [redirectUri], jwks: { keys: [keys.es256.jwk] } };
const options: ServerOptions = {
  ...worldDefaults,
  ...trusting(),
  clients: [
    { ...web, grant_types: ["authorization_code", "refresh_token", deviceGrantType, exchangeGrant] },
    gateway,
    signed,
    ...grantClients.filter(({ client_id }) => client_id === "agent"),
  ],
};

/** Returns the form, or the URL with a query, with every known parameter that it lacks, each without a value. */
function addEmpty(form: string, names: readonly string[]): string {
  const given = new URLSearchParams(form.slice(form.indexOf("?") + 1));
  return [form, ...names.filter((name) => !given.has(name)).map((name) => `${name}=`)].join("&");
}

/** Opens a world in which each request of a program, and each new authorization request, has all known parameters. */
function openWorld(): World {
  const clock = createClock();
  const { server, services } = createAssembledServer({ ...options, now: () => clock.now });
  const { endpoints, grantTypes, requestParams, requestSources } = services.slots;
  const listed = [...endpoints, ...grantTypes.values()].flatMap(({ params = [] }) => params);
  const names = [
    ...new Set([...listed, ...requestParams.keys(), ...requestSources.map(({ param }) => param)]),
  ];
  return createWorld({
    clock,
    async answerWith(request) {
      const { method, headers, url } = request;
      if (method === "GET") {
        const isNew = /\/authorize\?(?!continue=)/.test(url);
        return await server.fetch(new Request(isNew ? addEmpty(url, names) : url, { headers }));
      }
      const isOfProgram = /\/oauth2\/(token|par|introspect|revoke|device_authorization)$/.test(url);
      const form = await request.text();
      const body = isOfProgram ? addEmpty(form, names) : form;
      return await server.fetch(new Request(url, { method, headers, body }));
    },
  });
}

async function openPushed(world: World, form: Params, headers?: HeadersInit): Promise<Response> {
  const { request_uri } = await (await world.post("/oauth2/par", form, headers)).json();
  const query = new URLSearchParams({ client_id: `${form["client_id"]}`, request_uri });
  return await world.get(`/oauth2/authorize?${query}`);
}

async function signRequest({ issuer, clock }: World): Promise<string> {
  const claims = { ...authorizationParams({ client_id: "signed" }), iss: "signed", aud: issuer };
  return await new SignJWT({ ...claims, exp: clock.now + 60 }).setProtectedHeader({ alg: "ES256" })
    .sign(keys.es256.privateKey);
}

/** Each succeeds as it would without the empty parameters. */
const requests: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  code: (world) => webTokens(world),
  async "refresh, introspection and revocation"(world) {
    const { refresh_token } = await webTokens(world);
    const next = await readTokens(await refresh(world, refresh_token, {}, asWeb));
    assertEquals(await isActive(world, next.access_token, asWeb), true);
    await revoke(world, next.access_token, {}, asWeb);
    assertEquals(await isActive(world, next.access_token, asWeb), false);
  },
  "client credentials": async (world) => assert(typeof await ownToken(world, "gateway") === "string"),
  async "device code"(world) {
    const codes = await begin(world, { client_id: undefined }, asWeb);
    await answer(world, codes);
    await readTokens(await poll(world, codes, { client_id: undefined }, asWeb));
  },
  async "token exchange"(world) {
    const { access_token } = await webTokens(world);
    await readTokens(await exchange(world, access_token));
  },
  "JWT": async (world) => await readTokens(await present(world, await personJwt(world))),
  "pushed request": async (world) =>
    assertCode(await openPushed(world, authorizationParams({ client_id: "signed" }))),
  async "pushed request object"(world) {
    assertCode(await openPushed(world, { client_id: "signed", request: await signRequest(world) }));
  },
};

for (const [name, send] of Object.entries(requests)) {
  test(`empty parameters: ${name}, with all known parameters without a value (OAuth 2.1 §3.1)`, async () => {
    await using world = openWorld();
    await send(world);
  });
}
