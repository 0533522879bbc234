/** Token exchange in the inspector: the login of its subject, and what is shown of its tokens (RFC 8693). */

import { assert, assertEquals } from "@std/assert";
import { recordRequest } from "../../../../src/kit/mock/journal/recorded_request.ts";
import { test } from "../../../runner.ts";
import { revoke } from "../../../server/tokens/bearer.ts";
import {
  exchange,
  exchangeGrant,
  exchanger,
  inExchange,
  orders,
  ownToken,
  secretOf,
  typeOf,
  web,
} from "../../../server/tokens/exchange_world.ts";
import type { World } from "../../../world.ts";
import { describeLast } from "./kept_world.ts";

const clients = [
  web,
  exchanger("gateway", { from: ["web"], to: [orders], actors: ["gateway"] }),
  exchanger("orders", { from: ["gateway"], to: ["https://stock.example/"] }),
];

const actorOf = async (world: World) => ({
  actor_token: await ownToken(world, "gateway"),
  actor_token_type: typeOf("access_token"),
});

const relationsOf = (world: World) =>
  describeLast(world).related.map(({ relation, id }) => {
    const { facts } = world.journal.find((entry) => entry.id === id)!;
    return [relation, `${facts.clientId} ${facts.grantType ?? facts.endpoint}`];
  });

test("inspector: an exchange stands in the login of its subject, after the response with the subject_token", () =>
  inExchange(async (world, { access_token: subject }) => {
    const { access_token: first } = await (await exchange(world, subject, await actorOf(world))).json();
    assertEquals(relationsOf(world), [
      ["issued", "web authorization_code"],
      ["authorization", "web authorize"],
    ]);
    await exchange(world, first, {}, { as: "orders" });
    assertEquals(relationsOf(world)[0], [
      "issued",
      "gateway urn:ietf:params:oauth:grant-type:token-exchange",
    ]);
    const flows = world.journal.map(({ facts }) => facts.flow);
    assertEquals(new Set(flows.filter((flow) => flow !== undefined)).size, 1);
  }, { clients }));

test("inspector: a refused exchange stands in the login of an access token, an ID token or a refresh token", () => {
  const grant_types = ["authorization_code", "refresh_token", exchangeGrant];
  const client = exchanger("web", { from: ["web"], to: [orders] }, { ...web, grant_types });
  return inExchange(async (world, tokens) => {
    const { flow } = world.journal[1]!.facts;
    await revoke(world, tokens.refresh_token, {}, secretOf("web"));
    for (const type of ["access_token", "id_token", "refresh_token"] as const) {
      await exchange(world, tokens[type], { subject_token_type: typeOf(type) }, { as: "web" });
      const { facts } = world.journal.at(-1)!;
      assertEquals([facts.refusal?.reason, facts.flow], ["exchanged_ended", flow], type);
    }
  }, { clients: [client] });
});

test("inspector: a refused exchange stands in the login of its subject, and names what ended it", () =>
  inExchange(async (world, { access_token: subject, refresh_token }) => {
    await revoke(world, refresh_token, {}, secretOf("web"));
    await exchange(world, subject, await actorOf(world));
    const { facts } = world.journal.at(-1)!;
    assertEquals([facts.refusal?.reason, facts.flow], ["exchanged_ended", world.journal[1]!.facts.flow]);
    assert(relationsOf(world).some(([relation, who]) => relation === "ended" && who === "web revoke"));
  }, { clients }));

test("inspector: an ID-JAG is not judged as an access token (RFC 8693 §2.2.1)", () =>
  inExchange(async (world, { id_token: subject }) => {
    const answer = await exchange(world, subject, {
      subject_token_type: typeOf("id_token"),
      requested_token_type: typeOf("id-jag"),
      audience: orders,
      resource: "https://api.orders.example/",
    }, { as: "web" });
    assertEquals(answer.status, 200);
    const shown = describeLast(world);
    assertEquals([shown.failedChecks, shown.checks], [[], []]);
  }, {
    clients: [{
      ...web,
      grant_types: ["authorization_code", exchangeGrant],
      token_exchange: { id_jag: [{ audience: orders, client_id: "x" }] },
    }],
  }));

test("inspector: the types of the tokens are readable, and the tokens are not", () =>
  inExchange(async (world, { access_token: subject }) => {
    await exchange(world, subject, await actorOf(world));
    const { params, answer } = recordRequest(world.journal.at(-1)!, "token");
    assertEquals(params, {
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      subject_token: "[redacted]",
      subject_token_type: typeOf("access_token"),
      actor_token: "[redacted]",
      actor_token_type: typeOf("access_token"),
    });
    assertEquals(answer?.["issued_token_type"], typeOf("access_token"));
    assertEquals(answer?.["access_token"], "[redacted]");
  }, { clients }));
