/** What the journal says about a request to each endpoint: whose it is, and to which login it belongs. */

import { assertEquals } from "@std/assert";
import { test } from "../../runner.ts";
import { readTokens, refresh, userinfo } from "../tokens/bearer.ts";
import { actedBy, exchange, exchangeGrant, exchanger, orders, secretOf } from "../tokens/exchange_world.ts";
import { redirectUri } from "../../world.ts";
import { begin, deviceGrantType } from "./device_login.ts";
import { createRegistrationWorld, manage, registered } from "./registration.ts";

const app = exchanger("app", { from: ["app"], to: [orders], actors: ["app"] }, {
  redirect_uris: [redirectUri],
  grant_types: ["authorization_code", "refresh_token", "client_credentials", exchangeGrant, deviceGrantType],
});
const credentials = secretOf("app");

test("journal: the entry of each endpoint has exactly its facts", async () => {
  await using world = createRegistrationWorld({ clients: [app] });
  const client = await registered(world);
  await manage(world, "GET", client);
  const asked = { client_id: "app", scope: "openid read", resource: [orders, world.issuer] };
  const form = new URL(world.authorizeUrl(asked)).search.slice(1);
  const { request_uri } = await (await world.post("/oauth2/par", form, credentials)).json();
  const opened = await world.get(
    `/oauth2/authorize?${new URLSearchParams({ client_id: "app", request_uri })}`,
  );
  const code = new URL(opened.headers.get("location")!).searchParams.get("code")!;
  const tokens = await readTokens(
    await world.redeem(code, { client_id: undefined, resource: orders }, credentials),
  );
  const next = await readTokens(await refresh(world, tokens.refresh_token, {}, credentials));
  await refresh(world, next.refresh_token, { scope: "openid more" }, credentials);
  await exchange(world, next.access_token, actedBy(next.access_token), { as: "app" });
  const ofClient = { grant_type: "client_credentials", scope: "read", resource: orders };
  await world.post("/oauth2/token", ofClient, credentials);
  await world.post("/oauth2/introspect", { token: next.access_token }, credentials);
  await userinfo(world, next.access_token);
  await world.post("/oauth2/revoke", { token: next.access_token }, credentials);
  await world.post("/oauth2/revoke", { token: next.refresh_token }, credentials);
  const device = { client_id: undefined, scope: "read", resource: orders };
  const { device_code } = await begin(world, device, credentials);

  const { client_id: registeredId } = client;
  const flow = code.split(".")[0]!;
  const authenticated = { clientAuth: "client_secret_basic", clientId: "app" };
  const access = { scope: ["openid", "read"], resource: [orders, world.issuer] };
  const token = { endpoint: "token", ...authenticated, ...access };
  const ofPerson = { flow, subject: "alice" };
  assertEquals(world.journal.map(({ facts: { refusal: _, ...facts } }) => facts), [
    {
      endpoint: "register",
      clientId: registeredId,
      more: { registration: { authentication: "client_secret_basic", hadInitialToken: false } },
    },
    { endpoint: "register", clientId: registeredId },
    { endpoint: "par", ...authenticated, ...access, flow, pkce: "S256" },
    {
      endpoint: "authorize",
      clientId: "app",
      ...ofPerson,
      ...access,
      pkce: "S256",
      arrivedBy: ["pushed request"],
    },
    { ...token, ...ofPerson, resource: [orders], grantType: "authorization_code", pkce: "S256" },
    { ...token, ...ofPerson, grantType: "refresh_token" },
    // The refused one.
    { ...token, ...ofPerson, grantType: "refresh_token" },
    {
      ...token,
      ...ofPerson,
      resource: [orders],
      grantType: exchangeGrant,
      more: { token_exchange: { from: "app", actor: "app" } },
    },
    { ...token, scope: ["read"], resource: [orders], grantType: "client_credentials" },
    { endpoint: "introspect", ...authenticated, ...ofPerson },
    { endpoint: "userinfo", clientId: "app", ...ofPerson, scope: access.scope },
    { endpoint: "revoke", ...authenticated, flow },
    { endpoint: "revoke", ...authenticated, flow },
    {
      endpoint: "device_authorization",
      ...authenticated,
      scope: ["read"],
      resource: [orders],
      flow: device_code.split(".")[0]!,
    },
  ]);
});
