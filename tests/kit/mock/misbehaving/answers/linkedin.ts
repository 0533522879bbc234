/** The answers of LinkedIn. */

import { type Provider, whole } from "../provider_answers.ts";
import { inForm } from "../provider_shop.ts";

const linkedin = "https://www.linkedin.com/oauth/v2";
const localized = "{localized:{en_US} preferredLocale:{country language}}";

export const linkedinAnswers: Provider = {
  authorize: `${linkedin}/authorization`,
  token: `${linkedin}/accessToken`,
  login: { scope: "openid profile email" },
  claims: whole,
  exact: true,
  tokens: "access_token token_type expires_in:number scope id_token",
  idToken: `
    iss aud iat:number exp:number sub jti name given_name family_name picture email email_verified locale`,
  answers: [
    [
      "GET https://api.linkedin.com/v2/userinfo",
      "sub name given_name family_name picture locale:{country language} email email_verified:boolean",
    ],
    [
      "GET https://api.linkedin.com/v2/me",
      `id localizedFirstName localizedLastName firstName:${localized} lastName:${localized}
      profilePicture:{displayImage}`,
    ],
    [
      "GET https://api.linkedin.com/v2/me?projection=(id,profilePicture(displayImage~:playableStreams))",
      `id profilePicture:{
        displayImage
        displayImage~:{
          paging:{count:number start:number links:empty}
          elements:[
            artifact authorizationMethod
            identifiers:[
              identifier index:number mediaType file identifierType identifierExpiresInSeconds:number
            ]
          ]
        }
      }`,
    ],
    [
      "GET https://api.linkedin.com/v2/emailAddress?q=members&projection=(elements*(handle~))",
      "elements:[handle type primary:boolean handle~:{emailAddress}]",
    ],
    [
      `POST ${linkedin}/introspectToken`,
      `active:boolean client_id authorized_at:number created_at:number status expires_at:number scope auth_type`,
      { by: "none", form: { ...inForm, token: "{access_token}" } },
    ],
    [`POST ${linkedin}/introspectToken`, "active:boolean", {
      by: "none",
      form: { ...inForm, token: "none" },
    }],
    [
      "GET https://api.linkedin.com/v2/organizations",
      "error error_description message serviceErrorCode:number status:number",
      { by: "none", status: 501 },
    ],
  ],
};
