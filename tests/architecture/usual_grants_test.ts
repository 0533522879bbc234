/** A client that names no grant types keeps the usual ones when the server gets another grant type. */

import { assertEquals } from "@std/assert";
import { defaultFeatures, everyFeature } from "../../src/server/features/mod.ts";
import { usualClients } from "../../src/kit/mock/terms/mock_options.ts";
import type { ServerOptions } from "../../src/mod.ts";
import { assertTokens } from "../server/oauth/refusals.ts";
import { test } from "../runner.ts";
import { basic, clients, inWorld, type Params, redirectUri, type World, worldDefaults } from "../world.ts";
import { grantTypeToy } from "./grant_type_toy.ts";

const { feature } = grantTypeToy;
const toyGrant = feature.grantTypes![0]!.name;
const toyResponse = "toy";

const features = [...defaultFeatures(everyFeature), {
  ...feature,
  responseTypes: [{
    name: toyResponse,
    issue: () => {
      throw new Error("no client has this response type");
    },
  }],
}];

interface AskedBy {
  readonly client: string;
  readonly secret?: string;
  readonly redirectUri: string;
}

/** What the server answers to the toy's grant type and to its response type. */
async function tryToys(world: World, { client, secret, redirectUri }: AskedBy): Promise<readonly string[]> {
  const [named, headers]: [Params, HeadersInit] = secret === undefined
    ? [{ client_id: client }, {}]
    : [{}, basic(client, secret)];
  await world.post("/oauth2/token", { grant_type: toyGrant, ...named }, headers);
  const grantRefusal = world.lastRefusal()?.reason ?? "none";
  await world.authorize({ client_id: client, redirect_uri: redirectUri, response_type: toyResponse });
  return [grantRefusal, world.lastRefusal()?.reason ?? "none"];
}

const refused = ["grant_type_not_for_client", "client_lacks_code_flow"];

const servers: readonly (readonly [name: string, options: ServerOptions, askedBy: readonly AskedBy[]])[] = [
  ["a configured client", { clients }, [
    { client: "public", redirectUri },
    { client: "basic", secret: "basic secret: a+b%c", redirectUri },
  ]],
  ["a demo client", {}, [
    { client: "demo", redirectUri: "http://localhost:9000/authorized" },
    { client: "demo-confidential", secret: "demo-secret", redirectUri: "http://localhost:9000/authorized" },
  ]],
  ["a client of the kit", { clients: usualClients }, [
    { client: "app", redirectUri: "https://app.test/callback" },
    { client: "app-confidential", secret: "app-secret", redirectUri: "https://app.test/callback" },
  ]],
];

const { issuer: _, clients: _clients, ...defaults } = worldDefaults;

for (const [name, options, askedBy] of servers) {
  test(`usual grants: ${name} does not have a grant or response type that it does not name`, () =>
    inWorld({ ...options, features }, async (world) => {
      for (const each of askedBy) assertEquals(await tryToys(world, each), refused, each.client);
    }, defaults));
}

for (const secret of [undefined, "a secret"]) {
  const kind = secret === undefined ? "public" : "confidential";
  test(`usual grants: a ${kind} first-use client has no more than the usual ones`, () =>
    inWorld({ features }, async (world) => {
      const named = { client_id: "unknown", redirect_uri: "http://127.0.0.1:4000/cb" };
      const code = await world.code(named);
      await assertTokens(
        secret === undefined
          ? await world.redeem(code, named)
          : await world.redeem(code, { ...named, client_id: undefined }, basic("unknown", secret)),
      );
      const askedBy = { client: "unknown", redirectUri: named.redirect_uri };
      assertEquals(await tryToys(world, secret === undefined ? askedBy : { ...askedBy, secret }), refused);
    }, defaults));
}

test("usual grants: a client that names a grant type has that one and no other", () =>
  inWorld({ ...grantTypeToy.options, features }, async (world) => {
    const ask = (grant_type: string) =>
      world.post("/oauth2/token", { grant_type, scope: "read" }, basic("toy", "toy secret"));
    assertEquals((await ask(toyGrant)).status, 200);
    assertEquals((await ask("client_credentials")).status, 400);
    assertEquals(world.lastRefusal()?.reason, "grant_type_not_for_client");
  }));

const usual: readonly (readonly [name: string, client: Params, granted: readonly string[]])[] = [
  ["a public client", { client_id: "public" }, ["authorization_code", "refresh_token"]],
  ["a confidential client", { client_id: "post", client_secret: "post-secret" }, [
    "authorization_code",
    "refresh_token",
    "client_credentials",
  ]],
];

for (const [name, credentials, granted] of usual) {
  test(`usual grants: ${name} that names none has ${granted.join(", ")}`, () =>
    inWorld({ features }, async (world) => {
      const has = [];
      for (const { name: grant_type } of features.flatMap(({ grantTypes = [] }) => grantTypes)) {
        await world.post("/oauth2/token", { grant_type, ...credentials });
        if (world.lastRefusal()?.reason !== "grant_type_not_for_client") has.push(grant_type);
      }
      assertEquals(has, granted);
    }));
}
