/** Grant types: a client gets a token for itself, or exchanges the token of a person for a token of its own. */

import { assertEquals } from "@std/assert";
import type { Feature, GrantType } from "../../src/server/oauth/contracts/feature.ts";
import { requireParam } from "../../src/server/oauth/contracts/params.ts";
import { checkToken, findToken } from "../../src/server/oauth/tokens/find_token.ts";
import { redeemForClient } from "../../src/server/oauth/tokens/redeem_for_client.ts";
import { claimsOf, introspect, refusalOf, tokensOf } from "../server/tokens/bearer.ts";
import { basic, clients } from "../world.ts";
import type { Toy } from "./toys.ts";

const name = "urn:example:toy-grant";
const exchangeName = "urn:example:toy-exchange";

const exchangeType: GrantType = {
  name: exchangeName,
  params: ["subject_token"],
  async redeem({ form, client: { client } }, services) {
    const token = await findToken(requireParam(form, "subject_token"), "access_token", services);
    const check = await checkToken(token!, services);
    if (!check.isValid) throw new Error(check.loss);
    const { token: { scope }, grant: subject } = check.live;
    const { code: _code, refresh: _refresh, ...grant } = subject!.entry.value;
    return {
      grantId: "toy",
      grant: { ...grant, clientId: client.id, clientEpoch: client.epoch, scope, resource: [] },
      replaces: null,
      keepUntil: subject!.entry.expiresAt,
      scope,
      resource: [],
      members: { issued_token_type: "urn:example:toy-token", token_type: "Changed" },
      claims: { act: { sub: client.id }, iss: "https://changed.test" },
      accessTokenOnly: true,
    };
  },
};

const feature: Feature = {
  name: "toy_grant",
  spec: "none",
  grantTypes: [{
    name,
    params: [],
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
    }],
  },
  async works(world) {
    const { access_token: subjectToken } = await tokensOf(world, { scope: "openid" });
    const form = { grant_type: exchangeName, subject_token: subjectToken };
    const exchange = () => world.post("/oauth2/token", form, asToy);
    const { access_token: token, ...members } = await (await exchange()).json();
    assertEquals(members, {
      token_type: "Bearer",
      expires_in: 3600,
      scope: "openid",
      issued_token_type: "urn:example:toy-token",
    });
    const { act, iss, sub } = claimsOf(token);
    assertEquals([act, iss, sub], [{ sub: "toy" }, world.issuer, claimsOf(subjectToken)["sub"]]);

    // The id of the grant is not free any more, and the first grant with this id stays.
    assertEquals(await refusalOf(world, exchange()), [503, "temporarily_unavailable", "grant_contended"]);
    assertEquals((await (await introspect(world, token, asToy)).json()).active, true);
  },
};
