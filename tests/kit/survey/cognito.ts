/** What libraries call at Amazon Cognito. */
import type { Survey } from "./survey.ts";

const domain = "https://shop.auth.eu-central-1.amazoncognito.com";
const pool = "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Postern01";
const reads = "access_token id_token expires_in";

export const cognito: Survey = {
  scope: "openid email profile aws.cognito.signin.user.admin",
  calls: {
    metadata: {
      does: "metadata",
      at: `GET ${pool}/.well-known/openid-configuration`,
      reads: "issuer jwks_uri",
    },
    authorize: { does: "authorize", at: `GET ${domain}/oauth2/authorize`, scope: "openid email" },
    "authorize, login": { does: "authorize", at: `GET ${domain}/login`, scope: "openid profile email" },
    token: { does: "redeem", at: `POST ${domain}/oauth2/token`, secret: "parameters", reads },
    "token, Basic": { does: "redeem", at: `POST ${domain}/oauth2/token`, secret: "basic", reads },
    refresh: {
      does: "refresh",
      at: `POST ${domain}/oauth2/token`,
      secret: "basic",
      reads: "access_token id_token",
    },
    userinfo: { does: "who", at: `GET ${domain}/oauth2/userInfo`, token: "Bearer", reads: "sub email" },
    keys: { does: "keys", at: `GET ${pool}/.well-known/jwks.json`, reads: "keys" },
    revoke: {
      does: "revoke",
      at: `POST ${domain}/oauth2/revoke`,
      secret: "basic",
      params: { token: "{refresh_token}" },
    },
    logout: {
      does: "logout",
      at: `GET ${domain}/logout`,
      params: { client_id: "{client_id}", logout_uri: "https://app.test/" },
    },
    "authorize, no scope": { does: "authorize", at: `GET ${domain}/oauth2/authorize`, scope: "" },
    GetUser: {
      ...{ does: "who", at: "POST https://cognito-idp.eu-central-1.amazonaws.com/", sends: "json" },
      headers: {
        "content-type": "application/x-amz-json-1.1",
        "x-amz-target": "AWSCognitoIdentityProviderService.GetUser",
      },
      ...{ params: { AccessToken: "{access_token}" }, reads: "Username UserAttributes" },
    },
    GetTokensFromRefreshToken: {
      ...{ does: "refresh", at: "POST https://cognito-idp.eu-central-1.amazonaws.com/", sends: "json" },
      headers: {
        "content-type": "application/x-amz-json-1.1",
        "x-amz-target": "AWSCognitoIdentityProviderService.GetTokensFromRefreshToken",
      },
      params: {
        ...{ RefreshToken: "{refresh_token}", ClientId: "{client_id}", ClientSecret: "{client_secret}" },
      },
      reads: "AuthenticationResult",
    },
    RevokeToken: {
      ...{ does: "revoke", at: "POST https://cognito-idp.eu-central-1.amazonaws.com/", sends: "json" },
      headers: {
        "content-type": "application/x-amz-json-1.1",
        "x-amz-target": "AWSCognitoIdentityProviderService.RevokeToken",
      },
      params: { Token: "{refresh_token}", ClientId: "{client_id}", ClientSecret: "{client_secret}" },
    },
    GlobalSignOut: {
      ...{ does: "revoke", at: "POST https://cognito-idp.eu-central-1.amazonaws.com/", sends: "json" },
      headers: {
        "content-type": "application/x-amz-json-1.1",
        "x-amz-target": "AWSCognitoIdentityProviderService.GlobalSignOut",
      },
      params: { AccessToken: "{access_token}" },
    },
    "InitiateAuth, secret": {
      ...{ does: "refresh", at: "POST https://cognito-idp.eu-central-1.amazonaws.com/", sends: "json" },
      leftOut: "A refresh by InitiateAuth with a SECRET_HASH, which needs the secret itself. " +
        "GetTokensFromRefreshToken refreshes with a secret.",
    },
    "API of user pools": {
      ...{ does: "who", at: "POST https://cognito-idp.eu-central-1.amazonaws.com/", sends: "json" },
      leftOut: "The other actions of the API of user pools, with `X-Amz-Target`: passwords and sign-up.",
    },
    "userinfo, lower case": {
      ...{ does: "who", at: `GET ${domain}/oauth2/userinfo`, token: "Bearer" },
      leftOut: "better-auth spells the path in lower case. It asks only if there is no ID token.",
    },
  },
  libraries: [
    [
      "Maven software.amazon.awssdk:cognitoidentityprovider 2.57.8",
      "CognitoIdentityProviderClient.java",
      "GetUser",
      "GetTokensFromRefreshToken",
      "InitiateAuth, secret",
      "RevokeToken",
      "GlobalSignOut",
      "API of user pools",
    ],
    [
      "Go github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider 1.61.0",
      "api_client.go",
      "GetUser",
      "GetTokensFromRefreshToken",
      "RevokeToken",
      "GlobalSignOut",
      "API of user pools",
    ],
    ["npm aws-jwt-verify 5.2.1", "cognito-verifier.d.ts, dist/cjs/cognito-verifier.js", "keys"],
    [
      "npm amazon-cognito-identity-js 6.3.21",
      "es/Client.js",
      "API of user pools",
      "GetUser",
      "GlobalSignOut",
      "RevokeToken",
    ],
    ["npm passport-cognito-oauth2 0.1.1", "dist/strategy.js", "authorize", "token", "GetUser"],
    [
      "npm arctic 3.7.0",
      "dist/providers/amazon-cognito.js",
      "authorize",
      "token, Basic",
      "refresh",
      "revoke",
    ],
    ["npm @auth/core 0.41.3", "providers/cognito.js", "metadata", "authorize", "token, Basic", "keys"],
    ["npm next-auth 4.24.15", "providers/cognito.js", "metadata", "authorize", "token, Basic", "keys"],
    [
      "npm better-auth 1.7.25",
      "@better-auth/core/dist/social-providers/cognito.mjs",
      "authorize",
      "token",
      "keys",
      "userinfo, lower case",
    ],
    [
      "npm nuxt-auth-utils 0.5.30",
      "dist/runtime/server/lib/oauth/cognito.js",
      "metadata",
      "authorize",
      "token",
      "userinfo",
    ],
    ["npm oidc-client-ts 3.5.0", "with the address of the pool", "metadata", "authorize", "keys", "userinfo"],
    [
      "PyPI social-auth-core 7.0.0",
      "social_core/backends/cognito.py",
      "authorize, login",
      "token, Basic",
      "userinfo",
    ],
    [
      "Go github.com/markbates/goth 1.82.0",
      "providers/cognito/cognito.go",
      "authorize",
      "token, Basic",
      "userinfo",
    ],
    ["Amazon's documentation", "The managed login sign-out endpoint", "logout"],
    [
      "PyPI flask-cognito-lib 1.9.7",
      "flask_cognito_lib/config.py",
      "authorize",
      "token, Basic",
      "refresh",
      "keys",
      "revoke",
      "logout",
    ],
    [
      "npm cognito-passport-oauth2 1.3.1",
      "src/cognitoStrategy.ts",
      "authorize, no scope",
      "token",
      "GetUser",
    ],
    [
      "npm @aws-amplify/auth 6.21.1",
      "dist/esm/providers/cognito, in a page",
      "authorize",
      "token",
      "GetUser",
      "GetTokensFromRefreshToken",
      "logout",
      "API of user pools",
    ],
    [
      "Maven io.micronaut.security:micronaut-security-oauth2 4.15.1",
      "AwsCognitoEndSessionEndpoint.java",
      "metadata",
      "authorize",
      "token, Basic",
      "keys",
      "logout",
    ],
    ["PyPI pycognito 2024.5.1", "pycognito/__init__.py, with boto3", "keys", "GetUser", "GlobalSignOut"],
    ["PyPI fastapi-cloudauth 0.4.3", "fastapi_cloudauth/cognito.py", "keys"],
    ["PyPI cognitojwt 1.4.1", "cognitojwt/jwt_sync.py", "keys"],
    ["PyPI django-cognito-jwt 0.0.4", "django_cognito_jwt/validator.py", "keys"],
    ["npm @southlane/cognito-jwt-verifier 0.1.8", "src/verifier.js", "keys"],
    ["npm amazon-cognito-auth-js 1.3.3", "es/CognitoAuth.js, in a page", "authorize", "token", "logout"],
  ],
};
