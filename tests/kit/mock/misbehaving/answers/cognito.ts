/** The answers of Cognito, and of the actions of its user pool. */

import { type Answer, type Provider, refuseAll } from "../provider_answers.ts";

const cognito = "https://shop.auth.eu-central-1.amazoncognito.com/oauth2";

/** Calls an action of AWS, which has its name in a header. */
const act = (action: string, members: string, json: object, status = 200): Answer => [
  "POST https://cognito-idp.eu-central-1.amazonaws.com/",
  members,
  { by: "none", status, json, headers: { "x-amz-target": `AWSCognitoIdentityProviderService.${action}` } },
];
const byToken = { AccessToken: "{access_token}" };

export const cognitoAnswers: Provider = {
  authorize: `${cognito}/authorize`,
  token: `${cognito}/token`,
  login: { scope: "openid email profile aws.cognito.signin.user.admin" },
  tokens: "access_token:jwt id_token:jwt refresh_token token_type expires_in:number",
  idToken: `
    sub iss:url aud token_use auth_time:number exp:number iat:number jti origin_jti event_id
    cognito:username:text email email_verified:boolean at_hash`,
  answers: [
    [`GET ${cognito}/userInfo`, "sub username email email_verified"],
    act("GetUser", "Username UserAttributes:[Name Value]", byToken),
    act(
      "InitiateAuth",
      "ChallengeParameters:object AuthenticationResult:{AccessToken:jwt IdToken:jwt ExpiresIn:number TokenType}",
      {
        ...{ ClientId: "page", AuthFlow: "USER_PASSWORD_AUTH" },
        AuthParameters: { USERNAME: "alice", PASSWORD: "any" },
      },
    ),
    act(
      "AdminGetUser",
      `Username UserAttributes:[Name Value] UserCreateDate:number Enabled:boolean UserLastModifiedDate:number
      UserStatus`,
      { Username: "alice", UserPoolId: "eu-central-1_Postern01" },
    ),
    act("GlobalSignOut", "", byToken),
    act("GetUser", "__type message", byToken, 400),
  ],
  refused: "error",
  refusals: refuseAll(400),
};
