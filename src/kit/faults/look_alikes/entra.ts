/** Microsoft Entra ID, as the endpoints of all tenants or of one answer. */

import { encodeText } from "../../../ground/values/octets.ts";
import { type Answer, type IncomingRequest, withHeaders } from "../../../ground/http/message.ts";
import { json } from "../../../ground/http/respond.ts";
import type { Pair } from "../../../ground/http/form.ts";
import type { Claims, Members } from "../../../ground/values/members.ts";
import { present } from "../../../ground/values/present.ts";
import type { Endpoint } from "../../../server/oauth/contracts/feature.ts";
import { readForm, requireParam } from "../../../server/oauth/contracts/params.ts";
import { type RefusalRows, refusals } from "../../../server/oauth/contracts/refusals.ts";
import { setParam, without } from "../../../server/oauth/contracts/seams.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Person } from "../../../server/oauth/contracts/people.ts";
import { selectClaims } from "../../../server/oauth/people/claims.ts";
import {
  changeAt,
  changeClaims,
  changeJson,
  changeKeys,
  changeMetadata,
  changeParams,
  changeResponse,
  changeTokens,
  deviceGrantType,
} from "../changes.ts";
import type { ActContext, Tools } from "../misbehaviour.ts";
import {
  alsoGet,
  changeTokenErrors,
  describesRefusals,
  eachForgoesPkce,
  giveOnly,
  guidFor,
  hashesNoAccessToken,
  nameMissing,
  opensInWindow,
  publishesCertificates,
  refreshesOnlyOffline,
  refusesUnknown,
  remembersConsent,
  requiresScope,
  sameSecretTwice,
  secretEitherWay,
  sendsNoCompleteUri,
  sendsNoIss,
  sentIn,
  typesAccessTokensAsJwt,
  typesKeysAsJson,
  untypedForm,
  withJson,
  withoutScopesOfPerson,
} from "./differences.ts";
import { azureErrors, listEndpointsOfAzure } from "./azure.ts";
import { describeGraphError, listEndpointsOfGraph } from "./entra_graph.ts";
import { allPermissions, graphResource, principalNameOf, userRead } from "./entra_people.ts";
import { type LookAlike, pagesOf, type ProviderEndpoint } from "./look_alike.ts";
import { passwordGrant, takesPasswords } from "./password_grant.ts";

const refusal = refusals({
  provider_scope_not_default: {
    error: "invalid_scope",
    sentence: "The scope of a client that acts for itself has to end with /.default",
    expected: "the identifier of one API with /.default, such as https://graph.microsoft.com/.default",
    change: "Ask for /.default, which stands for all permissions of the client for this API.",
  },
});

export const refused: RefusalRows = refusal.rows;

const page = pagesOf("https://learn.microsoft.com/en-us/entra/identity-platform/");
const clientCredentials = page(
  "OAuth 2.0 client credentials flow on the Microsoft identity platform",
  "v2-oauth2-client-creds-grant-flow",
);
const accessTokens = page("Access tokens in the Microsoft identity platform", "access-tokens");
const idTokens = page("ID token claims reference", "id-token-claims-reference");
const codeFlow = page(
  "Microsoft identity platform and OAuth 2.0 authorization code flow",
  "v2-oauth2-auth-code-flow",
);
const errorCodes = page(
  "Microsoft Entra authentication and authorization error codes",
  "reference-error-codes",
);
const refreshTokens = page("Refresh tokens in the Microsoft identity platform", "refresh-tokens");
const openId = page("OpenID Connect on the Microsoft identity platform", "v2-protocols-oidc");
const deviceCode = page(
  "Microsoft identity platform and the OAuth 2.0 device authorization grant flow",
  "v2-oauth2-device-code",
);
const userinfo = page("Microsoft identity platform UserInfo endpoint", "userinfo");
const certificates = page(
  "Microsoft identity platform application authentication certificate credentials",
  "certificate-credentials",
);
const accessTokenClaims = page("Access token claims reference", "access-token-claims-reference");
const spa = page("Single-page application: Add sign-in and sign-out code", "scenario-spa-sign-in");

const authority = page(
  "Client application configuration, Authority, whose samples end with a slash",
  "msal-client-application-configuration#authority",
);

const instanceDiscovery = page(
  "MSAL for Java, whose class AadInstanceDiscoveryProvider reads this",
  "https://github.com/AzureAD/microsoft-authentication-library-for-java",
);
const clientInfo = page(
  "MSAL for Java, whose class ClientInfo reads this",
  "https://github.com/AzureAD/microsoft-authentication-library-for-java",
);
const deviceClient = page(
  "MSAL for Node, whose class DeviceCodeClient polls so",
  "https://github.com/AzureAD/microsoft-authentication-library-for-js/tree/dev/lib/msal-node",
);
const untypedDevice = page(
  "Azure Identity for Java, whose class HttpPipelineAdapter sends so",
  "https://github.com/Azure/azure-sdk-for-java/tree/main/sdk/identity/azure-identity",
);
const applicationScopes = page(
  "MSAL for Go, whose confidential client asks so",
  "https://github.com/AzureAD/microsoft-authentication-library-for-go",
);
const defaultScope = page(
  "Scopes and permissions in the Microsoft identity platform, The .default scope",
  "scopes-oidc#the-default-scope",
);
const pythonLibrary = page(
  "identity, the library of Microsoft for Python, which reads this",
  "https://github.com/rayluo/identity",
);
const onBehalfOf = page(
  "Microsoft identity platform and OAuth 2.0 On-Behalf-Of flow",
  "v2-oauth2-on-behalf-of-flow",
);
const scopeSet = page(
  "MSAL for JavaScript, whose class ScopeSet compares scopes without their case",
  "https://github.com/AzureAD/microsoft-authentication-library-for-js/tree/dev/lib/msal-common",
);
const graphPython = page(
  "Microsoft Graph SDK for Python, which asks so",
  "https://github.com/microsoftgraph/msgraph-sdk-python",
);
const hamilton = page(
  "hamilton, whose client for users asks so",
  "https://github.com/manicminer/hamilton",
);
const userRealm = page(
  "MSAL for Python, whose class Authority asks so before it sends a password",
  "https://github.com/AzureAD/microsoft-authentication-library-for-python/blob/dev/msal/authority.py",
);
const oldKeys = page("Access tokens, Validate the signature", "access-tokens#validate-the-signature");
const graphErrors = page(
  "Microsoft Graph error responses and resource types",
  "https://learn.microsoft.com/en-us/graph/errors",
);
const version1 = page(
  "Authorize access with the OAuth 2.0 code grant flow, version 1.0",
  "https://learn.microsoft.com/en-us/azure/active-directory/azuread-dev/v1-protocols-oauth-code",
);
const adal = page(
  "ADAL for Python, which has this host built in",
  "https://github.com/AzureAD/azure-activedirectory-library-for-python",
);
const deviceOfVersion1 = page(
  "ADAL for Java, whose class DeviceCodeRequest asks so",
  "https://github.com/AzureAD/azure-activedirectory-library-for-java",
);
const commandLine = page(
  "CLI for Microsoft 365, which reads there who has logged in",
  "https://github.com/pnp/cli-microsoft365/blob/main/src/utils/accessToken.ts",
);
const graphBeta = page(
  "Microsoft Graph REST API beta endpoint reference",
  "https://learn.microsoft.com/en-us/graph/api/overview?view=graph-rest-beta",
);

const graphRs = page(
  "graph-rs-sdk, which redeems a code so",
  "https://github.com/sreeise/graph-rs-sdk/tree/master/graph-oauth",
);

const hadoop = page(
  "hadoop-azure, which refreshes there, if a program names no other address",
  "https://hadoop.apache.org/docs/stable/hadoop-azure/abfs.html",
);
const davmail = page(
  "DavMail, which reads it so",
  "https://github.com/mguessan/davmail/blob/master/src/java/davmail/exchange/auth/O365ManualAuthenticator.java",
);
const passwords = page(
  "Microsoft identity platform and OAuth 2.0 Resource Owner Password Credentials",
  "v2-oauth-ropc",
);

const botFramework = page(
  "Authentication with the Bot Connector API",
  "https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-authentication",
);

export const entra: LookAlike = {
  addresses(host) {
    const base = `https://${host}`;
    return {
      issuer: `${base}/v2.0`,
      pages: base,
      // The samples of Microsoft end the address of Graph with a slash or without, and that of a tenant, too. After a version,
      // its SDK for Python has two slashes, and a program may name the tenant. A photo may have a size, after `users/` is a
      // person and after `groups/` a group, and memberships and members may have a type.
      optionalInPath:
        /(?<=^\/common\/[Uu]ser[Rr]ealm\/)[^/]+$|(?<=^\/(?:v1\.0|beta)\/me)\/$|(?<=^\/(?:v1\.0|beta))\/(?=\/)|(?<=^\/(?:v1\.0|beta)\/)[0-9a-f-]{36}\/(?=(?:users|groups)\b)|\/(?=\/v2\.0\/\.well-known\/)(?<=^\/[^/]+\/)|(?<=\/(?:me|users\/[^/]+)\/photo)(?:s\/\d{2,3}x\d{2,3})?\/\$value$|(?<=^\/(?:v1\.0|beta)\/(?:[0-9a-f-]{36}\/|\/)?(?:users|groups)\/)[^/]+(?:$|\/(?=photo|manager|directReports|getMember|checkMember|\w*ember(?:Of|s)))|(?<=ember(?:Of|s))\/(?:microsoft\.)?graph\.\w+$/g,
      aliases: { "https://login.windows.net": new URL(base).origin },
      leads: ["https://login.windows.net"],
      endpoints: [
        ...listEndpoints(base),
        // A library may know only one of the paths of all tenants, or go on at the tenant that an ID token names.
        ...[
          ...otherBasesOf(base).flatMap(listEndpoints),
          ...listKeysOfAllTenants(base),
          ...personalBasesOf(base).flatMap(listEndpointsOfVersion2),
          ...listEndpointsOfBots(base),
          { url: `${new URL(base).origin}/Common/oauth2/token`, is: "token" as const, source: hadoop },
        ].map((each) => ({ ...each, isUnannounced: true }) as const),
        {
          ...{ url: `${new URL(base).origin}/common/discovery/instance`, is: "metadata", method: "GET" },
          ...{ source: instanceDiscovery, answer: () => describeInstance(base) },
        },
        ...["userrealm", "UserRealm"].map((name) => ({
          url: `${new URL(base).origin}/common/${name}/`,
          ...{
            written: `${new URL(base).origin}/common/${name}/{username}`,
            is: "metadata",
            method: "GET",
          } as const,
          ...{ source: userRealm, answer: describeRealm },
        })),
        { url: "https://graph.microsoft.com/oidc/userinfo", is: "userinfo", source: userinfo },
        ...["v1.0", "beta"].flatMap(listEndpointsOfGraph),
        ...listEndpointsOfAzure(tenantOf(`${base}/v2.0`) ?? someTenant),
      ],
    };
  },
  lax: [
    eachForgoesPkce(codeFlow),
    remembersConsent(codeFlow),
    typesAccessTokensAsJwt(accessTokenClaims),
    secretEitherWay(openId),
    sameSecretTwice(graphRs),
    takesPasswords(passwords),
    opensInWindow(spa),
    {
      server:
        "A sign-out needs neither a hint nor a client_id. It continues at a redirect URI of any client, or at an address at " +
        "the origin of one if the client is known from its first login.",
      source: openId,
      sets: { signsOutToRedirectUris: true },
    },
    {
      server: "The `aud` of a client_assertion may be the address of the endpoint.",
      source: certificates,
      sets: { assertions: { takesEndpoint: true } },
    },
    {
      server: "A client with a secret begins a device login without it, and sends it in the token request.",
      source: deviceCode,
      sets: { deviceWithoutSecret: "begin" },
    },
    {
      server: "The grant_type of a device may be device_code.",
      source: deviceClient,
      reads: [{
        at: "token",
        pairs: (sent) =>
          sent.map(([name, value]) => [
            name,
            name === "grant_type" && value === "device_code" ? deviceGrantType : value,
          ]),
      }],
    },
    {
      server:
        "A client that acts for itself may name `openid`, `profile` and offline_access, too. It does not get them.",
      source: applicationScopes,
      reads: [{ at: "token", pairs: withoutScopesOfPerson(["openid", "profile", "offline_access"]) }],
    },
    { server: "The host may be `login.windows.net`.", source: adal },
    {
      server: "In the address of the metadata, two slashes may follow the tenant.",
      source: authority,
    },
    {
      server:
        "An access token names the tenant in its `iss`, and is for userinfo and for Graph, too. An ID token that names the " +
        "tenant is a hint at each sign-out.",
      source: accessTokens,
      sets: { takesIssuer: (iss) => issuerOfTenant.test(`${iss}`) },
    },
    {
      server: "The scope `User.Read` may be in lower case.",
      source: scopeSet,
      reads: (["authorize", "token", "device_authorization"] as const).map((at) => ({
        at,
        pairs: readUserRead,
      })),
    },
    {
      server: "In an address of Graph, two slashes may follow the version.",
      source: graphPython,
    },
    { server: "Before `users`, an address of Graph may have the id of a tenant.", source: hamilton },
    {
      server: "A request of version 1.0 has a `resource` in place of a scope.",
      source: version1,
      reads: [
        ...(["authorize", "token"] as const).map((at) => ({ at, pairs: readResource })),
        { at: "device_authorization", pairs: readResourceOfDevice },
      ],
    },
    {
      server:
        "An API that has token exchange among its grant_types acts on behalf of a person: with requested_token_use " +
        "on_behalf_of, it exchanges an access token that is for itself for tokens of any scope that it may have. It needs " +
        "no other permission.",
      source: onBehalfOf,
      sets: { exchangesOnBehalf: true },

      reads: [{ at: "token", pairs: readOnBehalf }],
    },
    {
      server:
        "A refresh may ask for each scope that the client may have, such as one of another API than the login.",
      source: refreshTokens,
      sets: { widensRefresh: true },
    },
    {
      server: "At the token endpoint of version 1.0, the code of a device is `code`.",
      source: deviceOfVersion1,
      reads: [{ at: "token", pairs: readCodeOfDevice }],
    },
  ],
  differences: [
    typesKeysAsJson(openId),
    {
      server:
        "The issuer in the metadata has the placeholder `{tenantid}`. It replaces `common` or `organizations` in the path of " +
        "the issuer. In another issuer, `/{tenantid}/v2.0` follows the path. At the address of a tenant, the issuer has the " +
        "id of the tenant, also if the address has its domain or `consumers`. So it has at the tenant that ID tokens name. There " +
        "are the members that Microsoft publishes, and no others.",
      source: accessTokens,
      acts: changeMetadata(describeMetadata),
    },
    {
      server:
        "At a path without `v2.0` are those of version 1.0, whose issuer begins with `https://sts.windows.net/`.",
      source: version1,
    },
    publishesCertificates(oldKeys),
    {
      server: "Each published key names an issuer, with the same placeholder. It has no `alg`.",
      source: accessTokens,
      acts: changeKeys((keys, { issuer }) =>
        keys.map((key) => ({ ...without(key, "alg"), issuer: issuerOf(issuer, "{tenantid}") }))
      ),
    },
    {
      server:
        "An access token has the `iss`, `tid`, `nbf` and `ver` of an ID token, the client as `azp`, or `appid` in version 1.0, `oid` and `scp`. " +
        "The `sub` of an application that acts for itself is its `oid`. Its `aud` is the API of the scope, such as `shop` in `api://shop/orders`, or the `resource` of version 1.0.",
      source: accessTokenClaims,
      acts: changeClaims("access_token", describeAccess),
    },
    {
      server: "An access token for Graph has `upn`, unique_name and `amr`, too, as those of version 1.0.",
      source: commandLine,
    },
    {
      server:
        "The `iss` of an ID token names the tenant instead of the placeholder, and so does the claim `tid`. It has `nbf` and, as an access token, `uti`, `aio` and `rh`.",
      source: accessTokens,
      acts: changeClaims("id_token", (claims, tools, at) => {
        const tid = tenantOfRequest(tools, at);
        return {
          ...claims,
          iss: issuerOf(tools.issuer, tid),
          tid,
          nbf: claims["iat"],
          ...describeToken(claims),
        };
      }),
    },
    {
      server:
        "An ID token has the claim `ver` with `2.0`. With the scope `profile`, it has `name`, preferred_username, which is " +
        "the email or else the username, and `oid`, an id of the person. With the scope `email`, it has `email`.",
      source: idTokens,
      acts: changeClaims("id_token", describePerson),
    },
    {
      server:
        "An ID token of version 1.0 has `https://sts.windows.net/`, the tenant and a slash as `iss`, `ver` with `1.0`, `amr`, and `upn` " +
        "and unique_name in place of preferred_username.",
      source: idTokens,
      acts: changeClaims("id_token", describeAsBefore),
    },
    {
      server:
        "A token response of version 1.0 has `resource`, expires_on and not_before, and numbers as text.",
      source: version1,
      acts: changeTokens((members, tools, at) => {
        const { expires_in } = members;
        return answersAsVersion1(tools, at)
          ? {
            ...members,
            ...{ resource: sentIn(at).get("resource") ?? graphResource, expires_in: `${expires_in}` },
            ext_expires_in: `${expires_in}`,
            expires_on: `${Math.floor(tools.now()) + Number(expires_in)}`,
            not_before: `${Math.floor(tools.now())}`,
          }
          : { ...members, ext_expires_in: expires_in };
      }),
    },
    { server: "The token response has ext_expires_in.", source: codeFlow },
    hashesNoAccessToken(idTokens),
    {
      server:
        "Userinfo has `name`, given_name, family_name and `picture`, an address of Graph, with `profile`, and `email` with `email`, and no others.",
      source: userinfo,
      acts: changeClaims("userinfo", (claims) => "sub" in claims ? describeForUserinfo(claims) : claims),
    },
    {
      server:
        "To a request with `client_info=1`, the token response has client_info: the ids of the person and the tenant.",
      source: clientInfo,
      acts: changeTokens((members, tools, at) => {
        if (sentIn(at).get("client_info") !== "1" || at.grant === undefined) return members;
        const ids = { uid: guidFor(`person ${at.grant.subject}`), utid: tenantOfRequest(tools, at) };
        return { ...members, client_info: encodeText(JSON.stringify(ids), "base64url") };
      }),
    },
    {
      server: "At `/v1.0/me`, the scope `https://graph.microsoft.com/.default` is as good as `User.Read`.",
      source: defaultScope,
    },
    {
      server:
        "The groups of a person are those in the claim `groups`: their ids, or their names, for which there are ids here. A list of " +
        "people or groups reads `$select`, `$top`, `$count` and simple filters.",
      source: graphBeta,
    },
    {
      server: "At `/beta`, Graph answers as at `/v1.0`, without the members that only the beta has.",
      source: graphBeta,
    },
    sendsNoCompleteUri(deviceCode),
    {
      server: "The response with the codes of a device has a `message` for the person.",
      source: deviceCode,
      acts: changeJson("device_authorization", (members) => ({
        ...members,
        message:
          `To sign in, use a web browser to open the page ${
            members["verification_uri"]
          } and enter the code ` +
          `${members["user_code"]} to authenticate.`,
      })),
    },
    {
      server:
        "The response with the codes of a device of version 1.0 has verification_url in place of verification_uri, and numbers " +
        "as text.",
      source: deviceOfVersion1,
      acts: changeJson("device_authorization", (members, _tools, { exchange: { request } }) => {
        if (!beginsDeviceOfVersion1(request)) return members;
        const { verification_uri: verification_url, expires_in, interval, ...others } = members;
        return { ...others, verification_url, expires_in: `${expires_in}`, interval: `${interval}` };
      }),
    },
    {
      server: "If the person refuses the login of a device, the error is authorization_declined.",
      source: deviceCode,
      acts: changeTokenErrors((refusal, at, answer) =>
        refusal["error"] === "access_denied" && sentIn(at).has("device_code")
          ? { ...answer, body: JSON.stringify({ ...refusal, error: "authorization_declined" }) }
          : undefined
      ),
    },
    sendsNoIss(codeFlow),
    {
      server: "The authorization response has session_state after the code and the state.",
      source: davmail,
      acts: changeParams((params, _tools, { exchange }) => [
        ...params,
        ...(params.some(([name]) => name === "code")
          ? [["session_state", guidFor(`session of ${exchange.id}`)] as const]
          : []),
      ]),
    },
    {
      server: "The type of a token response names the charset.",
      source: davmail,
      acts: changeResponse(
        "token",
        (answer) => withHeaders(answer, { "content-type": "application/json; charset=utf-8" }),
      ),
    },
    refreshesOnlyOffline(codeFlow),
    {
      server: "A refresh gives a new refresh token, but the old one stays valid.",
      source: refreshTokens,
      settings: { server: { lifetimes: { refreshGrace: 86400 } } },
    },
    {
      server:
        "Errors of the addresses for tokens and devices have the members error_codes, `timestamp`, trace_id, correlation_id and error_uri, and an " +
        "error_description of several lines that begins with a code such as AADSTS70011.",
      source: errorCodes,
      acts: changeTokenErrors(describeError, ["token", "device_authorization"]),
    },
    {
      server:
        "A client that is not known is refused with unauthorized_client, the code of a device that is not known with " +
        "bad_verification_code, and a redirect_uri that is not that of the login with invalid_client.",
      source: deviceCode,
    },
    {
      server:
        "A client that acts for itself is refused with AADSTS1002012, unless its scope ends with `/.default`. A missing parameter is " +
        "AADSTS900144, and a device that the person refuses AADSTS70017.",
      source: clientCredentials,
    },
    {
      server:
        "If the person refuses, the error_description begins with AADSTS65004, and there is an error_uri. So it is with AADSTS50058 " +
        "if a request with `prompt=none` finds no login.",
      source: errorCodes,
      acts: changeParams(describeDenial),
    },
    {
      server:
        "The addresses of a tenant that is not there, for metadata, tokens and devices, answer 400 with AADSTS90002.",
      source: errorCodes,
      acts: changeAt("response", refuseTenant),
    },
    describesRefusals(
      "The errors of Microsoft Graph are an object with `code`, `message` and innerError.",
      graphErrors,
      /^https:\/\/graph\.microsoft\.com\/(?:(?:v1\.0|beta)\/|oidc\/userinfo$)/,
      describeGraphError,
    ),
    refusesUnknown(graphErrors, /^https:\/\/graph\.microsoft\.com\//, (message) => ({
      error: { code: "notImplemented", message },
    })),
    azureErrors,
  ],
  grantTypes: [passwordGrant],
  leftOut: [
    "The tokens with which the Bot Framework calls a bot, which `login.botframework.com` issues.",
    "The grant user_fic of agents, and an on-behalf-of request that needs the person, whose error is interaction_required.",
    "That a single-page application needs PKCE.",
    "The addresses of other clouds, and `login.live.com`.",
    "The consent of an administrator, at `/adminconsent`, and the empty page `/oauth2/nativeclient`.",
    "Addresses in the metadata that this look-alike does not answer.",
    "The `x5t` in the header of a token.",
    "Other paths of Azure Resource Manager than its lists of one tenant and one subscription.",
    "Other paths of Microsoft Graph, `$expand`, `$search`, other filters than `eq` and `startswith`, and photos.",
    "The address of the page where a person enters the code of a device.",
    "The `aud` of access tokens for Graph and Azure Resource Manager, which only these read.",
    "The numbers of errors for rare reasons, such as a code of another client: here, they are those of the whole class. Pages have " +
    "none, also that for a wrong redirect_uri.",
  ],
};

function listEndpoints(base: string): readonly ProviderEndpoint[] {
  return [...listEndpointsOfVersion2(base), ...listEndpointsOfVersion1(base)];
}

const configuration = "/v2.0/.well-known/openid-configuration";

function listEndpointsOfVersion2(base: string): readonly ProviderEndpoint[] {
  return [
    { url: base + configuration, is: "metadata", source: openId },
    { url: `${base}/oauth2/v2.0/authorize`, is: "authorize", source: codeFlow },
    { url: `${base}/oauth2/v2.0/token`, is: "token", source: codeFlow, wraps: requiresDefaultScope },
    { url: `${base}/discovery/v2.0/keys`, is: "jwks", source: openId },
    { url: `${base}/oauth2/v2.0/logout`, is: "logout", source: openId },
    {
      ...{ url: `${base}/oauth2/v2.0/devicecode`, is: "device_authorization", source: deviceCode },
      ...{ accepts: [untypedForm(untypedDevice)], wraps: requiresScope },
    },
  ];
}

function requiresDefaultScope(usual: Endpoint["handle"]): Endpoint["handle"] {
  return async (exchange, ...more) => {
    const form = await readForm(exchange);
    if (form.get("grant_type") === "client_credentials") {
      const received = requireParam(form, "scope");
      if (!received.split(" ").every((each) => each.endsWith(".default"))) {
        throw refusal("provider_scope_not_default", { received });
      }
    }
    return await usual(exchange, ...more);
  };
}

function listEndpointsOfVersion1(base: string): readonly ProviderEndpoint[] {
  return [
    {
      ...{ url: `${base}/.well-known/openid-configuration`, is: "metadata", isUnannounced: true },
      source: pythonLibrary,
    },
    { url: `${base}/discovery/keys`, is: "jwks", source: oldKeys, isUnannounced: true },
    { url: `${base}/oauth2/logout`, is: "logout", source: version1, isUnannounced: true },
    { url: `${base}/oauth2/authorize`, is: "authorize", source: version1 },
    { url: `${base}/oauth2/token`, is: "token", source: version1 },
    {
      ...{ url: `${base}/oauth2/devicecode`, is: "device_authorization", isUnannounced: true },
      ...{ source: deviceOfVersion1, accepts: [alsoGet(deviceOfVersion1)] },
    },
    { url: `${base}/openid/userinfo`, is: "userinfo", source: version1, isUnannounced: true },
  ];
}

/** The addresses of all tenants are below `common` and below `organizations`, and those of one are below its id. */
function otherBasesOf(base: string): readonly string[] {
  const names = ["common", "organizations"];
  const own = names.find((each) => base.endsWith(`/${each}`));
  const others = own === undefined ? [] : names.filter((each) => each !== own);
  const tenants = tenantOf(`${base}/v2.0`) === undefined ? [someTenant] : [];
  return [...others, ...tenants].map((each) => `${new URL(base).origin}/${each}`);
}

/** A library may read the metadata and the keys of all tenants, also for a program of one tenant. */
function listKeysOfAllTenants(base: string): readonly ProviderEndpoint[] {
  if (tenantOf(`${base}/v2.0`) === undefined) return [];
  return ["common", "organizations"].flatMap((name) => listEndpoints(`${new URL(base).origin}/${name}`))
    .filter(({ is }) => is === "metadata" || is === "jwks");
}

/** The addresses of personal accounts are below `consumers`, and below its id. */
function personalBasesOf(base: string): readonly string[] {
  return tenantOf(`${base}/v2.0`) === undefined
    ? ["consumers", consumers].map((each) => `${new URL(base).origin}/${each}`)
    : [];
}

/** A bot gets its token at the tenant of the Bot Framework. */
function listEndpointsOfBots(base: string): readonly ProviderEndpoint[] {
  return tenantOf(`${base}/v2.0`) === undefined
    ? listEndpointsOfVersion2(`${new URL(base).origin}/botframework.com`)
      .filter(({ is }) => ["token", "metadata", "jwks"].includes(is))
      .map((each) => ({ ...each, source: botFramework }))
    : [];
}

const clientAuthMethods = ["client_secret_post", "private_key_jwt", "client_secret_basic"];

/** Version 1.0 answers below the same paths, without `v2.0`. A server at another address than that of Microsoft has one version. */
function describeMetadata(
  metadata: Members,
  { issuer }: Tools,
  { exchange: { request: { address: { path } } } }: ActContext,
): Members {
  const [, asked = ""] = path.split("/");
  const [, own] = new URL(issuer).pathname.split("/");
  const isOfFace = issuer.endsWith("/v2.0");
  const isOld = isOfFace && !path.endsWith(configuration);
  const tenant = isOfFace ? namedIn(path) ?? "{tenantid}" : "{tenantid}";
  const id = ["common", "organizations"].includes(asked) ? "{tenantid}" : tenantOf(issuer) ?? tenant;
  const place = (url: string) => {
    const moved = isOfFace ? url.replace(`/${own}/`, `/${asked}/`) : url;
    return isOld ? moved.replace("/v2.0", "") : moved;
  };
  const addresses = Object.entries(metadata).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, place(value)]] : []
  );
  return {
    ...Object.fromEntries(addresses),
    issuer: isOld
      ? oldIssuerOf(id)
      : isOfFace
      ? `${new URL(issuer).origin}/${id}/v2.0`
      : issuerOf(issuer, tenant),
    ...present({
      userinfo_endpoint: isOld ? `${new URL(issuer).origin}/${asked}/openid/userinfo` : undefined,
    }),
    token_endpoint_auth_methods_supported: clientAuthMethods,
    response_modes_supported: ["query", "fragment", "form_post"],
    subject_types_supported: ["pairwise"],
    ...present({ id_token_signing_alg_values_supported: metadata["id_token_signing_alg_values_supported"] }),
    ...present({ response_types_supported: metadata["response_types_supported"] }),
    scopes_supported: isOld ? ["openid"] : ["openid", "profile", "email", "offline_access"],
    ...(isOld ? { microsoft_multi_refresh_token: true } : { request_uri_parameter_supported: false }),
    http_logout_supported: true,
    frontchannel_logout_supported: true,
    claims_supported: [
      ...["sub", "iss", "cloud_instance_name", "cloud_instance_host_name", "cloud_graph_host_name"],
      ...["msgraph_host", "aud", "exp", "iat", "auth_time", "acr", "nonce"],
      ...(isOld
        ? ["amr", "email", "given_name", "family_name", "nickname"]
        : ["preferred_username", "name", "tid", "ver", "at_hash", "c_hash", "email"]),
    ],
    tenant_region_scope: tenant === someTenant || tenantOf(issuer) !== undefined ? "EU" : null,
    cloud_instance_name: "microsoftonline.com",
    cloud_graph_host_name: "graph.windows.net",
    msgraph_host: "graph.microsoft.com",
    rbac_url: "https://pas.windows.net",
  };
}

function oldIssuerOf(tenantId: unknown): string {
  return `https://sts.windows.net/${tenantId}/`;
}

const issuerOfTenant = /^https:\/\/(?:[\w.-]+\/[0-9a-f-]{36}\/v2\.0|sts\.windows\.net\/[0-9a-f-]{36}\/)$/;

/** The API of a scope such as `api://shop/orders`, `shop/.default` or, in version 1.0, of a `resource`. None of Microsoft's. */
const apiScope =
  /^(?!https:\/\/(?:graph\.microsoft\.com|management\.(?:azure\.com|core\.windows\.net))\/)(?:api:\/\/)?(.+)\/([^/]*)$/;

function describeAccess(claims: Claims, tools: Tools, at: ActContext): Claims {
  const { issuer, findPerson } = tools;
  const { client_id: client, scope = "", aud } = claims;
  const tid = tenantOfRequest(tools, at);
  const isOld = answersAsVersion1(tools, at);
  const person = findPerson(at.grant?.subject ?? "");
  const oid = guidFor(`person ${person?.subject ?? client}`);
  const scopes = String(scope).split(" ");
  const ofApi = scopes.flatMap((each) => {
    const [, api, name] = apiScope.exec(each) ?? [];
    return api === undefined ? [] : [{ api: isOld ? each.slice(0, -name!.length - 1) : api, name: name! }];
  });
  const names = ofApi.length > 0 ? ofApi.map(({ name }) => name) : scopes;
  const scp = names.map((name) => name.replace(/^\.default$/, "user_impersonation").split("/").at(-1)).join(
    " ",
  );
  return {
    ...claims,
    // At its own addresses, this server goes on to check both.
    ...(issuer.endsWith("/v2.0")
      ? { iss: isOld ? oldIssuerOf(tid) : issuerOf(issuer, tid), aud: ofApi[0]?.api ?? aud }
      : {}),
    ...{ nbf: claims["iat"], ...describeToken(claims) },
    ...{ tid, ver: isOld ? "1.0" : "2.0", oid },
    ...(isOld ? { appid: client, appidacr: "1" } : { azp: client, azpacr: "1" }),
    ...(person === undefined ? { sub: oid } : {
      scp,
      name: person.claims["name"] ?? person.username,
      ...present({ preferred_username: isOld ? undefined : principalNameOf(person) }),
      ...(isOld || ofApi.length === 0 ? nameAsBefore(person, claims) : {}),
    }),
  };
}

/** The id of a token, and what only Microsoft reads. */
function describeToken({ jti }: Claims): Claims {
  const opaque = encodeText(`opaque ${jti}`, "base64url");
  return { aio: opaque, rh: `0.${opaque}.`, uti: jti };
}

/** The photo of a person is at Microsoft Graph. */
function describeForUserinfo(claims: Claims): Claims {
  const picture = claims["name"] === undefined ? undefined : `${graphResource}/v1.0/me/photo/$value`;
  return {
    ...giveOnly(["name", "given_name", "family_name", "email"], claims),
    ...present({ picture }),
  };
}

function isVersion1({ address }: Pick<IncomingRequest, "address">): boolean {
  return /\/oauth2\/(?:authorize|token)$/.test(address.path);
}

/** The server's own addresses end in the same way, and have no version. */
function answersAsVersion1({ issuer }: Tools, { exchange }: ActContext): boolean {
  return issuer.endsWith("/v2.0") && isVersion1(exchange.request);
}

/** Version 1.0 gives what the application is registered for: here, the profile of the person. */
function readResource(sent: readonly Pair[], request: IncomingRequest): readonly Pair[] {
  if (!isVersion1(request)) return sent;
  const grantType = sent.find(([name]) => name === "grant_type")?.[1];
  const isForItself = grantType === "client_credentials";
  const named = sent.find(([name]) => name === "resource")?.[1];
  const refreshes = grantType === "refresh_token" && named !== undefined;
  const asks = isForItself || refreshes || isOnBehalf(sent) || request.address.path.endsWith("/authorize");
  const resource = named ?? graphResource;
  const ofResource = resource === graphResource ? [] : [`${resource}/user_impersonation`];
  const scope = isForItself
    ? ofResource[0] ?? allPermissions[0]!
    : [registeredScope, ...ofResource].join(" ");
  return [
    ...sent.filter(([name]) => name !== "resource" && name !== "scope"),
    ...(asks ? [["scope", scope]] as const : []),
  ];
}

function describeAsBefore(claims: Claims, tools: Tools, at: ActContext): Claims {
  const person = tools.findPerson(at.grant?.subject ?? "");
  if (!answersAsVersion1(tools, at) || person === undefined) return claims;
  return {
    ...without(claims, "preferred_username"),
    ...nameAsBefore(person, claims),
    ...{ iss: oldIssuerOf(claims["tid"]), ver: "1.0" },
  };
}

function nameAsBefore(
  person: Pick<Person, "username" | "claims">,
  { acr = "1", amr = ["pwd"] }: Claims,
): Claims {
  const { given_name, family_name } = person.claims;
  const upn = principalNameOf(person);
  return { ...present({ given_name, family_name }), acr, amr, upn, unique_name: upn };
}

function readUserRead(sent: readonly Pair[]): readonly Pair[] {
  return sent.map(([name, value]) => [
    name,
    name === "scope"
      ? value.replace(/(?<=^| |https:\/\/graph\.microsoft\.com\/)user\.read(?= |$)/gi, userRead)
      : value,
  ]);
}

const registeredScope = `openid profile email offline_access ${userRead}`;

function beginsDeviceOfVersion1({ address }: Pick<IncomingRequest, "address">): boolean {
  return address.path.endsWith("/oauth2/devicecode");
}

function readResourceOfDevice(sent: readonly Pair[], request: IncomingRequest): readonly Pair[] {
  if (!beginsDeviceOfVersion1(request)) return sent;
  return [
    ...sent.filter(([name]) => name !== "resource" && name !== "scope"),
    ["scope", registeredScope],
  ];
}

function readCodeOfDevice(sent: readonly Pair[], request: IncomingRequest): readonly Pair[] {
  const isOfDevice = sent.some(([name, value]) => name === "grant_type" && value === deviceGrantType);
  return isVersion1(request) && isOfDevice
    ? sent.map(([name, value]) => [name === "code" ? "device_code" : name, value])
    : sent;
}

/** The token exchange of this server has other names for the same. */
function readOnBehalf(sent: readonly Pair[]): readonly Pair[] {
  if (!isOnBehalf(sent)) return sent;
  const renamed = new Map([["assertion", "subject_token"], ["requested_token_use", "subject_token_type"]]);
  const values = new Map([["grant_type", exchangeGrant], ["requested_token_use", accessTokenType]]);
  return sent.map(([name, value]) => [renamed.get(name) ?? name, values.get(name) ?? value]);
}

function isOnBehalf(sent: readonly Pair[]): boolean {
  return sent.some(([name, value]) => name === "requested_token_use" && value === "on_behalf_of");
}

const exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";
const accessTokenType = "urn:ietf:params:oauth:token-type:access_token";

/** The libraries of Microsoft ask which cloud the host belongs to. */
function describeInstance(base: string): Answer {
  const { host } = new URL(base);
  return json({
    "tenant_discovery_endpoint": `${base}/v2.0/.well-known/openid-configuration`,
    "api-version": "1.1",
    "metadata": [{ preferred_network: host, preferred_cache: host, aliases: [host] }],
  });
}

/** MSAL asks who has the passwords of a person's domain: the provider itself. */
function describeRealm({ request: { address } }: Exchange): Answer {
  const [, domain = "shop.onmicrosoft.com"] = address.path.split(/@|%40/);
  return json({
    ...{ ver: "1.0", account_type: "Managed", domain_name: domain },
    ...{ cloud_instance_name: "microsoftonline.com", cloud_audience_urn: "urn:federation:MicrosoftOnline" },
  });
}

const someTenant = "8d3c2a10-5f6e-4b7a-9c1d-2e4f6a8b0c1d";

/** The tenant of all personal accounts. */
const consumers = "9188040d-6c67-4c5b-b112-36a304b66dad";

/** The tenant of the Bot Framework. */
const bots = "d6d49420-f39b-4df7-a1dc-d59a935871db";

const single =
  /(?<=[^/])\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|consumers|[\w-]+(?:\.[\w-]+)+)(?=\/v2\.0$)/i;

/** Returns the id of the tenant that the issuer names. An invented one stands for a domain. */
function tenantOf(issuer: string): string | undefined {
  const name = single.exec(issuer)?.[1];
  if (name === "consumers") return consumers;
  return name?.includes(".") ? someTenant : name;
}

/** Returns the id of the tenant that the path names beside those of all tenants. */
function namedIn(path: string): string | undefined {
  const name = path.split("/")[1];
  return name === "consumers"
    ? consumers
    : name === "botframework.com"
    ? bots
    : [someTenant, consumers].find((each) => each === name);
}

function tenantOfRequest({ issuer }: Tools, { exchange: { request: { address } } }: ActContext): string {
  return tenantOf(issuer) ?? (issuer.endsWith("/v2.0") ? namedIn(address.path) : undefined) ?? someTenant;
}

function issuerOf(issuer: string, tenantId: string): string {
  const general = /\/(?:common|organizations)(?=\/|$)/;
  const named = tenantOf(issuer);
  if (named !== undefined) return issuer.replace(single, `/${named}`);
  return general.test(issuer)
    ? issuer.replace(general, `/${tenantId}`)
    : `${issuer.replace(/\/$/, "")}/${tenantId}/v2.0`;
}

function describePerson(claims: Claims, { findPerson }: Tools, { grant }: ActContext): Claims {
  const { subject = "", scope = [] } = grant ?? {};
  const person = findPerson(subject);
  if (person === undefined) return { ...claims, ver: "2.0" };
  const names = [
    ...(scope.includes("profile") ? ["name"] : []),
    ...(scope.includes("email") ? ["email"] : []),
  ];
  const ofProfile = scope.includes("profile")
    ? { preferred_username: principalNameOf(person), oid: guidFor(`person ${subject}`) }
    : {};
  return { ...selectClaims(person, names), ...claims, ver: "2.0", ...ofProfile };
}

/** The number, and the error and the suberror that differ from those of this server. */
type EntraRefusal = readonly [number: number, error?: string, suberror?: string];

/** By the reason of this server. */
const refusalsOfReasons: Readonly<Record<string, EntraRefusal>> = {
  exchanged_unknown: [50013, "invalid_grant"],
  on_behalf_of_other_audience: [500131],
  exchanged_ended: [500133, "invalid_grant"],
  exchanged_at_its_end: [500133, "invalid_grant"],
  on_behalf_of_without_consent: [65001, "invalid_grant", "consent_required"],
  scope_not_granted: [65001, "invalid_grant", "consent_required"],
  provider_password_wrong: [50126],
  provider_password_not_enough: [50076],
  client_unknown: [700016, "unauthorized_client"],
  provider_scope_not_default: [1002012],
  public_client_sent_secret: [700025],
  method_not_allowed: [900561],
  secret_wrong: [7000215],
  secret_missing: [7000218],
  secret_expired: [7000222],
  assertion_signature: [700027],
  assertion_expired: [700024],
  code_unknown: [9002313],
  code_replayed: [54005],
  code_expired: [70008],
  redirect_uri_differs: [500112, "invalid_client"],
  verifier_missing: [50148],
  verifier_wrong: [501481],
  refresh_unknown: [9002313],
  refresh_expired: [700082, "invalid_grant", "bad_token"],
  refresh_revoked: [50173],
  refresh_grant_ended: [50173],
  device_login_pending: [70016],
  device_login_denied: [70017],
  device_code_expired: [70020],
  device_code_unknown: [70018, "bad_verification_code"],
  device_code_used: [54005],
};

/** Of the refusals that are left, by their error. */
const errorNumbers: Readonly<Record<string, number>> = {
  invalid_grant: 70000,
  unauthorized_client: 70001,
  invalid_client: 70002,
  unsupported_grant_type: 70003,
  invalid_scope: 70011,
  invalid_request: 9002313,
  slow_down: 70016,
};

const authorizationNumbers: Readonly<Record<string, number>> = {
  access_denied: 65004,
  login_required: 50058,
  consent_required: 65001,
  unsupported_response_type: 70005,
  invalid_request: 9002313,
};

/** The words of Microsoft that people search for. Other refusals have those of this server. */
const words: Readonly<Record<number, string>> = {
  50126: "Error validating credentials due to invalid username or password.",
  54005:
    "OAuth2 Authorization code was already redeemed, please retry with a new valid code or use an existing refresh token.",
  65004: "User declined to consent to access the app.",
  70008:
    "The provided authorization code or refresh token has expired due to inactivity. Send a new interactive " +
    "authorization request for this user and resource.",
  501481: "The Code_Verifier does not match the code_challenge supplied in the authorization request.",
  7000215:
    "Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not " +
    "the client secret ID, for a secret added to the app.",
  7000218: "The request body must contain the following parameter: 'client_assertion' or 'client_secret'.",
};

/** Returns the members that a refusal has besides `error`. */
function describeNumber(number: number, description: unknown, id: string, { now }: Tools): Members {
  const [traceId, correlationId] = [guidFor(`trace ${id}`), guidFor(`correlation ${id}`)];
  const timestamp = new Date(now() * 1000).toISOString().replace(/T(.{8}).*/, " $1Z");
  const lines = [
    `AADSTS${number}: ${words[number] ?? description}`,
    `Trace ID: ${traceId}`,
    `Correlation ID: ${correlationId}`,
    `Timestamp: ${timestamp}`,
  ];
  return {
    error_description: lines.join("\r\n"),
    error_codes: [number],
    timestamp,
    trace_id: traceId,
    correlation_id: correlationId,
    error_uri: `https://login.microsoftonline.com/error?code=${number}`,
  };
}

function describeDenial(
  params: readonly Pair[],
  tools: Tools,
  { exchange: { id } }: ActContext,
): readonly Pair[] {
  const { error = "", error_description: description } = Object.fromEntries(params);
  const number = authorizationNumbers[error];
  if (number === undefined) return params;
  const { error_description, error_uri } = describeNumber(number, description, id, tools);
  return setParam(setParam(params, "error_description", `${error_description}`), "error_uri", `${error_uri}`);
}

/** A tenant that this look-alike does not have. The hint of this server says how it would have it. */
function refuseTenant(
  answer: Answer,
  tools: Tools,
  { exchange: { id, facts, request } }: ActContext,
): Answer {
  const { path } = request.address;
  const isMetadata = path.endsWith("/.well-known/openid-configuration");
  const isOfTenant =
    /^\/[^/]+\/(?:oauth2\/(?:v2\.0\/)?(?:token|devicecode)|(?:v2\.0\/)?\.well-known\/openid-configuration)$/
      .test(path);
  if (facts.refusal?.reason !== "provider_path_unknown" || !isOfTenant) return answer;
  const description = `Tenant '${path.split("/")[1]}' not found. ${facts.refusal.description}`;
  return withJson({ ...answer, status: 400 }, {
    error: isMetadata ? "invalid_tenant" : "invalid_request",
    ...describeNumber(90002, description, id, tools),
  });
}

function describeError(
  refusal: Members,
  at: ActContext,
  answer: Answer,
  tools: Tools,
): Answer | undefined {
  const { id, facts } = at.exchange;
  const missing = nameMissing(at);
  const description = missing === undefined
    ? refusal["error_description"]
    : `The request body must contain the following parameter: '${missing}'.`;
  const [number = errorNumbers[String(refusal["error"])], error = refusal["error"], suberror] =
    missing === undefined ? refusalsOfReasons[facts.refusal?.reason ?? ""] ?? [] : [900144];
  if (number === undefined) return undefined;
  const { "www-authenticate": _, ...headers } = answer.headers;
  const body = JSON.stringify({
    ...refusal,
    ...present({ error, suberror }),
    ...describeNumber(number, description, id, tools),
  });
  return error === "unauthorized_client" ? { ...answer, headers, status: 400, body } : { ...answer, body };
}
