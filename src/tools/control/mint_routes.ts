/** The routes of tokens without a login: mint, expire, forge, and those of other issuers (workload, id_jag). */

import { catalogue } from "../../kit/faults/catalogue.ts";
import { idJagFaults } from "../../kit/faults/id_jag_faults.ts";
import { levels } from "../../kit/faults/misbehaviour.ts";
import { forgeries, type ForgeryName } from "../../kit/faults/names.ts";
import { readDuration } from "../../kit/mock/terms/duration.ts";
import { describeVerdict, type ForgeTerms } from "../../kit/mock/tokens/forge.ts";
import type { AnyMintOptions, MintTerms } from "../../kit/mock/tokens/mint_terms.ts";
import { workloadPlatforms } from "../../kit/mock/workloads/names.ts";
import { describeValue } from "../../ground/schema/received.ts";
import type { Schema } from "../../ground/schema/schema.ts";
import { present } from "../../ground/values/present.ts";
import { withPlace, wrongRequest, wrongValue } from "../guard/control_refused.ts";
import { exampleToken, givenTokens, singleToken, tokens, type TokensBody } from "./given_tokens.ts";
import { type Call, type ControlRoute, type Reply, route } from "./route.ts";
import * as schema from "./schema_of.ts";
import type { SchemaOf } from "./schema_of.ts";
import {
  clientAliases,
  clientOrFirst,
  duration,
  newDpopKey,
  nonce,
  personAliases,
  resource,
  scope,
  usernameOrDefault,
} from "./schemas.ts";

export const forgeryName: SchemaOf<ForgeryName> = schema.oneOf(forgeries, "The fault of the token.");

const mintOptions = {
  username: usernameOrDefault,
  client: clientOrFirst,
  scope,
  resource,
  claims: schema.object("Claims that are added to the default claims, or that replace them."),
  nonce,
  expiresIn: schema.prefixed("How long the token is valid.", duration),
  dpop: newDpopKey,
  withoutPerson: schema.flag(
    "true: a token for the client itself, as from the grant type client_credentials.",
  ),
};

const workloadOptions = {
  platform: schema.oneOf(workloadPlatforms, "The platform that gives the token."),
  sub: schema.text(
    "The subject of the token. The claims that the platform derives from it follow. Default: an example of the " +
      "platform's documentation.",
  ),
  claims: schema.object("Claims that are added to those of the platform, or that replace them."),
  audience: schema.oneOrMore(
    "Who the token is for: one text or a list. Default: the usual audience of the platform. spiffe has none, so " +
      "it needs this member.",
  ),
  expiresIn: schema.prefixed("How long the token is valid.", duration),
};

export const verdict: Schema = schema.described(
  "The response that a resource server must give to the token.",
  schema.openObject({
    level: schema.oneOf(
      levels,
      "How strongly the rule obliges the API. tolerate and robustness: the token is only unusual, so a correct API accepts it.",
    ),
    status: schema.integer("401, 403 if only the scope is wrong, or 200 if the API has to accept the token."),
    error: schema.text(
      "The error code in WWW-Authenticate, for example invalid_token. Absent if the API has to accept the token.",
    ),
    spec: schema.text("The rule, for example RFC 9068 §4."),
    why: schema.text("The fault in a sentence, for the message of a failing test."),
    seenBy: schema.oneOf(
      ["verification", "scope", "server"],
      "Who sees the fault. verification: a check of the token. scope: a check of its scope. server: only a call of introspection. " +
        "Absent if the API has to accept the token.",
    ),
  }, { required: ["level", "status", "spec", "why"] }),
);

/** The options of `mint` for any kind of token. The test kit refuses options that exclude each other. */
type MintBody = Omit<AnyMintOptions, "person" | "withoutPerson"> & {
  readonly username?: string;
  readonly withoutPerson?: boolean;
};

export const mintRoutes: readonly ControlRoute[] = [
  route("POST /mint", "mint", {
    summary: "Issues a valid token without a login.",
    body: schema.closedObject({
      kind: schema.oneOf(["access", "id", "refresh"], "The kind of token. Default: access."),
      ...mintOptions,
    }, { example: { username: "bob", claims: { role: "admin" }, expiresIn: "5m" } }),
    aliases: { ...personAliases, ...clientAliases },
    answer: schema.openObject({ token: schema.text("The new token.") }),
    handle: async ({ tenant, body }) => ({ token: await tenant.mint(readMintOptions(body) as MintTerms) }),
  }),
  route("POST /expire", "expire", {
    summary:
      "Expires a token, or the access token and the ID token of a token response. Returns copies of the JWTs whose exp is " +
      "in the past. The original access token ends, too, but the refresh token of a response stays valid. The clock does " +
      "not change.",
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
      "Lists the faults that forge knows, and how a resource server must answer a token with each fault.",
    answer: schema.listOf("forgeries", schema.openObject({ name: forgeryName, verdict }), "All faults."),
    handle: () => ({
      forgeries: forgeries.map((name) => ({ name, verdict: describeVerdict(catalogue.get(name)!) })),
    }),
  }),
  route("POST /forge", "forge", {
    summary: "Creates a token with one named fault, and says how a resource server must answer it.",
    body: schema.closedObject({
      name: forgeryName,
      variant: schema.text("One of its variants, if it has several. Default: the first."),
      ...mintOptions,
    }, { required: ["name"], example: { name: "access_token.audience_wrong" } }),
    aliases: { ...personAliases, ...clientAliases },
    answer: schema.openObject({
      name: forgeryName,
      token: schema.text("The token to send to the API."),
      verdict,
    }),
    async handle({ tenant, body: { name, variant, ...others } }) {
      const terms = { ...readMintOptions(others) as ForgeTerms, ...present({ variant }) };
      const { token, verdict } = await tenant.forge(name, terms);
      return { name, token, verdict };
    },
  }),
  route("POST /workload", "mintWorkload", {
    only: "server",
    summary:
      "Mints a token as a platform gives it to a workload without a person: to a pipeline, a pod or a service. A " +
      "tenant with the name of the platform has its discovery document and keys, at the same paths as the platform.",
    body: schema.closedObject(workloadOptions, {
      required: ["platform"],
      example: { platform: "github-actions", sub: "repo:octo-org/octo-repo:ref:refs/heads/main" },
    }),
    answer: schema.openObject({
      token: schema.text("The token."),
      issuer: schema.text("The issuer of the token."),
      jwksUri: schema.text("Where the keys of the issuer are."),
      request: schema.described(
        "Where the workload gets more tokens: by a GET with the bearer, and the parameter audience.",
        schema.openObject({
          url: schema.text("The address that gives tokens."),
          bearer: schema.text("The secret to send as Authorization: Bearer."),
        }),
      ),
      env: schema.object(
        "The environment variables with which a program gets tokens, if the platform has any.",
      ),
    }),
    handle: ({ tenants, body: { platform, ...terms } }) => tenants.mock.workload(platform, terms),
  }),
  route("POST /id_jag", "issueIdJag", {
    summary:
      "Issues an ID-JAG as an identity provider does, right or with one fault, and says how a server must answer it.",
    body: schema.closedObject({
      audience: schema.text("The issuer of the server that the ID-JAG is for."),
      client: schema.text("The id that the client has at that server."),
      username: usernameOrDefault,
      scope,
      resource,
      claims: schema.object("Claims that are added to the default claims, or that replace them."),
      fault: schema.oneOf(idJagFaults, "What is wrong with the ID-JAG. Default: nothing."),
    }, {
      required: ["audience", "client"],
      example: { audience: "http://localhost:8080", client: "agent", fault: "expired" },
    }),
    aliases: personAliases,
    answer: schema.openObject({
      token: schema.text("The ID-JAG, to send as assertion."),
      verdict: schema.described(
        "The answer of a server to the fault. Absent: the server must accept the ID-JAG.",
        schema.openObject({
          level: schema.oneOf(levels, "How strongly the rule obliges the server."),
          status: schema.integer("400."),
          error: schema.oneOf(["invalid_grant", "invalid_scope", "invalid_target"], "The error code."),
          spec: schema.text("The rule, for example RFC 7523 §3."),
          why: schema.text("The fault in a sentence, for the message of a failing test."),
        }),
      ),
    }, { required: ["token"] }),
    handle: ({ tenant, body: { username: person, ...terms } }) =>
      tenant.idJag({ ...terms, ...present({ person }) }),
  }),
];

function readMintOptions({ username, withoutPerson = false, ...others }: MintBody): AnyMintOptions {
  if (username !== undefined && withoutPerson) {
    throw wrongRequest(
      "A token cannot have a username and be withoutPerson",
      "either username, or withoutPerson set to true",
      "withoutPerson",
    );
  }
  const { expiresIn } = others;
  if (expiresIn !== undefined && withPlace("expiresIn", () => readDuration(expiresIn)) < 1) {
    const expected = "must be at least one second: use /expire or /forge for expired tokens";
    throw wrongValue("expiresIn", expected, describeValue(expiresIn));
  }
  return { ...others, ...present({ person: username }), ...(withoutPerson ? { withoutPerson } : {}) };
}

async function expireTokens({ tenant, body }: Call<TokensBody>): Promise<Reply> {
  const { token, access_token, ...others } = body;
  if (access_token !== undefined) return await tenant.expire({ ...others, access_token });
  const { refresh_token, id_token } = others;
  const [single, ...more] = Object.entries(present({ token, refresh_token, id_token }));
  if (single !== undefined && more.length === 0) return { [single[0]]: await tenant.expire(single[1]) };
  throw wrongRequest("There is no token to expire", "token, or a token response with access_token");
}
