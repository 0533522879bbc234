/** What libraries call at Microsoft Entra ID and Microsoft Graph. */
import {
  cap,
  clientOauth2,
  flaskAppBuilder,
  grant,
  justAuth,
  keycloakServices,
  loginpass,
  modAuthOpenidc,
  mozillaDjangoOidc,
  nimbusOidc,
  openauth,
  openidconnect,
  quarkusOidc,
  rackOauth2,
  simpleOauth2,
  strapi,
  xOauth2,
  zitadelOidc,
} from "./several_providers.ts";
import { guidFor } from "../../../src/kit/faults/look_alikes/differences.ts";
import type { Call, Survey } from "./survey.ts";

const host = "https://login.microsoftonline.com/common";
const organizations = "https://login.microsoftonline.com/organizations";
const consumers = "https://login.microsoftonline.com/consumers";
const graph = "https://graph.microsoft.com";
const person = `${graph}/beta//users/alice%40example.com`;
const reads = "access_token expires_in";

/** The id that the look-alike gives the group `staff@example.com`. */
const idOfStaff = guidFor("group staff@example.com");

function listsGroups(at: string): Call {
  const body = at.startsWith("GET")
    ? {}
    : { sends: "json", params: { securityEnabledOnly: "true" } } as const;
  return { does: "who", at, token: "Bearer", reads: "value", ...body };
}

function listsOfAzure(name: string): Call {
  const own = { scope: "https://management.azure.com//.default" };
  const at = `GET https://management.azure.com/${name}?api-version=2022-12-01`;
  return { does: "who", at, token: "Bearer", own, reads: "value" };
}

/** What the libraries for the whole of Graph call, at one version. */
function callsOfDirectory(version: string, title: string): Readonly<Record<string, Call>> {
  const at = `${graph}/${version}`;
  const alice = `${at}/users/alice%40example.com`;
  const staff = `${at}/groups/${idOfStaff}`;
  const token = "Bearer";
  const named = (name: string) => `${name}${title}`;
  const asked = { sends: "json", params: { note: "a body without ids" } } as const;
  const list = (address: string) => ({ does: "who", at: `GET ${address}`, token, reads: "value" }) as const;
  const check = (address: string) =>
    ({ does: "who", at: `POST ${address}`, token, reads: "value", ...asked }) as const;
  return {
    [named("people")]: { ...list(`${at}/users?$select=id,mail&$top=5`), reads: "value" },
    [named("people, by mail")]: list(`${at}/users?$filter=mail%20eq%20'alice@example.com'`),
    [named("groups")]: list(`${at}/groups`),
    [named("a group")]: { does: "who", at: `GET ${staff}`, token, reads: "id displayName" },
    [named("members")]: list(`${staff}/members`),
    [named("members, transitive")]: list(`${staff}/transitiveMembers/microsoft.graph.user`),
    [named("check of groups")]: check(`${at}/me/checkMemberGroups`),
    [named("check of groups of a person")]: check(`${alice}/checkMemberGroups`),
    [named("check of memberships")]: check(`${at}/me/checkMemberObjects`),
    [named("check of memberships of a person")]: check(`${alice}/checkMemberObjects`),
    [named("reports")]: list(`${at}/me/directReports`),
    [named("reports of a person")]: list(`${alice}/directReports`),
    [named("manager")]: { ...list(`${at}/me/manager`), leftOut: "A person here has no manager." },
    [named("manager of a person")]: { ...list(`${alice}/manager`), leftOut: "A person here has no manager." },
    [named("photo of a person")]: {
      ...list(`${alice}/photo/$value`),
      leftOut: "A person has no photo, so the answer is 404, as at Graph.",
    },
    [named("batch")]: {
      ...{ does: "who", at: `POST ${at}/$batch`, token, reads: "responses", sends: "json" },
      params: { requests: "{batch}" },
    },
  };
}

const directory = callsOfDirectory("v1.0", "");
const directoryOfBeta = callsOfDirectory("beta", ", beta");

export const entra: Survey = {
  scope: "openid profile email offline_access User.Read User.Read.All GroupMember.Read.All",
  calls: {
    ...Object.fromEntries(["tenants", "subscriptions"].map((name) => [name, listsOfAzure(name)])),
    metadata: {
      does: "metadata",
      at: `GET ${host}/v2.0/.well-known/openid-configuration`,
      reads: "issuer jwks_uri",
    },
    "metadata, two slashes": {
      does: "metadata",
      at: "GET https://login.microsoftonline.com/common//v2.0/.well-known/openid-configuration",
      reads: "issuer jwks_uri",
    },
    "metadata, no version": {
      ...{ does: "metadata", at: `GET ${host}/.well-known/openid-configuration` },
      reads: "issuer end_session_endpoint",
    },
    "metadata, no version, organizations": {
      ...{ does: "metadata", at: `GET ${organizations}/.well-known/openid-configuration` },
      reads: "issuer end_session_endpoint",
    },
    "keys, no version": { does: "keys", at: `GET ${host}/discovery/keys`, reads: "keys" },
    "keys, no version, organizations": {
      does: "keys",
      at: `GET ${organizations}/discovery/keys`,
      reads: "keys",
    },
    authorize: { does: "authorize", at: `GET ${host}/oauth2/v2.0/authorize`, scope: "openid User.Read" },
    token: { does: "redeem", at: `POST ${host}/oauth2/v2.0/token`, secret: "parameters", reads },
    "token, Basic": { does: "redeem", at: `POST ${host}/oauth2/v2.0/token`, secret: "basic", reads },
    refresh: { does: "refresh", at: `POST ${host}/oauth2/v2.0/token`, secret: "parameters", reads },
    "refresh, Basic": { does: "refresh", at: `POST ${host}/oauth2/v2.0/token`, secret: "basic", reads },
    keys: { does: "keys", at: `GET ${host}/discovery/v2.0/keys`, reads: "keys" },
    "metadata of the tenant": {
      does: "metadata",
      at:
        "GET https://login.microsoftonline.com/8d3c2a10-5f6e-4b7a-9c1d-2e4f6a8b0c1d/v2.0/.well-known/openid-configuration",
      reads: "issuer jwks_uri",
    },
    "metadata of the tenant, version 1": {
      does: "metadata",
      at:
        "GET https://login.microsoftonline.com/8d3c2a10-5f6e-4b7a-9c1d-2e4f6a8b0c1d/.well-known/openid-configuration",
      reads: "issuer jwks_uri token_endpoint end_session_endpoint",
    },
    "logout, version 1": {
      does: "logout",
      at: `GET ${host}/oauth2/logout`,
      params: { post_logout_redirect_uri: "https://app.test/", client_id: "{client_id}" },
    },
    me: {
      does: "who",
      at: `GET ${graph}/v1.0/me`,
      token: "Bearer",
      reads: "id displayName mail userPrincipalName givenName surname",
    },
    "me, slash": {
      does: "who",
      at: `GET ${graph}/v1.0/me/`,
      token: "Bearer",
      reads: "id displayName mail userPrincipalName",
    },
    userinfo: { does: "who", at: `GET ${graph}/oidc/userinfo`, token: "Bearer", reads: "sub" },
    logout: {
      does: "logout",
      at: `GET ${host}/oauth2/v2.0/logout`,
      params: { post_logout_redirect_uri: "https://app.test/", client_id: "{client_id}" },
    },
    "memberships": {
      ...{ does: "who", at: `GET ${graph}/v1.0/me/memberOf`, token: "Bearer", reads: "value" },
    },
    "memberships, transitive": {
      ...{ does: "who", at: `GET ${graph}/v1.0/me/transitiveMemberOf`, token: "Bearer", reads: "value" },
      params: { $select: "id", $top: "100" },
    },
    "memberships of a person": {
      ...{ does: "who", at: `GET ${graph}/v1.0//users/alice%40example.com/transitiveMemberOf` },
      ...{ token: "Bearer", reads: "value" },
    },
    "memberships of a person, direct": {
      ...{ does: "who", at: `GET ${graph}/v1.0//users/alice%40example.com/memberOf` },
      ...{ token: "Bearer", reads: "value" },
    },
    "memberships of a person, of one type": {
      ...{ does: "who", at: `GET ${graph}/v1.0/users/alice%40example.com/memberOf/graph.group` },
      ...{ token: "Bearer", reads: "value" },
    },
    "ids of groups of a person": {
      ...{ does: "who", at: `POST ${graph}/v1.0//users/alice%40example.com/getMemberGroups`, sends: "json" },
      ...{ token: "Bearer", params: { securityEnabledOnly: "false" }, reads: "value" },
    },
    "ids of memberships of a person": {
      ...{ does: "who", at: `POST ${graph}/v1.0//users/alice%40example.com/getMemberObjects`, sends: "json" },
      ...{ token: "Bearer", params: { securityEnabledOnly: "false" }, reads: "value" },
    },
    "memberships, groups": {
      ...{ does: "who", at: `GET ${graph}/v1.0/me/transitiveMemberOf/microsoft.graph.group` },
      ...{ token: "Bearer", reads: "value" },
    },
    "ids of groups": {
      ...{ does: "who", at: `POST ${graph}/v1.0/me/getMemberGroups`, token: "Bearer", sends: "json" },
      ...{ params: { securityEnabledOnly: "true" }, reads: "value" },
    },
    "ids of memberships": {
      ...{ does: "who", at: `POST ${graph}/v1.0/me/getMemberObjects`, token: "Bearer", sends: "json" },
      ...{ params: { securityEnabledOnly: "false" }, reads: "value" },
    },
    "authorize, consumers": {
      ...{ does: "authorize", at: `GET ${consumers}/oauth2/v2.0/authorize`, scope: "openid User.Read" },
    },
    "token, consumers": {
      ...{ does: "redeem", at: `POST ${consumers}/oauth2/v2.0/token`, secret: "parameters", reads },
    },
    "refresh, consumers": {
      ...{ does: "refresh", at: `POST ${consumers}/oauth2/v2.0/token`, secret: "parameters", reads },
    },
    "logout, no client": {
      does: "logout",
      at: `GET ${organizations}/oauth2/v2.0/logout`,
      params: { post_logout_redirect_uri: "https://app.test/callback" },
    },
    device: {
      does: "device",
      at: `POST ${host}/oauth2/v2.0/devicecode`,
      reads: "device_code user_code message",
    },
    "a person by name": {
      ...{ does: "who", at: `GET ${graph}/v1.0/users/alice%40example.com`, token: "Bearer" },
      reads: "id displayName mail userPrincipalName",
    },
    "a person by name, two slashes": {
      ...{ does: "who", at: `GET ${graph}/v1.0//users/alice%40example.com`, token: "Bearer" },
      reads: "id displayName mail userPrincipalName",
    },
    "metadata, organizations": {
      does: "metadata",
      at: `GET ${organizations}/v2.0/.well-known/openid-configuration`,
      reads: "issuer jwks_uri",
    },
    "authorize, organizations": {
      does: "authorize",
      at: `GET ${organizations}/oauth2/v2.0/authorize`,
      scope: "openid User.Read",
    },
    "token, organizations": {
      does: "redeem",
      at: `POST ${organizations}/oauth2/v2.0/token`,
      secret: "parameters",
      reads,
    },
    "keys, organizations": { does: "keys", at: `GET ${organizations}/discovery/v2.0/keys`, reads: "keys" },
    "logout, organizations": {
      does: "logout",
      at: `GET ${organizations}/oauth2/v2.0/logout`,
      params: { post_logout_redirect_uri: "https://app.test/", client_id: "{client_id}" },
    },
    "device, organizations": {
      does: "device",
      at: `POST ${organizations}/oauth2/v2.0/devicecode`,
      sends: "untyped",
      reads: "device_code user_code message",
    },
    "instance discovery": {
      does: "metadata",
      at: `GET ${host}/discovery/instance`,
      params: { "api-version": "1.1", authorization_endpoint: `${host}/oauth2/v2.0/authorize` },
      reads: "tenant_discovery_endpoint metadata",
    },
    application: {
      ...{ does: "redeem", at: `POST ${host}/oauth2/v2.0/token`, secret: "parameters", reads },
      params: {
        grant_type: "client_credentials",
        scope: "https://graph.microsoft.com/.default openid offline_access profile",
      },
    },
    "both ways of a secret": {
      ...{ does: "redeem", at: `POST ${host}/oauth2/v2.0/token`, secret: "both", reads },
    },
    photo: {
      ...{ does: "who", at: `GET ${graph}/v1.0/me/photos/48x48/$value`, token: "Bearer" },
      leftOut: "A person has no photo, so the answer is 404, as at Graph.",
    },
    "authorize, version 1": {
      ...{ does: "authorize", at: `GET ${host}/oauth2/authorize` },
      params: { resource: graph },
    },
    "authorize, host before": {
      does: "authorize",
      at: "GET https://login.windows.net/common/oauth2/authorize",
    },
    "token, version 1": {
      ...{
        does: "redeem",
        at: `POST ${host}/oauth2/token`,
        secret: "parameters",
        params: { resource: graph },
      },
      reads: "access_token refresh_token id_token expires_in expires_on resource",
    },
    "token, host before": {
      ...{ does: "redeem", at: "POST https://login.windows.net/common/oauth2/token", secret: "parameters" },
      reads: "access_token refresh_token expires_in expires_on",
    },
    "refresh, version 1": {
      ...{
        does: "refresh",
        at: `POST ${host}/oauth2/token`,
        secret: "parameters",
        params: { resource: graph },
      },
      reads: "access_token refresh_token expires_in expires_on resource",
    },
    "device, version 1": {
      ...{ does: "device", at: `POST ${host}/oauth2/devicecode`, params: { resource: graph } },
      reads: "device_code user_code verification_url expires_in interval message",
    },
    "device, GET": {
      ...{ does: "device", at: `GET ${host}/oauth2/devicecode`, params: { resource: graph } },
      reads: "device_code user_code verification_url expires_in interval message",
    },
    "userinfo, version 1": { does: "who", at: `GET ${host}/openid/userinfo`, token: "Bearer", reads: "sub" },
    "photo, beta": {
      ...{ does: "who", at: `GET ${graph}/beta/me/photo/$value`, token: "Bearer" },
      leftOut: "A person has no photo, so the answer is 404, as at Graph.",
    },
    "me, beta": {
      ...{ does: "who", at: `GET ${graph}/beta/me`, token: "Bearer" },
      reads: "id displayName mail userPrincipalName givenName surname",
    },
    "me, beta, two slashes": {
      ...{ does: "who", at: `GET ${graph}/beta//me`, token: "Bearer" },
      reads: "id displayName mail userPrincipalName",
    },
    "a person, beta": {
      ...{ does: "who", at: `GET ${person}`, token: "Bearer" },
      reads: "id displayName mail userPrincipalName",
    },
    "a person, beta, tenant": {
      ...{
        does: "who",
        at: `GET ${graph}/beta/8d3c2a10-5f6e-4b7a-9c1d-2e4f6a8b0c1d/users/alice%40example.com`,
      },
      ...{ token: "Bearer", reads: "id displayName userPrincipalName" },
    },
    "people, beta, tenant": {
      ...{ does: "who", at: `GET ${graph}/beta/8d3c2a10-5f6e-4b7a-9c1d-2e4f6a8b0c1d/users`, token: "Bearer" },
      reads: "value",
    },
    ...directory,
    ...directoryOfBeta,
    "kind of an account": {
      ...{ does: "metadata", at: "GET https://login.microsoftonline.com/common/userrealm/alice@example.com" },
      reads: "account_type",
    },
    "kind of an account, before": {
      ...{ does: "metadata", at: "GET https://login.microsoftonline.com/common/UserRealm/alice@example.com" },
      reads: "account_type",
    },
    "memberships, beta": listsGroups(`GET ${graph}/beta//me/memberOf`),
    "memberships, transitive, beta": listsGroups(`GET ${graph}/beta//me/transitiveMemberOf`),
    "ids of groups, beta": listsGroups(`POST ${graph}/beta//me/getMemberGroups`),
    "ids of memberships, beta": listsGroups(`POST ${graph}/beta//me/getMemberObjects`),
    "memberships of a person, direct, beta": listsGroups(`GET ${person}/memberOf`),
    "memberships of a person, beta": listsGroups(`GET ${person}/transitiveMemberOf`),
    "ids of groups of a person, beta": listsGroups(`POST ${person}/getMemberGroups`),
    "ids of memberships of a person, beta": listsGroups(`POST ${person}/getMemberObjects`),
    "on behalf of": {
      ...{ does: "exchange", at: `POST ${host}/oauth2/v2.0/token`, secret: "parameters" },
      scope: "api://shop/access",
      params: {
        ...{ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", requested_token_use: "on_behalf_of" },
        ...{ assertion: "{access_token}", scope: `${graph}/User.Read offline_access openid profile` },
      },
      reads: "access_token refresh_token id_token expires_in",
    },
    live: {
      ...{ does: "authorize", at: "GET https://login.live.com/oauth20_authorize.srf" },
      leftOut: "The host of personal accounts alone, which is no host of Entra.",
    },
    "token, query": {
      ...{ does: "redeem", at: `POST ${host}/oauth2/v2.0/token`, sends: "query" },
      leftOut:
        "JustAuth sends the parameters of a POST in the query, also the secret. No page of the provider names that.",
    },
    "me, two slashes": {
      ...{ does: "who", at: `GET ${graph}/v1.0//me`, token: "Bearer" },
      reads: "id displayName mail userPrincipalName",
    },
    "refresh, lower case": {
      ...{ does: "refresh", at: `POST ${host}/oauth2/v2.0/token`, secret: "parameters" },
      ...{ params: { scope: "openid email user.read offline_access" }, reads },
    },
  },
  libraries: [
    [
      "Go github.com/hashicorp/go-azure-sdk/sdk 0.20260811",
      "auth/client_secret_authorizer.go",
      "application",
    ],
    ["npm passport-azure-oauth2 0.1.0", "lib/index.js", "authorize, host before", "token, host before"],
    [
      "npm @outlinewiki/passport-azure-ad-oauth2 0.1.0",
      "lib/passport-azure-ad-oauth2/strategy.js",
      "authorize, version 1",
      "token, version 1",
    ],
    [
      "npm @hono/oidc-auth 1.8.1",
      "dist/index.js, with oauth4webapi",
      "metadata of the tenant",
      "authorize",
      "token, Basic",
    ],
    [
      "PyPI litestar-oauth 0.1.1",
      "litestar_oauth/providers/microsoft.py",
      "authorize",
      "token",
      "refresh",
      "me",
    ],
    [
      "PyPI django-microsoft-sso 7.1.1",
      "django_microsoft_sso/main.py, with msal",
      ...[
        "metadata",
        "instance discovery",
        "authorize",
        "token",
        "me",
        "a person by name",
        "photo",
        "logout",
      ],
    ],
    [
      "PyPI django-entra-auth 1.16.1",
      "django_entra_auth/backend.py, config.py",
      ...["metadata", "authorize", "token", "keys", "on behalf of", "memberships, groups"],
    ],
    [
      "PyPI oauthenticator 17.4.0",
      "oauthenticator/azuread.py",
      ...["authorize, version 1", "token, version 1"],
    ],
    ["PyPI litestar-sso 0.20.0", "litestar_sso/sso/microsoft.py", "authorize", "token, Basic", "me"],
    [
      "PyPI mlflow-oidc-auth 11.0.2",
      "its plugin for groups of Entra",
      "metadata",
      "authorize",
      "memberships",
    ],
    [
      "npm @pnp/cli-microsoft365 11.11.0",
      "dist/Auth.js, with msal-node",
      "metadata",
      "device",
      "refresh",
      "a person by name",
    ],
    openauth("authorize", "token"),
    strapi("me"),
    loginpass("metadata", "authorize", "token, Basic", "keys"),
    flaskAppBuilder("authorize, version 1", "keys"),
    cap("metadata of the tenant", "authorize", "token, Basic", "keys"),
    modAuthOpenidc("metadata of the tenant", "authorize", "token, Basic", "keys"),
    rackOauth2("authorize", "token, Basic", "me"),
    keycloakServices("authorize", "token", "me, slash"),
    ["npm @nangohq/providers 0.71.10", "providers.yaml", "authorize, consumers", "token, consumers"],
    [
      "Go github.com/hashicorp/vault-plugin-auth-jwt 0.26.1",
      "provider_azure.go",
      "metadata",
      "ids of memberships",
    ],
    simpleOauth2("authorize", "token", "token, Basic", "refresh"),
    clientOauth2("authorize", "token, Basic", "refresh, Basic"),
    grant("authorize", "token", "userinfo"),
    [
      "PyPI django-allauth 65.22.1",
      "allauth/socialaccount/providers/microsoft/views.py",
      "authorize",
      "token",
      "me",
    ],
    [
      "npm @backstage/plugin-auth-backend-module-microsoft-provider 0.3.19",
      "dist/authenticator.cjs.js",
      "authorize",
      "token",
      "refresh, lower case",
      "me",
    ],
    ["npm @logto/connector-azuread 1.6.5", "lib/index.js", "authorize", "token", "me"],
    mozillaDjangoOidc("authorize", "token", "userinfo", "keys"),
    zitadelOidc("metadata of the tenant", "authorize", "token, Basic", "userinfo", "keys", "refresh, Basic"),
    nimbusOidc("metadata of the tenant", "authorize", "token, Basic", "userinfo", "keys", "refresh, Basic"),
    openidconnect(
      "metadata of the tenant",
      "authorize",
      "token, Basic",
      "userinfo",
      "keys",
      "refresh, Basic",
    ),
    [
      "Maven com.github.scribejava:scribejava-apis 8.3.3",
      "MicrosoftAzureActiveDirectory20Api.java",
      "authorize",
      "token",
      "me",
      "refresh",
      "authorize, version 1",
      "token, version 1",
    ],
    ["PyPI Office365-REST-Python-Client 3.3.0", "office365/graph_client.py, with msal", "me"],
    [
      "PyPI msgraph-sdk 1.65.0",
      "msgraph/graph_service_client.py",
      ...[
        "me, two slashes",
        "a person by name, two slashes",
        "memberships of a person",
        "memberships of a person, direct",
        "memberships of a person, of one type",
      ],
      ...["ids of groups of a person", "ids of memberships of a person", ...Object.keys(directory)],
    ],
    [
      "npm @microsoft/microsoft-graph-client 3.0.7",
      "lib/src/GraphRequest.js, with the addresses of the program",
      ...["me", "people", "people, by mail", "groups", "members", "check of groups of a person", "batch"],
    ],
    [
      "npm @pnp/graph 4.21.0",
      "users/types.js, groups/types.js, members/types.js, with @pnp/nodejs",
      ...["me", "people", "groups", "a group", "members", "members, transitive", "batch"],
      ...["memberships", "check of groups", "manager", "reports"],
    ],
    [
      "npm adal-node 0.2.4",
      "lib/oauth2client.js, user-realm.js",
      ...["token, version 1", "refresh, version 1", "device, version 1", "kind of an account, before"],
    ],
    [
      "PyPI aiohttp-msal 1.0.7",
      "aiohttp_msal/msal_async.py, with msal",
      ...["metadata", "authorize", "token", "refresh", "me", "manager", "logout, version 1"],
    ],
    ["PyPI exchangelib 5.6.0", "exchangelib/credentials.py, with requests-oauthlib", "application"],
    ["PyPI msrestazure 0.6.4.post1", "msrestazure/azure_active_directory.py, with adal", "token, version 1"],
    [
      "npm @microsoft/agents-hosting 1.8.1",
      "dist/src/auth/msalTokenProvider.js, with msal-node",
      "application",
    ],
    [
      "Maven com.microsoft.graph:microsoft-graph 6.40.0",
      "com/microsoft/graph/serviceclient/GraphServiceClient.java",
      ...Object.keys(directory),
    ],
    [
      "Go github.com/manicminer/hamilton 0.44.0",
      "msgraph/me.go, users.go",
      ...["application", "me, beta", "a person, beta, tenant", "people, beta, tenant"],
    ],
    [
      "PyPI msgraph-beta-sdk 1.66.0",
      "msgraph_beta/graph_service_client.py",
      ...["me, beta, two slashes", "a person, beta", "photo, beta"],
      ...[
        "memberships, beta",
        "memberships, transitive, beta",
        "ids of groups, beta",
        "ids of memberships, beta",
      ],
      ...["memberships of a person, beta", "memberships of a person, direct, beta"],
      ...["ids of groups of a person, beta", "ids of memberships of a person, beta"],
      ...Object.keys(directoryOfBeta),
    ],
    [
      "PyPI microsoft-agents-authentication-msal 1.9.0",
      "microsoft_agents/authentication/msal/msal_auth.py",
      "metadata",
      "on behalf of",
    ],
    [
      "PyPI django-auth-adfs 1.16.0",
      "django_auth_adfs/config.py, backend.py",
      "metadata of the tenant",
      "metadata of the tenant, version 1",
      "authorize",
      "authorize, version 1",
      "token",
      "token, version 1",
      "keys",
      "keys, no version",
      "logout",
      "logout, version 1",
    ],
    [
      "PyPI adal 1.2.7",
      "adal/oauth2_client.py, user_realm.py",
      "kind of an account, before",
      "token, version 1",
      "refresh, version 1",
      "token, host before",
      "device, version 1",
    ],
    [
      "Go github.com/Azure/go-autorest/autorest/adal 0.9.24",
      "config.go, devicetoken.go, token.go",
      "authorize, version 1",
      "token, version 1",
      "refresh, version 1",
      "device, version 1",
    ],
    [
      "Maven com.microsoft.azure:adal4j 1.6.7",
      "AuthenticationAuthority.java, DeviceCodeRequest.java",
      "instance discovery",
      "token, version 1",
      "refresh, version 1",
      "device, GET",
    ],
    [
      "npm passport-azure-ad-oauth2 0.0.4",
      "lib/passport-azure-ad-oauth2/strategy.js",
      "authorize, host before",
      "token, host before",
      "refresh, version 1",
    ],
    [
      "npm @hapi/bell 13.2.0",
      "lib/providers/azure-legacy.js",
      "authorize, version 1",
      "token, version 1",
      "userinfo, version 1",
    ],
    [
      "Go github.com/oauth2-proxy/oauth2-proxy/v7 7.15.6",
      "providers/ms_entra_id.go, azure.go",
      "memberships, transitive",
      "authorize, version 1",
      "token, version 1",
    ],
    [
      "Go github.com/go-pkgz/auth/v2 2.0.0",
      "provider/providers.go",
      "authorize",
      "token",
      "me",
      "photo, beta",
    ],
    [
      "npm remix-auth-microsoft 3.0.1",
      "build/index.js",
      "authorize",
      "token, Basic",
      "refresh, Basic",
      "userinfo",
    ],
    [
      "Go github.com/pocketbase/pocketbase 0.36.8",
      "tools/auth/microsoft.go",
      "authorize",
      "token, Basic",
      "me",
    ],
    [
      "Go github.com/ory/kratos 1.3.1",
      "selfservice/strategy/oidc/provider_microsoft.go",
      "authorize",
      "token",
      "metadata of the tenant",
      "keys",
      "me",
    ],
    ["Debian mutt 2.2.12", "doc/examples/mutt_oauth2.py", "authorize", "token", "refresh", "device"],
    [
      "Go github.com/rclone/rclone 1.76.0",
      "backend/onedrive/onedrive.go, with golang.org/x/oauth2",
      "authorize",
      "token",
      "refresh",
    ],
    [
      "Maven io.vertx:vertx-auth-oauth2 4.5.14",
      "providers/AzureADAuth.java",
      "authorize, version 1",
      "token, version 1",
    ],
    [
      "npm @azure/msal-node 7.2.3",
      "dist/client",
      "metadata",
      "authorize",
      "token",
      "refresh",
      "device",
      "instance discovery",
    ],
    [
      "npm @azure/msal-browser 5.30.0",
      "dist/controllers",
      "metadata",
      "authorize",
      "logout",
      "instance discovery",
    ],
    [
      "PyPI msal 1.39.0",
      "msal/authority.py",
      "kind of an account",
      "metadata",
      "metadata, two slashes",
      "authorize",
      "token",
      "refresh",
      "device",
      "instance discovery",
    ],
    [
      "Maven com.microsoft.azure:msal4j 1.21.0",
      "AuthorityType and AADAuthority",
      "authorize",
      "token",
      "refresh",
      "device",
      "instance discovery",
    ],
    [
      "Go microsoft-authentication-library-for-go 1.10.1",
      "apps/internal/oauth",
      "metadata",
      "authorize",
      "token",
      "refresh",
      "device",
      "instance discovery",
    ],
    ["npm passport-azure-ad 4.3.5", "lib/oidcstrategy.js", "metadata", "authorize", "token", "keys"],
    ["npm passport-microsoft 2.1.0", "lib/strategy.js", "authorize", "token", "me, slash"],
    [
      "npm arctic 3.7.0",
      "dist/providers/microsoft-entra-id.js",
      "authorize",
      "token, Basic",
      "refresh, Basic",
    ],
    [
      "npm @auth/core 0.41.3",
      "providers/microsoft-entra-id.js",
      "metadata",
      "authorize",
      "token, Basic",
      "keys",
      "photo",
    ],
    [
      "npm next-auth 4.24.15",
      "providers/azure-ad.js",
      "metadata",
      "authorize",
      "token, Basic",
      "keys",
      "photo",
    ],
    [
      "npm better-auth 1.7.25",
      "@better-auth/core/dist/social-providers/microsoft-entra-id.mjs",
      "authorize",
      "token",
      "refresh",
      "keys",
      "photo",
    ],
    ["npm nuxt-auth-utils 0.5.30", "dist/runtime/server/lib/oauth/microsoft.js", "authorize", "token", "me"],
    [
      "PyPI social-auth-core 7.0.0",
      "social_core/backends/microsoft.py, azuread.py",
      "authorize",
      "token",
      "refresh",
      "me",
      "authorize, version 1",
      "token, version 1",
    ],
    ["PyPI fastapi-sso 0.23.0", "fastapi_sso/sso/microsoft.py", "authorize", "token, Basic", "me"],
    [
      "Go github.com/markbates/goth 1.82.0",
      "providers/microsoftonline, azureadv2",
      "authorize",
      "token, Basic",
      "me",
      "photo",
    ],
    xOauth2("live"),
    [
      "Go github.com/oauth2-proxy/oauth2-proxy/v7 7.15.6",
      "providers/azure.go, ms_entra_id.go",
      "metadata",
      "authorize",
      "token",
      "keys",
      "me",
      "authorize, version 1",
      "token, version 1",
    ],
    [
      "Go github.com/dexidp/dex 2.13.0",
      "connector/microsoft/microsoft.go",
      "authorize",
      "token, Basic",
      "me",
      "ids of groups",
    ],
    justAuth("authorize", "me", "token, query"),
    quarkusOidc("metadata", "authorize", "token, Basic", "keys"),
    ["Microsoft's documentation", "OpenID Connect, UserInfo", "userinfo"],
    ["npm @azure/identity 4.13.1", "by @azure/msal-node", "token", "refresh", "device", "instance discovery"],
    [
      "Maven com.azure.spring:spring-cloud-azure-starter-active-directory 5.23.0",
      "AadAuthorizationServerEndpoints.java, GraphClient.java",
      "memberships",
      "authorize",
      "token, Basic",
      "keys",
      "logout",
    ],
    [
      "Maven com.azure:azure-identity 1.18.0",
      "HttpPipelineAdapter.java, and msal4j",
      "authorize, organizations",
      "token, organizations",
      "device, organizations",
      "instance discovery",
    ],
    [
      "Microsoft's documentation",
      "OpenID Connect, for organizations",
      "metadata, organizations",
      "keys, organizations",
      "logout, organizations",
    ],
    [
      "Ruby omniauth-azure-activedirectory-v2 2.0.0",
      "azure_activedirectory_v2.rb",
      "authorize",
      "token",
      "refresh",
    ],
    [
      "crates onedrive-api 0.11.0",
      "src/auth.rs",
      "authorize, consumers",
      "token, consumers",
      "refresh, consumers",
    ],
    ["crates graph-rs-sdk 3.0.1", "graph-oauth", "authorize", "both ways of a secret"],
    [
      "PyPI azure-identity 1.27.0",
      "azure/identity/_internal/interactive.py, authorization_code.py",
      "metadata",
      "authorize",
      "token",
      "refresh",
      "instance discovery",
    ],
    [
      "PyPI fastapi-msal 2.1.7",
      "fastapi_msal/security/msal_auth_code_handler.py, with msal",
      "metadata, organizations",
      "authorize",
      "token",
      "refresh",
      "keys",
      "logout, no client",
    ],
    [
      "Go github.com/Azure/azure-sdk-for-go/sdk/azidentity 1.15.0",
      "interactive_browser_credential.go, client_secret_credential.go",
      "metadata",
      "authorize",
      "token",
      "refresh",
      "device",
      "instance discovery",
      "application",
    ],
    [
      "PyPI azure-cli 2.91.0",
      "azure/cli/core/_profile.py, with msal",
      "instance discovery",
      "device",
      "refresh",
      "tenants",
      "subscriptions",
    ],
    ["PyPI O365 2.1.10", "O365/connection.py, with msal", "metadata", "authorize", "token", "refresh", "me"],
    ["crates azure_identity 1.0.0", "src/client_secret_credential.rs", "application"],
    [
      "PyPI identity 0.11.0",
      "identity/web.py, with msal",
      "metadata, no version",
      "metadata, no version, organizations",
      "authorize",
      "token",
      "refresh",
      "logout",
    ],
    [
      "PyPI django-auth-adfs 1.16.0",
      "django_auth_adfs/config.py",
      "metadata, no version",
      "keys, no version",
      "keys, no version, organizations",
    ],
  ],
};
