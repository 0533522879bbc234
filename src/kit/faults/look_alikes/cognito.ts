/** Amazon Cognito, as the domain of a user pool answers. */

import { without } from "../../../server/oauth/contracts/seams.ts";
import { changeClaims, changeResponse } from "../changes.ts";
import type { ActContext, Tools } from "../misbehaviour.ts";
import type { Claims } from "../../../ground/values/members.ts";
import {
  describesPersonInIdToken,
  eachForgoesPkce,
  groupsOf,
  guidFor,
  ignoresScopeOfCode,
  plainTokenErrors,
  publishesMetadata,
  remembersConsent,
  renameParam,
  revokesSilently,
  sameSecretTwice,
  secretEitherWay,
  sendsNoIss,
  sendsNoScope,
  typesAccessTokensAsJwt,
  typesKeysAsJson,
} from "./differences.ts";
import { allScopes, answerAction, describeAnswer, revokesRefreshTokens } from "./cognito_answers.ts";
import { type LookAlike, pagesOf } from "./look_alike.ts";
import { cognitoRegionOf } from "./providers.ts";
import { present } from "../../../ground/values/present.ts";

const page = pagesOf("https://docs.aws.amazon.com/cognito/latest/developerguide/");
const federation = page("Identity provider and relying party endpoints", "federation-endpoints.html");
const authorize = page("The redirect and authorization endpoint", "authorization-endpoint.html");
const token = page("The token issuer endpoint", "token-endpoint.html");
const login = page("The managed login sign-in endpoint: /login", "login-endpoint.html");
const managedLogin = page(
  "User-interactive managed login and classic hosted UI endpoints",
  "managed-login-endpoints.html",
);
const sample = page(
  "IAM Identity Center Integration of TEAM, a sample of AWS, which starts a login there",
  "https://aws-samples.github.io/iam-identity-center-team/docs/deployment/configuration/idc.html",
);
const logout = page("The managed login sign-out endpoint", "logout-endpoint.html");
const userInfo = page("The userInfo endpoint", "userinfo-endpoint.html");
const idToken = page(
  "Understanding the identity (ID) token",
  "amazon-cognito-user-pools-using-the-id-token.html",
);
const accessToken = page(
  "Understanding the access token",
  "amazon-cognito-user-pools-using-the-access-token.html",
);
const action = (name: string) =>
  page(
    `Amazon Cognito user pools API, ${name}`,
    `/cognito-user-identity-pools/latest/APIReference/API_${name}.html`,
  );
const getUserAction = action("GetUser");
const refreshAction = action("GetTokensFromRefreshToken");
const initiateAction = action("InitiateAuth");
const adminAction = action("AdminInitiateAuth");
const revokeAction = action("RevokeToken");
const secretHash = page(
  "Computing secret hash values",
  "signing-up-users-in-your-app.html#cognito-user-pools-computing-secret-hash",
);
const fabric8 = page(
  "fabric8's client for Kubernetes, whose OpenIDConnectionUtils refreshes so",
  "https://github.com/fabric8io/kubernetes-client/tree/main/kubernetes-client-api",
);
const pycognito = page(
  "pycognito, which fails if the ID token of such a login has one",
  "https://github.com/NabuCasa/pycognito/blob/main/pycognito/__init__.py",
);
const amazonVerifier = page(
  "aws-jwt-verify, the library of Amazon, whose version 2 reads keys of this type alone",
  "https://github.com/awslabs/aws-jwt-verify",
);

const endedToken = page(
  "AWS Amplify, whose reports have this answer",
  "https://github.com/aws-amplify/amplify-js/issues/2205",
);

export const cognito: LookAlike = {
  addresses(host) {
    const domain = `https://${host}`;
    const region = cognitoRegionOf(host);
    const api = `https://cognito-idp.${region}.amazonaws.com`;
    const issuer = `${api}/${region}_Postern01`;
    return {
      issuer,
      pages: domain,
      endpoints: [
        { url: `${issuer}/.well-known/openid-configuration`, is: "metadata", source: federation },
        { url: `${issuer}/.well-known/jwks.json`, is: "jwks", source: federation },
        { url: `${domain}/oauth2/authorize`, is: "authorize", source: federation },
        { url: `${domain}/login`, is: "authorize", source: login },
        { url: `${domain}/authorize`, is: "authorize", source: sample },
        { url: `${domain}/signup`, is: "authorize", source: managedLogin },
        { url: `${domain}/oauth2/token`, is: "token", source: federation },
        { url: `${domain}/oauth2/userInfo`, is: "userinfo", source: federation },
        {
          ...{ url: `${api}/`, is: "userinfo", source: getUserAction, isUnannounced: true },
          ...{ method: "POST", answersBy: answerAction },
        },
        {
          ...{ url: `${domain}/oauth2/revoke`, is: "revoke", source: federation },
          wraps: revokesRefreshTokens,
        },
        {
          url: `${domain}/logout`,
          is: "logout",
          source: logout,
        },
      ],
    };
  },
  lax: [
    eachForgoesPkce(authorize),
    remembersConsent(authorize),
    typesAccessTokensAsJwt(accessToken),
    secretEitherWay(token),
    sameSecretTwice(fabric8),
    ignoresScopeOfCode(token),
    {
      server: "A login that names no scope gets `openid`, `email`, `phone`, `profile` and " +
        "`aws.cognito.signin.user.admin`, if the client has no scopes of its own.",
      source: authorize,
      sets: { defaultScope: allScopes },
    },
    {
      server: "An access token without an audience is for the userinfo endpoint, too.",
      source: accessToken,
      sets: { takesAudience: (audience) => audience.length === 0 },
    },
    {
      server: "A sign-out continues at its parameter logout_uri.",
      source: logout,
      reads: [{ at: "logout", pairs: renameParam("/logout", "logout_uri", "post_logout_redirect_uri") }],
    },
  ],
  differences: [
    typesKeysAsJson(amazonVerifier),
    sendsNoIss(authorize),
    revokesSilently(page("The revocation endpoint", "revocation-endpoint.html")),
    {
      server: "Without refresh token rotation, only a code gives a refresh token. The old one stays valid.",
      source: token,
      same: "refresh.not_rotated",
    },
    plainTokenErrors(token),
    sendsNoScope(token),
    describesPersonInIdToken(idToken),
    {
      server:
        "Userinfo has the member `username`, and booleans as text: email_verified is `true` in quotation marks.",
      source: userInfo,
      acts: changeClaims("userinfo", (claims, tools, { grant }) => {
        const texts = Object.entries(claims).map(([name, value]) => [
          name,
          typeof value === "boolean" ? String(value) : value,
        ]);
        return { ...Object.fromEntries(texts), username: usernameOf(grant, tools) };
      }),
    },
    {
      server:
        "The API of user pools reports errors as an object with `__type` and `message`, and each answer has the type " +
        "application/x-amz-json-1.1 and X-Amzn-RequestId.",
      source: getUserAction,
      acts: changeResponse("userinfo", (answer, _tools, at) => describeAnswer(answer, at)),
    },
    {
      server: "A missing member, or a flow that the action does not have, is an InvalidParameterException.",
      source: initiateAction,
    },
    {
      server:
        "Userinfo refuses a request without a token with 400 and invalid_request, and a wrong token in Cognito's words.",
      source: userInfo,
    },
    {
      server:
        "AdminGetUser and AdminListGroupsForUser show a person of this server, whose groups are the claim `groups`. An unknown " +
        "one is a UserNotFoundException.",
      source: action("AdminGetUser"),
    },
    {
      server:
        "A token of no use is refused there with `Invalid Access Token`, `Access Token has expired` or `Access Token has been " +
        "revoked`, and a refresh token in the same words.",
      source: endedToken,
    },
    {
      server: "The action GetTokensFromRefreshToken refreshes, as the token endpoint does.",
      source: refreshAction,
    },
    {
      server: "So does the action InitiateAuth, if its AuthFlow is REFRESH_TOKEN_AUTH or REFRESH_TOKEN.",
      source: initiateAction,
    },
    {
      server:
        "With USER_PASSWORD_AUTH, InitiateAuth logs in a person by the username and the password, or by any password if the " +
        "person has none. The tokens have the scopes of a login that names none.",
      source: initiateAction,
    },
    {
      server:
        "So does USER_SRP_AUTH for a person without a password, and RespondToAuthChallenge gives the tokens. The proof is not " +
        "checked, because the server keeps no password that could be.",
      source: initiateAction,
    },
    {
      server:
        "AdminInitiateAuth and AdminRespondToAuthChallenge answer as those without Admin, with ADMIN_USER_PASSWORD_AUTH for a " +
        "password. Their signature is not checked, because the server has no accounts of AWS.",
      source: adminAction,
    },
    {
      server: "The ID token of an action has no at_hash.",
      source: pycognito,
      acts: changeClaims(
        "id_token",
        (claims, _tools, { exchange: { request } }) =>
          request.header("x-amz-target") === undefined ? claims : without(claims, "at_hash"),
      ),
    },
    {
      server:
        "A client with a secret sends SECRET_HASH, which the look-alike checks if the client is in the configuration.",
      source: secretHash,
    },
    {
      server:
        "The action RevokeToken ends the tokens of a login, and so does GlobalSignOut with its access token.",
      source: revokeAction,
    },
    {
      server:
        "RevokeToken answers wrong credentials with UnauthorizedException. It and `/oauth2/revoke` refuse an access token with " +
        "UnsupportedTokenTypeException or unsupported_token_type.",
      source: revokeAction,
    },
    {
      server:
        "An ID token has the claim token_use with `id`, the claim `cognito:username`, and origin_jti and event_id. Both tokens have " +
        "`cognito:groups` if the person has the claim `groups`.",
      source: idToken,
      acts: changeClaims("id_token", (claims, tools, { grant }) => ({
        ...claims,
        token_use: "id",
        ...describeAuthentication(claims),
        ...present({
          "cognito:username": usernameOf(grant, tools),
          "cognito:groups": listGroups(grant, tools),
        }),
      })),
    },
    {
      server:
        "An access token has the claim token_use with `access`, the claim username, `version` with 2, and origin_jti and event_id. " +
        "It has no `aud`, unless the request names a resource. Without a person, it has auth_time, and not these ids.",
      source: accessToken,
      acts: changeClaims("access_token", (claims, tools, { grant }) => ({
        ...(isOfUserPool(claims["aud"]) ? without(claims, "aud") : claims),
        token_use: "access",
        version: 2,
        ...(usernameOf(grant, tools) === undefined
          ? { auth_time: claims["iat"] }
          : describeAuthentication(claims)),
        ...present({ username: usernameOf(grant, tools), "cognito:groups": listGroups(grant, tools) }),
      })),
    },
    publishesMetadata(federation, {
      subject_types_supported: ["public"],
      scopes_supported: ["openid", "email", "phone", "profile"],
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    }),
  ],
  keepsSecrets: true,
  leftOut: [
    "The id of the user pool, which is invented: the metadata name it. A domain of your own is in `us-east-1`.",
    "Other claims with `cognito:`.",
    "The form of `/signup` for a new person. Here, a person of this server signs in there.",
    "That `/logout` asks no question, and its parameter redirect_uri. Here, the person confirms the sign-out.",
    "Other flows of InitiateAuth than these, the challenge of a person with a second factor, and that " +
    "tokens of USER_PASSWORD_AUTH have the scope `aws.cognito.signin.user.admin` alone.",
    "Other actions of the API of user pools than these, such as others with `Admin`, and attributes of your own.",
    "Identity pools, at `cognito-identity` and the region.",
  ],
};

/** The usual audience of an access token is the issuer. At its own addresses, this server goes on to need one. */
function isOfUserPool(audience: unknown): boolean {
  return typeof audience === "string" && audience.startsWith("https://cognito-idp.");
}

/** The ids of the login, which begin the `jti` of each of its tokens. */
function describeAuthentication({ jti }: Claims): Claims {
  const login = String(jti).split(".")[0]!;
  return { origin_jti: guidFor(`origin ${login}`), event_id: guidFor(`event ${login}`) };
}

/** A token that a client got for itself has no person. */
function usernameOf(grant: ActContext["grant"], { findPerson }: Tools): string | undefined {
  return findPerson(grant?.subject ?? "")?.username;
}

/** Returns the groups of the person, if there are any. */
function listGroups(grant: ActContext["grant"], { findPerson }: Tools): readonly string[] | undefined {
  const groups = groupsOf(findPerson(grant?.subject ?? "") ?? { claims: {} });
  return groups.length === 0 ? undefined : groups;
}
