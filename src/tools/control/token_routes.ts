/** The routes of tokens and of the keys that sign them: refresh, revoke, rotate_keys, mint, expire and forge. */

import type { DpopTerm } from "../../kit/mock/client/dpop_client.ts";
import type { DpopHeadersTerms } from "../../kit/mock/client/dpop_headers.ts";
import type { GivenTokens } from "../../kit/mock/client/given_tokens.ts";
import type { RefreshTerms } from "../../kit/mock/client/refresh.ts";
import type { RevokeTerms } from "../../kit/mock/client/revoke.ts";
import { workloadPlatforms } from "../../kit/mock/workloads/names.ts";
import { readDuration } from "../../kit/mock/terms/duration.ts";
import { levels } from "../../kit/faults/misbehaviour.ts";
import { forgeries, type ForgeryName } from "../../kit/faults/names.ts";
import { describeVerdict, type ForgeTerms } from "../../kit/mock/tokens/forge.ts";
import type { AnyMintTerms, MintTerms } from "../../kit/mock/tokens/mint_terms.ts";
import { describeValue } from "../../server/schema/received.ts";
import type { Schema } from "../../server/schema/schema.ts";
import { withPlace, wrongRequest, wrongValue } from "../guard/control_refused.ts";
import { exampleToken, givenTokens, pickTokens, senderTerms, singleToken, tokens } from "./given_tokens.ts";
import { idJagRoute } from "./id_jag_route.ts";
import { type Call, type ControlRoute, type Reply, route } from "./route.ts";
import {
  aFlag,
  aList,
  anInteger,
  anObject,
  anyText,
  aText,
  closedObject,
  described,
  either,
  listOf,
  oneOf,
  oneOrMore,
  openObject,
  prefixed,
  type SchemaOf,
} from "./schema_of.ts";
import {
  authorizationDetails,
  clientAliases,
  clientOrFirst,
  dpopKey,
  duration,
  newDpopKey,
  nonce,
  personAliases,
  resource,
  scope,
  usernameOrDefault,
} from "./schemas.ts";
import { present } from "../../server/values/present.ts";

/** The scope may be empty, because a caller may send a whole token response, whose scope can be empty. */
const narrowedScope = either(
  "The granted scope or a part of it: names separated by single spaces, or a list of names.",
  anyText(),
  aList(aText()),
);

export const forgeryName: SchemaOf<ForgeryName> = oneOf(forgeries, "The fault of the token.");

const mintTerms = {
  username: usernameOrDefault,
  client: clientOrFirst,
  scope,
  resource,
  claims: anObject("Claims that are added to the default claims, or that replace them."),
  nonce,
  expiresIn: prefixed("How long the token is valid.", duration),
  dpop: newDpopKey,
  withoutPerson: aFlag("true: a token for the client itself, as from the grant type client_credentials."),
};

const workloadTerms = {
  platform: oneOf(workloadPlatforms, "The platform that gives the token."),
  sub: aText(
    "The subject of the token. The claims that the platform derives from it follow. Default: an example of the " +
      "platform's documentation.",
  ),
  claims: anObject("Claims that are added to those of the platform, or that replace them."),
  audience: oneOrMore(
    "Who the token is for: one text or a list. Default: the usual audience of the platform. spiffe has none, so " +
      "it needs this member.",
  ),
  expiresIn: prefixed("How long the token is valid.", duration),
};

export const verdict: Schema = described(
  "The response that a resource server must give to the token.",
  openObject({
    level: oneOf(
      levels,
      "How strongly the rule obliges the API. tolerate and robustness: the token is only unusual, so a correct API accepts it.",
    ),
    status: anInteger("401, 403 if only the scope is wrong, or 200 if the API has to accept the token."),
    error: aText(
      "The error code in WWW-Authenticate, for example invalid_token. Absent if the API has to accept the token.",
    ),
    spec: aText("The rule, for example RFC 9068 §4."),
    why: aText("The fault in a sentence, for the message of a failing test."),
    seenBy: oneOf(
      ["verification", "scope", "server"],
      "Who sees the fault. verification: a check of the token. scope: a check of its scope. server: only a call of introspection. " +
        "Absent if the API has to accept the token.",
    ),
  }, ["level", "status", "spec", "why"]),
);

const givenToken: Schema = openObject({ token: aText("The new token.") });

type RefreshBody = RefreshTerms & GivenTokens;

type DpopHeadersBody = Omit<DpopHeadersTerms, "dpop"> & GivenTokens & {
  readonly url: string;
  readonly dpop?: DpopTerm;
};

type SingleBody = GivenTokens & { readonly token?: string };

/** The options of `mint` for any kind of token. The test kit refuses options that exclude each other. */
type MintBody = Omit<AnyMintTerms, "person" | "withoutPerson"> & {
  readonly username?: string;
  readonly withoutPerson?: boolean;
};

export const tokenRoutes: readonly ControlRoute[] = [
  route("POST /refresh", "refresh", {
    summary: "Redeems a refresh token.",
    body: openObject(
      {
        ...givenTokens,
        scope: narrowedScope,
        resource,
        authorizationDetails,
        authorization_details: {
          type: "array",
          description:
            "A member of a token response. It has no effect, so that the new token has all objects.",
        },
        ...senderTerms,
        dpop: dpopKey(
          "false: sends no DPoP proof. A private JWK is the key of the proof, and true is a new key if the tokens are " +
            "bound to none. Default: the key that the tokens are bound to.",
        ),
      },
      [],
      { refresh_token: exampleToken },
    ),
    aliases: clientAliases,
    tokens: { single: "refresh_token" },
    answer: tokens,
    handle: refreshTokens,
  }),
  route("POST /dpop_headers", "dpopHeaders", {
    summary:
      "Creates the headers of a request to an API with an access token that is bound to a key by DPoP.",
    body: openObject(
      {
        ...givenTokens,
        url: aText("The URL of the request to the API."),
        method: aText("The method of the request to the API. Default: GET."),
        nonce: aText("The nonce from the header DPoP-Nonce of the API."),
        claims: anObject("Claims that are added to the proof or replace its claims, to test an API."),
        dpop: dpopKey(
          "A private JWK, or true for a key that the token is not bound to. Default: the key of the token.",
        ),
      },
      ["url"],
      { access_token: exampleToken, url: "https://api.example/orders" },
    ),
    tokens: { single: "access_token" },
    answer: openObject({
      authorization: aText("The scheme DPoP and the access token."),
      dpop: aText("The proof, which is good for one request."),
    }),
    handle: createDpopHeaders,
  }),
  route("POST /revoke", "revoke", {
    summary: "Revokes a token. With the refresh token of a token response, revokes all tokens of its grant.",
    body: openObject({ token: singleToken, ...givenTokens, ...senderTerms }, [], { token: exampleToken }),
    aliases: clientAliases,
    tokens: {},
    handle: revokeTokens,
  }),
  route("POST /rotate_keys", "rotateKeys", {
    summary:
      "Replaces the signing keys. The old keys stay in the JWKS until the tokens that they signed have expired.",
    body: closedObject({
      atOnce: aFlag(
        "false: the new keys are published now and sign 130 seconds later, when caches have them. Default: true.",
      ),
    }, { example: { atOnce: false } }),
    async handle({ tenant, body }) {
      await tenant.rotateKeys(body);
    },
  }),
  route("POST /rotate_refresh_token", "rotateRefreshToken", {
    summary:
      "Lets the next refresh replace a refresh token that stays the same otherwise (rotateRefreshTokens: false). The old " +
      "token can be sent again until the client has used the new one.",
    body: openObject(givenTokens, [], { refresh_token: exampleToken }),
    tokens: { single: "refresh_token" },
    async handle({ tenant, body: { refresh_token } }) {
      if (refresh_token === undefined) {
        const expected = "refresh_token, or a token response with refresh_token";
        throw wrongRequest("There is no refresh token", expected, "refresh_token");
      }
      await tenant.rotateRefreshToken(refresh_token);
    },
  }),
  route("POST /mint", "mint", {
    summary: "Issues a valid token without a login.",
    body: closedObject({
      kind: oneOf(["access", "id", "refresh"], "The kind of token. Default: access."),
      ...mintTerms,
    }, {
      example: { username: "bob", claims: { role: "admin" }, expiresIn: "5m" },
    }),
    aliases: { ...personAliases, ...clientAliases },
    answer: givenToken,
    handle: async ({ tenant, body }) => ({ token: await tenant.mint(readMintTerms(body) as MintTerms) }),
  }),
  route("POST /expire", "expire", {
    summary:
      "Expires a token, or the access token and the ID token of a token response. Returns copies of the JWTs whose exp is " +
      "in the past. The original access token ends, too, but the refresh token of a response stays valid. The clock does " +
      "not change.",
    body: openObject({ token: singleToken, ...givenTokens }, [], { token: exampleToken }),
    tokens: {},
    answer: openObject({
      token: aText("The expired token, if the body has token."),
      ...tokens.properties,
    }, []),
    handle: expireTokens,
  }),
  route("GET /forgeries", "listForgeries", {
    summary:
      "Lists the faults that forge knows, and how a resource server must answer a token with each fault.",
    answer: listOf("forgeries", openObject({ name: forgeryName, verdict }), "All faults."),
    async handle() {
      const { catalogue } = await import("../../kit/faults/catalogue.ts");
      return {
        forgeries: forgeries.map((name) => ({ name, verdict: describeVerdict(catalogue.get(name)!) })),
      };
    },
  }),
  route("POST /forge", "forge", {
    summary: "Creates a token with one named fault, and says how a resource server must answer it.",
    body: closedObject({
      name: forgeryName,
      variant: aText("One of its variants, if it has several. Default: the first."),
      ...mintTerms,
    }, {
      required: ["name"],
      example: { name: "access_token.audience_wrong" },
    }),
    aliases: { ...personAliases, ...clientAliases },
    answer: openObject({
      name: forgeryName,
      token: aText("The token to send to the API."),
      verdict,
    }),
    async handle({ tenant, body: { name, variant, ...others } }) {
      const terms = { ...readMintTerms(others) as ForgeTerms, ...present({ variant }) };
      const { token, verdict } = await tenant.forge(name, terms);
      return { name, token, verdict };
    },
  }),
  route("POST /workload", "mintWorkload", {
    only: "server",
    summary:
      "Mints a token as a platform gives it to a workload without a person: to a pipeline, a pod or a service. A " +
      "tenant with the name of the platform has its discovery document and keys, at the same paths as the platform.",
    body: closedObject(workloadTerms, {
      required: ["platform"],
      example: { platform: "github-actions", sub: "repo:octo-org/octo-repo:ref:refs/heads/main" },
    }),
    answer: openObject({
      token: aText("The token."),
      issuer: aText("The issuer of the token."),
      jwksUri: aText("Where the keys of the issuer are."),
      request: described(
        "Where the workload gets more tokens: by a GET with the bearer, and the parameter audience.",
        openObject({
          url: aText("The address that gives tokens."),
          bearer: aText("The secret to send as Authorization: Bearer."),
        }),
      ),
      env: anObject("The environment variables with which a program gets tokens, if the platform has any."),
    }),
    handle: ({ tenants, body: { platform, ...terms } }) => tenants.mock.workload(platform, terms),
  }),
  idJagRoute,
];

function pickClient({ client, clientKey }: RevokeTerms): RevokeTerms {
  return present({ client, clientKey });
}

async function refreshTokens({ tenant, body }: Call<RefreshBody>): Promise<Reply> {
  const { refresh_token, access_token, scope, resource, authorizationDetails, dpop } = body;
  if (refresh_token === undefined) {
    const problem = access_token === undefined
      ? "There is no token to refresh"
      : "These tokens have no refresh_token. Check that the client's grant_types include refresh_token";
    const expected = "refresh_token, or a token response with refresh_token";
    throw wrongRequest(problem, expected, "refresh_token");
  }
  const terms: RefreshTerms = {
    ...pickClient(body),
    // Ignores an empty scope, because a token response without a granted scope has an empty scope.
    ...(scope === undefined || scope === "" ? {} : { scope }),
    ...present({ resource, authorizationDetails, dpop }),
  };
  return await tenant.refresh(pickTokens(body), terms);
}

async function createDpopHeaders({ tenant, body }: Call<DpopHeadersBody>): Promise<Reply> {
  const { access_token, url, method, nonce, claims, dpop } = body;
  if (access_token === undefined) {
    throw wrongRequest("There is no access token", "access_token, or a token response", "access_token");
  }
  if (!/^https?:/i.test(url) || !URL.canParse(url)) {
    throw wrongValue("url", "must be the absolute http or https URL of the request to the API");
  }
  // The test kit refuses false.
  const terms = present({ method, nonce, claims, dpop }) as DpopHeadersTerms;
  return await tenant.dpopHeaders(access_token, url, terms);
}

async function revokeTokens({ tenant, body }: Call<RevokeTerms & SingleBody>): Promise<Reply> {
  const { token, access_token, refresh_token } = body;
  if ((token ?? refresh_token ?? access_token) === undefined) {
    throw wrongRequest(
      "There is no token to revoke",
      "token, or a token response with refresh_token or access_token",
    );
  }
  await tenant.revoke(token ?? pickTokens(body), pickClient(body));
}

function readMintTerms({ username, withoutPerson = false, ...others }: MintBody): AnyMintTerms {
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

async function expireTokens({ tenant, body }: Call<SingleBody>): Promise<Reply> {
  const { token, access_token, ...others } = body;
  if (access_token !== undefined) return await tenant.expire({ ...others, access_token });
  const { refresh_token, id_token } = others;
  const [single, ...more] = Object.entries({ token, refresh_token, id_token }).filter(([, text]) =>
    text !== undefined
  );
  if (single?.[1] !== undefined && more.length === 0) {
    return { [single[0]]: await tenant.expire(single[1]) };
  }
  throw wrongRequest("There is no token to expire", "token, or a token response with access_token");
}
