/** The answers of Google, its People API and its directory. */

import { groupId, type Provider, whole } from "../provider_answers.ts";

const directory = "https://admin.googleapis.com/admin/directory/v1";
const scopes = ["user", "group", "group.member"].map((each) =>
  `https://www.googleapis.com/auth/admin.directory.${each}.readonly`
);

const ofField = "primary:boolean source:{type id} sourcePrimary:boolean";

const user = `
  kind id etag primaryEmail name:{fullName givenName familyName} isAdmin:boolean isDelegatedAdmin:boolean
  suspended:boolean archived:boolean thumbnailPhotoUrl emails:[address primary:boolean] customerId orgUnitPath`;

const group = "kind id etag email name description directMembersCount adminCreated:boolean";

export const googleAnswers: Provider = {
  authorize: "https://accounts.google.com/o/oauth2/v2/auth",
  token: "https://oauth2.googleapis.com/token",
  login: { scope: `openid profile email ${scopes.join(" ")}` },
  claims: whole,
  exact: true,
  tokens: "access_token token_type expires_in:number scope id_token",
  idToken: `
    iss aud iat:number exp:number sub jti auth_time:number sid azp at_hash name given_name family_name picture
    email email_verified:boolean`,
  answers: [
    [
      "GET https://openidconnect.googleapis.com/v1/userinfo",
      "sub name given_name family_name picture email email_verified:boolean",
    ],
    [
      "GET https://www.googleapis.com/oauth2/v2/userinfo",
      "id name given_name family_name picture email verified_email:boolean",
    ],
    [
      "GET https://people.googleapis.com/v1/people/me?personFields=names,photos,emailAddresses,metadata",
      `resourceName etag
      names:[metadata:{${ofField}} displayName familyName givenName unstructuredName displayNameLastFirst]
      photos:[metadata:{${ofField}} url]
      emailAddresses:[metadata:{${ofField} verified:boolean} value]
      metadata:{
        sources:[type id etag updateTime profileMetadata:{objectType userTypes:texts}]
        objectType
      }`,
    ],
    [`GET ${directory}/users`, `kind etag users:[${user}]`],
    [`GET ${directory}/groups`, `kind etag groups:[${group}]`],
    [`GET ${directory}/groups/${groupId}`, group],
    [`GET ${directory}/groups/${groupId}/members`, "kind etag members:[kind etag id email role type status]"],
    [`GET ${directory}/groups/${groupId}/hasMember/alice`, "isMember:boolean"],
    [
      "GET https://oauth2.googleapis.com/tokeninfo?access_token={access_token}",
      "azp aud sub scope exp expires_in email email_verified access_type",
      { by: "none" },
    ],
    [
      "GET https://www.googleapis.com/oauth2/v2/tokeninfo?access_token={access_token}",
      "issued_to audience user_id verified_email:boolean scope expires_in:number email access_type",
      { by: "none" },
    ],
    [
      "POST https://oauth2.googleapis.com/device/code",
      "device_code user_code verification_url expires_in:number interval:number",
      { by: "none", form: { client_id: "shop", scope: "email" } },
    ],
    [
      "GET https://people.googleapis.com/v1/people/me",
      "error:{code:number message status}",
      { by: "none", status: 401 },
    ],
    [
      `GET ${directory}/users`,
      "error:{code:number message status errors:[message domain reason location locationType]}",
      { by: "none", status: 401 },
    ],
  ],
};
