/** Sign in with Slack, with OpenID Connect. */

import { without } from "../../../server/oauth/contracts/seams.ts";
import { changeClaims, changeTokens } from "../changes.ts";
import {
  describesPersonInIdToken,
  forgoesPkce,
  json,
  presume,
  presumesRedirectUri,
  promisesNoIss,
  publishesMetadata,
  secretEitherWay,
  splitsScopeAtCommas,
  typesKeysAsJson,
  writesTokens,
} from "./differences.ts";
import { type LookAlike, pagesOf } from "./look_alike.ts";
import {
  placeSlackMethod,
  slackErrors,
  slackRevocation,
  slackTest,
  slackTokens,
  tokenParameter,
} from "./slack.ts";
import { nameUserAndTeam } from "./slack_people.ts";

const page = pagesOf("https://docs.slack.dev/");
const configuration = page(
  "The OpenID configuration of Slack",
  "https://slack.com/.well-known/openid-configuration",
);
const method = page("openid.connect.token method", "reference/methods/openid.connect.token");
const userInfo = page("openid.connect.userInfo method", "reference/methods/openid.connect.userInfo");
const signIn = page("Sign in with Slack", "authentication/sign-in-with-slack");

const library = page(
  "slack_sdk, the library of Slack, which joins scopes so",
  "https://github.com/slackapi/python-slack-sdk/blob/main/slack_sdk/oauth/authorize_url_generator/__init__.py",
);

const slacko = page("slacko, which redeems a code so", "https://docs.rs/slacko/0.2.2/");

const allauth = page(
  "The documentation of django-allauth, whose provider of Slack asks so",
  "https://docs.allauth.org/en/latest/socialaccount/providers/slack.html",
);

export const slackOpenid: LookAlike = {
  addresses: (host) => ({
    optionalInPath: /^\/(?=\/)/,
    issuer: `https://${host}`,
    endpoints: [
      { url: `https://${host}/.well-known/openid-configuration`, is: "metadata", source: configuration },
      { url: `https://${host}/openid/connect/authorize`, is: "authorize", source: signIn },
      {
        url: `https://${host}/api/openid.connect.token`,
        is: "token",
        source: method,
        accepts: [json(method)],
        wraps: writesTokens((text) => `xoxp-${text}`),
      },
      {
        ...{ url: `https://${host}/api/openid.connect.userInfo`, is: "userinfo", source: userInfo },
        accepts: [tokenParameter],
      },
      { url: `https://${host}/openid/connect/keys`, is: "jwks", source: configuration },
      ...[slackTest, slackRevocation].flatMap((each) => placeSlackMethod(host, each)),
    ],
  }),
  lax: [
    forgoesPkce(signIn),
    secretEitherWay(configuration),
    splitsScopeAtCommas(library),
    presumesRedirectUri(method),
    {
      server: "A request that names its client may have a Bearer token.",
      source: slacko,
      sets: { ignoresBearer: "client_id" },
    },
    { server: "The path may begin with two slashes.", source: allauth },
    slackTokens,
    {
      server: "A token request may omit grant_type.",
      source: method,
      reads: [{ at: "token", pairs: presume("grant_type", "authorization_code") }],
    },
  ],
  differences: [
    typesKeysAsJson(configuration),
    promisesNoIss(configuration),
    describesPersonInIdToken(method),
    {
      server:
        "Without token rotation, the token response has the member `ok`, and neither expires_in nor a scope nor a refresh token.",
      source: method,
      acts: changeTokens((members) => ({
        ok: true,
        ...without(members, "expires_in", "scope", "refresh_token"),
      })),
    },
    {
      server:
        "The ID token names the user and the team in claims that begin with `https://slack.com/`, with their pictures. Its `sub` is " +
        "the id of the user.",
      source: method,
      acts: changeClaims("id_token", nameUserAndTeam),
    },
    {
      server: "The answer of userinfo has the same claims, and the member `ok`.",
      source: userInfo,
      acts: changeClaims("userinfo", (claims) => ({ ok: true, ...nameUserAndTeam(claims) })),
    },
    publishesMetadata(configuration, {
      response_modes_supported: ["query"],
      grant_types_supported: ["authorization_code"],
      subject_types_supported: ["public"],
      scopes_supported: ["openid", "profile", "email"],
      claims_supported: ["sub", "auth_time", "iss"],
      claims_parameter_supported: false,
      request_parameter_supported: false,
      request_uri_parameter_supported: true,
      token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
    }),
    ...slackErrors(method),
  ],
  leftOut: [
    "Token rotation, which an app can choose.",
    "The parameter `team`, and the other methods of the Web API.",
  ],
};
