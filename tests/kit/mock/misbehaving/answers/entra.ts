/** The answers of Entra and of Microsoft Graph. */

import { groupId, type Provider, whole } from "../provider_answers.ts";
import { inForm } from "../provider_shop.ts";

const entra = "https://login.microsoftonline.com/common/oauth2";
const graph = "https://graph.microsoft.com/v1.0";

const person = `
  id displayName givenName surname mail userPrincipalName businessPhones:empty jobTitle:null mobilePhone:null
  officeLocation:null preferredLanguage:null`;

const group = `
  id displayName mailNickname mailEnabled:boolean securityEnabled:boolean createdDateTime renewedDateTime
  groupTypes:empty proxyAddresses:empty resourceBehaviorOptions:empty resourceProvisioningOptions:empty
  onPremisesProvisioningErrors:empty securityIdentifier:null deletedDateTime:null classification:null
  description:null expirationDateTime:null isAssignableToRole:null mail:null membershipRule:null
  membershipRuleProcessingState:null onPremisesDomainName:null onPremisesLastSyncDateTime:null
  onPremisesNetBiosName:null onPremisesSamAccountName:null onPremisesSecurityIdentifier:null
  onPremisesSyncEnabled:null preferredDataLocation:null preferredLanguage:null theme:null visibility:null`;

const error = "error:{code message innerError:{date request-id client-request-id}}";

export const entraAnswers: Provider = {
  authorize: `${entra}/v2.0/authorize`,
  token: `${entra}/v2.0/token`,
  login: { scope: "openid profile email offline_access Directory.Read.All User.Read" },
  claims: whole,
  exact: true,
  tokens: "access_token token_type expires_in:number ext_expires_in:number scope refresh_token id_token",
  idToken: `
    iss aud iat:number exp:number sub jti auth_time:number sid nbf:number tid uti ver oid aio rh name
    preferred_username email`,
  answers: [
    ["GET https://graph.microsoft.com/oidc/userinfo", "sub name given_name family_name picture email"],
    [`GET ${graph}/me`, `@odata.context ${person}`],
    [`GET ${graph}/users`, `@odata.context value:[${person}]`],
    [`GET ${graph}/me/memberOf`, `@odata.context value:[@odata.type ${group}]`],
    [`GET ${graph}/me/memberOf?$select=displayName`, "@odata.context value:[@odata.type id displayName]"],
    [`GET ${graph}/me/directReports`, "@odata.context value:empty"],
    [`GET ${graph}/groups`, `@odata.context value:[${group}]`],
    [`GET ${graph}/groups/${groupId}`, `@odata.context ${group}`],
    [`GET ${graph}/groups/${groupId}/members`, `@odata.context value:[@odata.type ${person}]`],
    [`GET ${graph}/me/photo/$value`, error, { status: 404 }],
    [`GET ${graph}/users/none`, error, { status: 404 }],
    [`POST ${graph}/me/getMemberGroups`, "@odata.context value:texts"],
    [
      `POST ${entra}/v2.0/devicecode`,
      "device_code user_code verification_uri expires_in:number interval:number message",
      { by: "none", form: { client_id: "shop", scope: "openid" } },
    ],
    [
      `POST ${entra}/token`,
      `access_token token_type expires_in ext_expires_in expires_on not_before resource scope refresh_token
      id_token`,
      { by: "none", form: { ...inForm, grant_type: "refresh_token", refresh_token: "{refresh_token}" } },
    ],
  ],
  refused: "error error_description error_codes:numbers timestamp trace_id correlation_id error_uri",
  refusals: [["no grant_type", 400, "invalid_request"]],
};
