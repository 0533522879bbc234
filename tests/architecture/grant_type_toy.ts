/** Grant types: a client gets a token for itself, or exchanges the token of a person for a token of its own. */

import { assertEquals } from "@std/assert";
import type { Feature, GrantType } from "../../src/oauth/feature.ts";
import { requireParam } from "../../src/oauth/params.ts";
import { refusals } from "../../src/oauth/refusals.ts";
import { requireResources } from "../../src/oauth/tokens/resource.ts";
import { findLiveToken, findToken } from "../../src/oauth/tokens/find_token.ts";
import { redeemForClient } from "../../src/oauth/tokens/redeem_for_client.ts";
import { claimsOf, introspect, refusalOf, revoke, tokensOf } from "../tokens/bearer.ts";
import { basic, clients, type Params, type World } from "../world.ts";
import type { Toy } from "./toys.ts";

const name = "urn:example:toy-grant";
const exchangeName = "urn:example:toy-exchange";

const refusal = refusals({
  toy_subject: {
    error: "invalid_request",
    sentence: "The subject_token is not valid",
    change: "Send the access token of a person.",
  },
  toy_actor: {
    error: "unauthorized_client",
    sentence: "Another client may act for this person",
    change: "Exchange the token as the client that may_act names.",
  },
});

const exchangeType: GrantType = {
  name: exchangeName,
  params: ["subject_token", "toy_id", "audience", "resource"],
  repeatable: ["audience"],
  async redeem({ form, client: { client } }, services) {
    const token = await findToken(requireParam(form, "subject_token"), "access_token", services);
    const live = token && await findLiveToken(token, services);
    if (live?.grant === undefined) {
      throw refusal("toy_subject");
    }
    const mayAct = Object(live.token.claims["may_act"])["client_id"];
    if (mayAct !== client.id) throw refusal("toy_actor", { received: client.id });
    const { code: _code, refresh: _refresh, ...grant } = live.grant.entry.value;
    const { scope } = live.token;
    const resource = [...form.all("audience"), ...requireResources(form.all("resource"), services.settings)];
    return {
      grantId: requireParam(form, "toy_id"),
      grant: { ...grant, clientId: client.id, clientEpoch: client.epoch, scope, resource },
      replaces: null,
      keepUntil: live.grant.entry.expiresAt,
      scope,
      resource,
      members: { issued_token_type: "urn:example:toy-token", token_type: "Changed" },
      claims: { act: { sub: client.id }, iss: "https://changed.test" },
      accessTokenOnly: true,
    };
  },
};

const feature: Feature = {
  name: "toy_grant",
  spec: "none",
  accessTokenClaims: ({ client }) => client.id === "public" ? { may_act: { client_id: "toy" } } : undefined,
  grantTypes: [{
    name,
    redeem({ exchange, client: { client, method } }, services) {
      const terms = { client, method, scope: "read", resource: [] };
      return Promise.resolve(redeemForClient(terms, exchange, services));
    },
  }, exchangeType],
};

const asToy = basic("toy", "toy secret");

export const grantTypeToy: Toy = {
  kind: "a grant type",
  feature,
  options: {
    clients: [...clients, {
      client_id: "toy",
      client_secret: "toy secret",
      grant_types: [name, exchangeName, "refresh_token"],
    }, {
      ...{ client_id: "other", client_secret: "other secret", grant_types: [exchangeName] },
    }],
  },
  async works(world) {
    const response = await world.post("/oauth2/token", { grant_type: name }, asToy);
    assertEquals(response.status, 200);
    const metadata = await (await world.get("/.well-known/oauth-authorization-server")).json();
    assertEquals(metadata.grant_types_supported.includes(name), true);
    await exchangesTokens(world);
  },
};

/** The exchange creates a grant of its own, which ends apart from the first grant. */
async function exchangesTokens(world: World): Promise<void> {
  const { access_token: subjectToken } = await tokensOf(world, { scope: "openid" });
  const audience = ["https://a.example/", "https://b.example/"];
  const exchange = (changed: Params, credentials = asToy) =>
    world.post("/oauth2/token", {
      grant_type: exchangeName,
      subject_token: subjectToken,
      toy_id: "new-grant",
      audience,
      resource: "https://c.example/",
      ...changed,
    }, credentials);
  const other = await refusalOf(world, exchange({}, basic("other", "other secret")));
  assertEquals(other, [400, "unauthorized_client", "toy_actor"]);
  const response = await exchange({});
  const { access_token: token, ...members } = await response.json();
  assertEquals(response.status, 200);
  assertEquals(members, {
    token_type: "Bearer",
    expires_in: 3600,
    scope: "openid",
    issued_token_type: "urn:example:toy-token",
  });
  const { act, iss, sub, aud } = claimsOf(token);
  const expected = [{ sub: "toy" }, world.issuer, claimsOf(subjectToken)["sub"], [
    ...audience,
    "https://c.example/",
  ]];
  assertEquals([act, iss, sub, aud], expected);
  const repeats = [{ toy_id: ["a", "b"] }, { grant_type: [exchangeName, exchangeName] }, {
    grant_type: name,
  }];
  for (const repeat of repeats) {
    const refused = await refusalOf(world, exchange(repeat));
    assertEquals(refused, [400, "invalid_request", "repeated_parameter"]);
  }

  // The id is not free any more, and the first grant with this id stays.
  assertEquals(await refusalOf(world, exchange({})), [503, "temporarily_unavailable", "grant_contended"]);
  const isActive = async () => (await (await introspect(world, token, asToy)).json()).active;
  assertEquals(await isActive(), true);
  await revoke(world, subjectToken, { client_id: "public" });
  assertEquals(await isActive(), true);
  await revoke(world, token, {}, asToy);
  assertEquals(await isActive(), false);
}
