/** Token exchange by foreign clients: `oauth4webapi` and `openid-client` 6, with their default settings (RFC 8693). */

import { assertEquals, assertRejects } from "@std/assert";
import * as oauth from "oauth4webapi";
import { fetchFrom } from "../../../flows/foreign_client.ts";
import { test } from "../../../runner.ts";
import { claimsOf } from "../../../server/tokens/bearer.ts";
import {
  exchangeGrant,
  exchanger,
  gateway,
  inExchange,
  orders,
  typeOf,
} from "../../../server/tokens/exchange_world.ts";
import { redirectUri } from "../../../world.ts";
import { discoverServer } from "./discovery.ts";

const subjectType = { subject_token_type: typeOf("access_token") };
const chat = "https://chat.example/";
const wiki = exchanger("web", { id_jag: [{ audience: chat, client_id: "wiki-at-chat" }] }, {
  redirect_uris: [redirectUri],
  grant_types: ["authorization_code", "refresh_token", exchangeGrant],
});
const now = () => Date.now() / 1000;

test("clients: oauth4webapi exchanges an access token (RFC 8693 §2)", () =>
  inExchange(async (world, { access_token: subject_token }) => {
    const options = { [oauth.customFetch]: fetchFrom(world) };
    const [server, client] = [await discoverServer(world), { client_id: "gateway" }];
    const ask = async (more: Readonly<Record<string, string>>) =>
      await oauth.processGenericTokenEndpointResponse(
        server,
        client,
        await oauth.genericTokenEndpointRequest(
          server,
          client,
          oauth.ClientSecretBasic("gateway secret"),
          exchangeGrant,
          { subject_token, ...subjectType, ...more },
          options,
        ),
      );
    const tokens = await ask({ audience: orders, scope: "read" });
    assertEquals([tokens.token_type, tokens["issued_token_type"], tokens.scope], [
      "bearer",
      typeOf("access_token"),
      "read",
    ]);
    assertEquals(claimsOf(tokens.access_token)["aud"], orders);
    const error = await assertRejects(() => ask({ audience: "other" }), oauth.ResponseBodyError);
    assertEquals([error.error, error.status], ["invalid_target", 400]);
  }, { now }));

test("clients: oauth4webapi gets an ID-JAG, whose type is N_A (ID-JAG §4.3)", () =>
  inExchange(async (world, { id_token: subject_token }) => {
    const [server, client] = [await discoverServer(world), { client_id: "web" }];
    const response = await oauth.genericTokenEndpointRequest(
      server,
      client,
      oauth.ClientSecretBasic("web secret"),
      exchangeGrant,
      {
        subject_token,
        subject_token_type: typeOf("id_token"),
        requested_token_type: typeOf("id-jag"),
        audience: chat,
      },
      { [oauth.customFetch]: fetchFrom(world) },
    );
    const recognizedTokenTypes = { n_a: () => {} };
    const answer = await oauth.processGenericTokenEndpointResponse(server, client, response, {
      recognizedTokenTypes,
    });
    assertEquals([answer.token_type, answer["issued_token_type"]], ["n_a", typeOf("id-jag")]);
    assertEquals(claimsOf(answer.access_token)["client_id"], "wiki-at-chat");
  }, { now, clients: [wiki, gateway] }));
