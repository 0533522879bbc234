/** Rich authorization requests in small (RFC 9396): one more parameter says what the client wants to do. */

import { assertEquals } from "@std/assert";
import { defaultFeatures, everyFeature } from "../../src/server/features/mod.ts";
import {
  type Carrier,
  carry,
  memberOf,
  readCarried,
  type ValueKey,
} from "../../src/server/oauth/contracts/feature_values.ts";
import { type AddedErrorCode, refusals } from "../../src/server/oauth/contracts/refusals.ts";
import type { ClientMember, Feature } from "../../src/server/oauth/contracts/feature.ts";
import { assertCannotCreate } from "../server/oauth/refusals.ts";
import { findAll, findById, readHtml, textOf } from "../server/pages/read_html.ts";
import { claimsOf, introspect, readTokens, refresh } from "../server/tokens/bearer.ts";
import {
  basic,
  callbackParams,
  createBrowser,
  createWorld,
  type Page,
  redirectUri,
  type World,
} from "../world.ts";
import type { Toy } from "./toys.ts";

interface Detail {
  readonly type: string;
  readonly euros: number;
}

const name = "toy_details";
const types = ["pay", "lend"];

const detailsKey: ValueKey<readonly Detail[]> = { name };

const typesMember: ClientMember<readonly string[]> = {
  name: "toy_details_types",
  schema: { type: "array", items: { type: "string", enum: types } },
};

const invalidDetails: AddedErrorCode = { code: "invalid_toy_details", status: 400 };

const refusal = refusals({
  toy_detail_not_for_client: {
    error: invalidDetails,
    sentence: "This client may not {type}",
    change: "Add the type to toy_details_types of this client.",
  },
});

function requireTypes(details: readonly Detail[], allowed: readonly string[] = []): readonly Detail[] {
  const other = details.find(({ type }) => !allowed.includes(type));
  if (other !== undefined) throw refusal("toy_detail_not_for_client", { type: other.type });
  return details;
}

function detailsOf(carrier: Carrier): { readonly toy_details: readonly Detail[] } | undefined {
  const details = readCarried(carrier, detailsKey);
  return details && { toy_details: details };
}

const feature: Feature = {
  name,
  spec: "none",
  requestParams: [{
    name,
    read: (text, _services, client) => ({
      carried: carry(detailsKey, requireTypes(JSON.parse(text), memberOf(client, typesMember))),
    }),
  }],
  carries: [detailsKey],
  clientMembers: [typesMember],
  consentRows: [{
    name,
    heading: "And to do",
    list: (request) =>
      readCarried(request, detailsKey)?.map(({ type, euros }) => `${type} <b>${euros} €</b>`) ?? [],
  }],
  changesRedemption: ({ redemption }) => ({
    ...redemption,
    claims: { ...detailsOf(redemption.grant), iss: "https://changed.test" },
  }),
  tokenMembers: ({ redemption: { grant } }) => ({ members: { ...detailsOf(grant) } }),
  metadata: { toy_details_types_supported: types },
};

export const richRequestToy: Toy = {
  kind: "a rich authorization request",
  feature,
  options: {
    login: "picker",
    // The public type does not know the member.
    clients: ["public", "other"].map((client_id) => ({
      ...{ client_id, client_secret: "secret", redirect_uris: [redirectUri] },
      ...client_id === "public" ? { toy_details_types: ["pay"] } : {},
    })),
  },
  async works(world) {
    const code = await asksOnThePage(world);
    await tellsClientsAndApis(world, code);
    const metadata = await (await world.get("/.well-known/oauth-authorization-server")).json();
    assertEquals(metadata.toy_details_types_supported, types);
    await listsItsKey();
  },
};

/** A feature lists the keys of its carried values, and no other feature has the same, or the same metadata or option. */
async function listsItsKey(): Promise<void> {
  const createWith = (...features: readonly Feature[]) => () => createWorld({ clients: [], features });
  const other: Feature = { name: "other", spec: "none", carries: [{ name }] };
  await assertCannotCreate(createWith(feature, other), `two features offer the carried value ${name}`);
  const announcing: Feature = { name: "announcing", spec: "none", metadata: feature.metadata! };
  await assertCannotCreate(
    createWith(feature, announcing),
    "the feature announcing sets the metadata toy_details_types_supported, which is set already",
  );
  const taken: Feature = { name: "taken", spec: "none", settings: [{ name: "issuer", schema: {} }] };
  await assertCannotCreate(createWith(taken), "every server reads the option issuer already");
  await assertCannotCreate(createWith(taken, taken), "two features offer the option issuer");
  // A feature that forgets to list its key would escape that check.
  const { carries: _carries, ...unlisted } = feature;
  const features = [...defaultFeatures({ ...everyFeature, firstUse: false }), unlisted];
  await using careless = createWorld({ clients: richRequestToy.options!.clients!, features });
  const refused = await careless.authorize({ [name]: JSON.stringify([pay(5)]) });
  assertEquals(callbackParams(refused).get("error"), "server_error");
}

const pay = (euros: number): Detail => ({ type: "pay", euros });

/** The page shows the details as plain text, and remembered consent covers only those that it has shown. */
async function asksOnThePage(world: World): Promise<string> {
  const browser = createBrowser(world);
  const ask = (details: readonly Detail[], client_id = "public") =>
    browser.open(world.authorizeUrl({ client_id, [name]: JSON.stringify(details) }));
  const first = await browser.submit(await ask([pay(5)]), { person: "alice" });
  assertEquals(rowOf(first), ["And to do", "pay <b>5 €</b>"]);
  await browser.submit(first, { decision: "approve" });
  assertEquals(rowOf(await ask([pay(5), pay(6)])), ["And to do", "pay <b>5 €</b>", "pay <b>6 €</b>"]);
  assertEquals(rowOf(await ask([])), ["error: none"]);
  assertEquals(rowOf(await ask([{ type: "lend", euros: 5 }])), ["error: invalid_toy_details"]);
  assertEquals(rowOf(await ask([pay(5)], "other")), ["error: invalid_toy_details"]);
  const { leftFor } = await ask([pay(5)]);
  return new URL(leftFor!).searchParams.get("code")!;
}

/** The heading and the lines of the row, or the error that the client gets instead of a page. */
function rowOf({ html, leftFor }: Page): readonly string[] {
  if (leftFor !== undefined) return [`error: ${new URL(leftFor).searchParams.get("error") ?? "none"}`];
  const document = readHtml(html);
  const [heading, row] = [`${name}-heading`, name].map((id) => findById(document, id));
  return row ? [textOf(heading!), ...findAll(row, "li").map(textOf)] : [];
}

async function tellsClientsAndApis(world: World, code: string): Promise<void> {
  const credentials = basic("public", "secret");
  const first = await readTokens(await world.redeem(code, { client_id: undefined }, credentials));
  const second = await readTokens(await refresh(world, first.refresh_token, {}, credentials));
  for (const tokens of [first, second]) {
    const claims = claimsOf(tokens.access_token);
    const said = await (await introspect(world, tokens.access_token, credentials)).json();
    for (const each of [tokens, claims, said]) assertEquals(Object(each)[name], [pay(5)]);
    assertEquals([claims["iss"], said.iss], [world.issuer, world.issuer]);
  }
}
