/** The routes of tokens that a client has, and of the keys that sign them: refresh, revoke, rotate_keys. */

import type { DpopTerm } from "../../kit/mock/client/dpop_client.ts";
import type { DpopHeadersTerms } from "../../kit/mock/client/dpop_headers.ts";
import type { GivenTokens } from "../../kit/mock/client/given_tokens.ts";
import type { RefreshTerms } from "../../kit/mock/client/refresh.ts";
import type { RevokeTerms } from "../../kit/mock/client/revoke.ts";
import { present } from "../../ground/values/present.ts";
import { wrongRequest, wrongValue } from "../guard/control_refused.ts";
import {
  exampleToken,
  givenTokens,
  pickTokens,
  senderOptions,
  singleToken,
  tokens,
  type TokensBody,
} from "./given_tokens.ts";
import { type Call, type ControlRoute, type Reply, route } from "./route.ts";
import * as schema from "./schema_of.ts";
import { authorizationDetails, clientAliases, dpopKey, resource } from "./schemas.ts";

/** The scope may be empty, because a caller may send a whole token response, whose scope can be empty. */
const narrowedScope = schema.either(
  "The granted scope or a part of it: names separated by single spaces, or a list of names.",
  schema.anyText(),
  schema.list(schema.text()),
);

type RefreshBody = RefreshTerms & GivenTokens;

type DpopHeadersBody = Omit<DpopHeadersTerms, "dpop"> & GivenTokens & {
  readonly url: string;
  readonly dpop?: DpopTerm;
};

export const tokenRoutes: readonly ControlRoute[] = [
  route("POST /refresh", "refresh", {
    summary: "Redeems a refresh token.",
    body: schema.openObject({
      ...givenTokens,
      scope: narrowedScope,
      resource,
      authorizationDetails,
      authorization_details: {
        type: "array",
        description: "A member of a token response. It has no effect, so that the new token has all objects.",
      },
      ...senderOptions,
      dpop: dpopKey(
        "false: sends no DPoP proof. A private JWK is the key of the proof, and true is a new key if the tokens are " +
          "bound to none. Default: the key that the tokens are bound to.",
      ),
    }, { required: [], example: { refresh_token: exampleToken } }),
    aliases: clientAliases,
    tokens: { single: "refresh_token" },
    answer: tokens,
    handle: refreshTokens,
  }),
  route("POST /dpop_headers", "dpopHeaders", {
    summary:
      "Creates the headers of a request to an API with an access token that is bound to a key by DPoP.",
    body: schema.openObject({
      ...givenTokens,
      url: schema.text("The URL of the request to the API."),
      method: schema.text("The method of the request to the API. Default: GET."),
      nonce: schema.text("The nonce from the header DPoP-Nonce of the API."),
      claims: schema.object("Claims that are added to the proof or replace its claims, to test an API."),
      dpop: dpopKey(
        "A private JWK, or true for a key that the token is not bound to. Default: the key of the token.",
      ),
    }, { required: ["url"], example: { access_token: exampleToken, url: "https://api.example/orders" } }),
    tokens: { single: "access_token" },
    answer: schema.openObject({
      authorization: schema.text("The scheme DPoP and the access token."),
      dpop: schema.text("The proof, which is good for one request."),
    }),
    handle: createDpopHeaders,
  }),
  route("POST /revoke", "revoke", {
    summary: "Revokes a token. With the refresh token of a token response, revokes all tokens of its grant.",
    body: schema.openObject({ token: singleToken, ...givenTokens, ...senderOptions }, {
      required: [],
      example: { token: exampleToken },
    }),
    aliases: clientAliases,
    tokens: {},
    handle: revokeTokens,
  }),
  route("POST /rotate_keys", "rotateKeys", {
    summary:
      "Replaces the signing keys. The old keys stay in the JWKS until the tokens that they signed have expired.",
    body: schema.closedObject({
      atOnce: schema.flag(
        "false: the new keys are published now and sign 130 seconds later, when caches have them. Default: true.",
      ),
    }, { example: { atOnce: false } }),
    handle: ({ tenant, body }) => tenant.rotateKeys(body),
  }),
  route("POST /rotate_refresh_token", "rotateRefreshToken", {
    summary:
      "Lets the next refresh replace a refresh token that stays the same otherwise (rotateRefreshTokens: false). The old " +
      "token can be sent again until the client has used the new one.",
    body: schema.openObject(givenTokens, { required: [], example: { refresh_token: exampleToken } }),
    tokens: { single: "refresh_token" },
    async handle({ tenant, body: { refresh_token } }) {
      if (refresh_token === undefined) {
        const expected = "refresh_token, or a token response with refresh_token";
        throw wrongRequest("There is no refresh token", expected, "refresh_token");
      }
      await tenant.rotateRefreshToken(refresh_token);
    },
  }),
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

async function revokeTokens({ tenant, body }: Call<RevokeTerms & TokensBody>): Promise<Reply> {
  const { token, access_token, refresh_token } = body;
  if ((token ?? refresh_token ?? access_token) === undefined) {
    throw wrongRequest(
      "There is no token to revoke",
      "token, or a token response with refresh_token or access_token",
    );
  }
  await tenant.revoke(token ?? pickTokens(body), pickClient(body));
}
