/** The routes of tokens without a login: mint, expire, forge, and those of other issuers (workload, id_jag). */

import { catalogue } from "../../kit/faults/catalogue.ts";
import { forgeries, type ForgeryName, forgeryNames } from "../../kit/faults/names.ts";
import { readDuration } from "../../kit/mock/terms/duration.ts";
import { describeVerdict, type ForgeTerms } from "../../kit/mock/tokens/forge.ts";
import type { IdJagTerms } from "../../kit/mock/tokens/id_jag.ts";
import type { AnyMintOptions, MintTerms } from "../../kit/mock/tokens/mint_terms.ts";
import { workloadPlatforms } from "../../kit/mock/workloads/names.ts";
import type { WorkloadTerms } from "../../kit/mock/workloads/workload_terms.ts";
import { describeValue } from "../../ground/schema/received.ts";
import type { Schema } from "../../ground/schema/schema.ts";
import { present } from "../../ground/values/present.ts";
import { withPlace, wrongRequest, wrongValue } from "../guard/control_refused.ts";
import { exampleToken, givenTokens, singleToken, tokens, type TokensBody } from "./given_tokens.ts";
import { bodyOf, type InJson, membersOf, resultOf } from "./kit_types.ts";
import { type Call, type ControlRoute, type Reply, route } from "./route.ts";
import * as schema from "../../ground/schema/schema_of.ts";
import type { SchemaOf } from "../../ground/schema/schema_of.ts";

export const forgeryName: SchemaOf<ForgeryName> = schema.oneOf(forgeryNames, "The fault of the token.");

export const verdict: Schema = resultOf("ForgeryVerdict");

export const mintRoutes: readonly ControlRoute[] = [
  route("POST /mint", "mint", {
    body: bodyOf<AnyMintOptions>("MintTerms"),
    answer: schema.openObject({ token: schema.text("The new token.") }),
    handle: async ({ tenant, body }) => ({ token: await tenant.mint(requireMintBody(body) as MintTerms) }),
  }),
  route("POST /expire", "expire", {
    body: schema.openObject({ token: singleToken, ...givenTokens }, {
      required: [],
      example: { token: exampleToken },
    }),
    tokens: {},
    answer: schema.openObject({
      token: schema.text("The expired token, if the body has token."),
      ...tokens.properties,
    }, { required: [] }),
    handle: expireTokens,
  }),
  route("GET /forgeries", "listForgeries", {
    summary:
      "Lists the faults that a test can send one by one, and how a resource server must answer a token with each fault.",
    answer: schema.listOf("forgeries", schema.openObject({ name: forgeryName, verdict }), "All faults."),
    handle: () => ({
      forgeries: forgeries.map((name) => ({ name, verdict: describeVerdict(catalogue.get(name)!) })),
    }),
  }),
  route("POST /forge", "forge", {
    body: schema.closedObject({
      name: forgeryName,
      ...membersOf<AnyMintOptions & Pick<ForgeTerms, "variant">>("ForgeTerms"),
    }, { required: ["name"], example: { name: "access_token.audience_wrong" } }),
    answer: schema.openObject({
      name: forgeryName,
      token: schema.text("The token to send to the API."),
      verdict,
    }),
    async handle({ tenant, body: { name, ...terms } }) {
      const { token, verdict } = await tenant.forge(name, requireMintBody(terms) as ForgeTerms);
      return { name, token, verdict };
    },
  }),
  route("POST /workload", "mintWorkload", {
    only: "server",
    summary:
      "Mints a token as a platform gives it to a workload without a person: to a pipeline, a pod or a service. A " +
      "tenant with the name of the platform has its discovery document and keys, at the same paths as the platform.",
    body: schema.closedObject({
      platform: schema.oneOf(workloadPlatforms, "The platform that gives the token."),
      ...membersOf<WorkloadTerms>("WorkloadTerms"),
    }, {
      required: ["platform"],
      example: { platform: "github-actions", sub: "repo:octo-org/octo-repo:ref:refs/heads/main" },
    }),
    answer: resultOf("Workload"),
    handle: ({ tenants, body: { platform, ...terms } }) => tenants.mock.workload(platform, terms),
  }),
  route("POST /id_jag", "issueIdJag", {
    summary:
      "Issues an ID-JAG as an identity provider does, right or with one fault, and says how a server must answer it.",
    body: bodyOf<IdJagTerms>("IdJagTerms"),
    answer: resultOf("IdJag"),
    handle: ({ tenant, body }) => tenant.idJag(body),
  }),
];

function requireMintBody<Body extends InJson<AnyMintOptions>>(body: Body): Body {
  const { username, withoutPerson, expiresIn } = body;
  if (username !== undefined && withoutPerson) {
    throw wrongRequest(
      "A token cannot have a username and be withoutPerson",
      "either username, or withoutPerson set to true",
      "withoutPerson",
    );
  }
  if (expiresIn !== undefined && withPlace("expiresIn", () => readDuration(expiresIn)) < 1) {
    const expected = "must be at least one second: use /expire or /forge for expired tokens";
    throw wrongValue("expiresIn", expected, describeValue(expiresIn));
  }
  return body;
}

async function expireTokens({ tenant, body }: Call<TokensBody>): Promise<Reply> {
  const { token, access_token, ...others } = body;
  if (access_token !== undefined) return await tenant.expire({ ...others, access_token });
  const { refresh_token, id_token } = others;
  const [single, ...more] = Object.entries(present({ token, refresh_token, id_token }));
  if (single !== undefined && more.length === 0) return { [single[0]]: await tenant.expire(single[1]) };
  throw wrongRequest("There is no token to expire", "token, or a token response with access_token");
}
