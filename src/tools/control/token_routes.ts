/** The routes of tokens that a client has, and of the keys that sign them: refresh, revoke, rotate_keys. */

import type { DpopHeadersTerms } from "../../kit/mock/client/dpop_headers.ts";
import type { GivenTokens } from "../../kit/mock/client/given_tokens.ts";
import type { RefreshTerms } from "../../kit/mock/client/refresh.ts";
import type { RotateKeysTerms } from "../../kit/mock/conditions/rotate_keys.ts";
import type { RevokeTerms } from "../../kit/mock/client/revoke.ts";
import { present } from "../../ground/values/present.ts";
import { wrongRequest, wrongValue } from "../guard/control_refused.ts";
import {
  exampleToken,
  givenTokens,
  pickTokens,
  singleToken,
  tokens,
  type TokensBody,
} from "./given_tokens.ts";
import { bodyOf, membersOf, resultOf } from "./kit_types.ts";
import { type Call, type ControlRoute, type Reply, route } from "./route.ts";
import * as schema from "../../ground/schema/schema_of.ts";

/** The scope may be empty, because a caller may send a whole token response, whose scope can be empty. */
const narrowedScope = schema.either(
  "The granted scope or a part of it: names separated by single spaces, or a list of names.",
  schema.anyText(),
  schema.list(schema.text()),
);

type RefreshBody = RefreshTerms & GivenTokens;

type DpopHeadersBody = DpopHeadersTerms & GivenTokens & { readonly url: string };

export const tokenRoutes: readonly ControlRoute[] = [
  route("POST /refresh", "refresh", {
    body: schema.openObject({
      ...givenTokens,
      ...membersOf<RefreshTerms>("RefreshTerms"),
      scope: narrowedScope,
      authorization_details: {
        type: "array",
        description: "A member of a token response. It has no effect, so that the new token has all objects.",
      },
    }, { required: [], example: { refresh_token: exampleToken } }),
    tokens: { single: "refresh_token" },
    answer: tokens,
    handle: refreshTokens,
  }),
  route("POST /dpop_headers", "dpopHeaders", {
    body: schema.openObject({
      ...givenTokens,
      url: schema.text("The URL of the request to the API."),
      ...membersOf<DpopHeadersTerms>("DpopHeadersTerms"),
    }, { required: ["url"], example: { access_token: exampleToken, url: "https://api.example/orders" } }),
    tokens: { single: "access_token" },
    answer: resultOf("DpopHeaders"),
    handle: createDpopHeaders,
  }),
  route("POST /revoke", "revoke", {
    body: schema.openObject(
      { token: singleToken, ...givenTokens, ...membersOf<RevokeTerms>("RevokeTerms") },
      {
        required: [],
        example: { token: exampleToken },
      },
    ),
    tokens: {},
    handle: revokeTokens,
  }),
  route("POST /rotate_keys", "rotateKeys", {
    body: bodyOf<RotateKeysTerms>("RotateKeysTerms"),
    handle: ({ tenant, body }) => tenant.rotateKeys(body),
  }),
  route("POST /rotate_refresh_token", "rotateRefreshToken", {
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
    ...present({ scope, resource, authorizationDetails, dpop }),
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
  return await tenant.dpopHeaders(access_token, url, present({ method, nonce, claims, dpop }));
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
