/** Google, as it answers web server applications. */

import { textOf } from "../../../ground/http/body.ts";
import { type Answer, withHeaders } from "../../../ground/http/message.ts";
import type { Pair } from "../../../ground/http/form.ts";
import type { Members } from "../../../ground/values/members.ts";
import { parseJsonObject } from "../../../ground/schema/json_object.ts";
import type { Endpoint } from "../../../server/oauth/contracts/feature.ts";
import { isLoopbackUri } from "../../../server/oauth/clients/metadata/redirect_uri.ts";
import { without } from "../../../server/oauth/contracts/seams.ts";
import {
  changeAt,
  changeClaims,
  changeParams,
  changeText,
  changeTokens,
  deviceGrantType,
  readGrantType,
} from "../changes.ts";
import type { ActContext, Acts, Tools } from "../misbehaviour.ts";
import {
  alsoGet,
  changeTokenErrors,
  describesRefusals,
  forCodes,
  forgoesPkce,
  forRefreshTokens,
  ignoresScopeOfCode,
  json,
  keepsRefreshToken,
  multipart,
  nameMissing,
  parametersInQuery,
  publishesMetadata,
  readsScope,
  refusesByReason,
  refusesUnknown,
  remembersConsent,
  requiresScope,
  revokesGrants,
  sameSecretTwice,
  secretEitherWay,
  sentIn,
  tokenInQuery,
  typesKeysAsJson,
  withJson,
} from "./differences.ts";
import { describeGooglePerson, personScopes } from "./google_people.ts";
import { listDirectoryEndpoints } from "./google_directory.ts";
import {
  describeAccount,
  describeAccountAsBefore,
  describeGoogleUser,
  describeProfile,
  describeToken,
  describeTokenAsBefore,
  revokesValid,
  shortenScope,
  showScope,
} from "./google_answers.ts";
import { listCertificates } from "./certificates.ts";
import { federationLax, listFederationEndpoints } from "./google_federation.ts";
import { redeemsAssertion } from "./google_service_account.ts";
import { signsBrowserOut } from "./browser_sign_out.ts";
import { type LookAlike, pagesOf } from "./look_alike.ts";

const page = pagesOf("https://developers.google.com/identity/");
const apiErrors = page("AIP-193, Errors", "https://google.aip.dev/193");
const invalidCredentials = page(
  "react-native-google-signin, whose reports have this answer",
  "https://github.com/react-native-google-signin/google-signin/issues/1087",
);
const invalidCredentialsBefore = page(
  "laravel-passport-social-grant, whose reports have this answer",
  "https://github.com/coderello/laravel-passport-social-grant/issues/22",
);
const webServer = page("Using OAuth 2.0 for Web Server Applications", "protocols/oauth2/web-server");
const tameOauth = page(
  "tame-oauth, which signs so",
  "https://github.com/EmbarkStudios/tame-oauth/blob/main/src/jwt.rs",
);
const openId = page("OpenID Connect", "openid-connect/openid-connect");
const configuration = page(
  "The OpenID configuration of Google",
  "https://accounts.google.com/.well-known/openid-configuration",
);
const verifying = page(
  "Verify the Google ID token on your server side",
  "gsi/web/guides/verify-google-id-token",
);
const tokenTypes = page("Token types", "https://cloud.google.com/docs/authentication/token-types");
const service = page(
  "Google OAuth2 API, version 2, in the discovery document of the API",
  "https://www.googleapis.com/discovery/v1/apis/oauth2/v2/rest",
);
const people = page(
  "People API, people.get",
  "https://developers.google.com/people/api/rest/v1/people/get",
);
const directoryBefore = page(
  "oauthenticator, whose class for Google asks there",
  "https://github.com/jupyterhub/oauthenticator/blob/main/oauthenticator/google.py",
);
const limitedInput = page(
  "OAuth 2.0 for TV and Limited-Input Device Applications",
  "protocols/oauth2/limited-input-device",
);
const nativeApps = page("OAuth 2.0 for iOS & Desktop Apps", "protocols/oauth2/native-app");
const serviceAccounts = page(
  "Using OAuth 2.0 for Server to Server Applications",
  "protocols/oauth2/service-account",
);
const clientSecrets = page(
  "Client Secrets",
  "https://googleapis.github.io/google-api-python-client/docs/client-secrets.html",
);
const rustLibrary = page(
  "google-cloud-auth, the library of Google for Rust, which refreshes so",
  "https://github.com/googleapis/google-cloud-rust/blob/main/src/auth/src/credentials/user_account.rs",
);
const windowsSamples = page(
  "OAuth for Apps: Samples for Windows",
  "https://github.com/googlesamples/oauth-apps-for-windows",
);
const deviceAccess = page(
  "Device Access, Authorize an Account",
  "https://developers.google.com/nest/device-access/authorize",
);
const pydrive = page(
  "PyDrive2, whose Refresh sends the access token, too",
  "https://github.com/iterative/PyDrive2/blob/main/pydrive2/auth.py",
);

const flaskDance = page(
  "The documentation of Flask-Dance, whose session sends its token with the revocation, too",
  "https://flask-dance.readthedocs.io/en/latest/logout.html",
);

const oauth2client = page(
  "oauth2client, whose login of a device redeems so",
  "https://github.com/googleapis/oauth2client/blob/master/oauth2client/client.py",
);

const otherRedirectUri = page(
  "The library of Google for Node, whose reports have this error of getToken",
  "https://github.com/googleapis/google-api-nodejs-client/issues/3013",
);
const endedRefresh = page(
  "youtubeuploader, whose reports have this answer",
  "https://github.com/porjo/youtubeuploader/issues/181",
);

const libcloud = page(
  "Apache Libcloud, which compares the state as it was sent",
  "https://github.com/apache/libcloud/blob/trunk/libcloud/common/google.py",
);
const malformedCode = page(
  "Google Lookup for Obsidian, whose reports have this answer",
  "https://github.com/ntawileh/obsidian-google-lookup/issues/69",
);
const unknownClient = page(
  "Email OAuth 2.0 Proxy, whose reports have this answer",
  "https://github.com/simonrob/email-oauth2-proxy/issues/362",
);
const missingSecret = page(
  "browserslist-ga, whose reports have this answer",
  "https://github.com/browserslist/browserslist-ga/issues/12",
);

const ytmusic = page(
  "ytmusicapi, whose login of a device begins there",
  "https://github.com/sigma67/ytmusicapi/blob/main/ytmusicapi/constants.py",
);

const vertx = page(
  "Vert.x, whose class GoogleAuth has this address built in",
  "https://github.com/eclipse-vertx/vertx-auth",
);

const pac4jGoogle = page(
  "pac4j, whose central logout sends the browser there",
  "https://github.com/pac4j/pac4j/blob/master/pac4j-core/src/main/java/org/pac4j/core/logout/GoogleLogoutActionBuilder.java",
);

const firebaseTools = page(
  "firebase-tools, the command line of Firebase, which redeems and refreshes so",
  "https://github.com/firebase/firebase-tools/blob/main/src/auth.ts",
);

const flaskScopes = page(
  "Flask-Dance, whose reports have these scopes",
  "https://github.com/singingwolfboy/flask-dance/issues/148",
);
const missingClient = page(
  "AppAuth for iOS, whose reports have this answer",
  "https://github.com/openid/AppAuth-iOS/issues/226",
);

const apis = "https://www.googleapis.com";

const tokenInfos = [
  ["https://oauth2.googleapis.com/tokeninfo", tokenTypes, describeToken],
  ["https://www.googleapis.com/oauth2/v3/tokeninfo", tokenTypes, describeToken],
  ["https://www.googleapis.com/oauth2/v2/tokeninfo", service, describeTokenAsBefore],
  ["https://www.googleapis.com/oauth2/v1/tokeninfo", service, describeTokenAsBefore],
  ["https://accounts.google.com/o/oauth2/tokeninfo", vertx, describeTokenAsBefore],
] as const;

const elysia = page(
  "@bogeychan/elysia-oauth2, which redeems a code so",
  "https://github.com/bogeychan/elysia-oauth2/blob/main/src/index.ts",
);

export const google: LookAlike = {
  addresses: (host) => ({
    issuer: `https://${host}`,
    // A person or a group of the Directory API, and a member of the group. The email of a service account.
    optionalInPath:
      /(?<=^\/admin\/directory\/v1\/(?:users|groups)\/)[^/]+(?:$|\/(?=members|hasMember))|(?<=\/(?:members|hasMember)\/)[^/]+$|(?<=^\/v1\/projects\/)\d+$|(?<=^\/v1\/projects\/-\/serviceAccounts\/)[^/:]+(?=:\w+$)/g,
    aliases: { "https://admin.googleapis.com": apis },
    endpoints: [
      { url: `https://${host}/.well-known/openid-configuration`, is: "metadata", source: openId },
      { url: `https://${host}/o/oauth2/v2/auth`, is: "authorize", source: openId },
      signsBrowserOut(`https://${host}/Logout`, pac4jGoogle),
      {
        url: "https://oauth2.googleapis.com/token",
        is: "token",
        source: openId,
        accepts: [json(rustLibrary), parametersInQuery(deviceAccess)],
        wraps: redeemsAssertion,
      },
      {
        url: "https://oauth2.googleapis.com/revoke",
        is: "revoke",
        source: openId,
        accepts: [parametersInQuery(webServer), alsoGet(webServer)],
        wraps: revokesValid,
      },
      ...([
        ["https://oauth2.googleapis.com/device/code", limitedInput],
        ["https://www.youtube.com/o/oauth2/device/code", ytmusic],
      ] as const).map(([url, source]) => ({
        ...{ url, is: "device_authorization", source, wraps: renameDeviceAddress } as const,
      })),
      {
        url: "https://openidconnect.googleapis.com/v1/userinfo",
        is: "userinfo",
        source: openId,
        accepts: [tokenInQuery(webServer)],
        isAnnounced: true,
        shows: describeProfile,
        showsClient: describeAccount,
      },
      { url: "https://www.googleapis.com/oauth2/v3/certs", is: "jwks", source: openId },
      {
        url: "https://www.googleapis.com/oauth2/v1/certs",
        is: "jwks",
        source: verifying,
        answer: listCertificates,
      },
      ...tokenInfos.flatMap(([url, source, answer]) =>
        (["GET", "POST"] as const).map((
          method,
        ) => ({ url, method, is: "introspect", source, answer } as const))
      ),
      ...["oauth2/v1/userinfo", "oauth2/v2/userinfo", "userinfo/v2/me"].map((path) => ({
        ...{ url: `https://www.googleapis.com/${path}`, is: "userinfo", source: service } as const,
        ...{ accepts: [tokenInQuery(webServer)], shows: describeGoogleUser },
        showsClient: describeAccountAsBefore,
      })),
      {
        url: "https://people.googleapis.com/v1/people/me",
        is: "userinfo",
        source: people,
        accepts: [tokenInQuery(webServer)],
        scopes: personScopes,
        shows: describeGooglePerson,
      },
      ...listDirectoryEndpoints(),
      ...listFederationEndpoints(),
      // Earlier addresses, which many libraries have built in.
      { url: `https://${host}/o/oauth2/auth`, is: "authorize", source: clientSecrets },
      ...([
        [`https://${host}/o/oauth2/token`, clientSecrets, [multipart(firebaseTools)]],
        ["https://www.googleapis.com/oauth2/v4/token", windowsSamples, []],
        ["https://www.googleapis.com/oauth2/v3/token", windowsSamples, [multipart(firebaseTools)]],
      ] as const).map(([url, source, more]) => ({
        ...{ url, is: "token", source, accepts: [parametersInQuery(deviceAccess), ...more] } as const,
        wraps: redeemsAssertion,
      })),
      {
        url: "https://www.googleapis.com/oauth2/v3/userinfo",
        is: "userinfo",
        source: windowsSamples,
        accepts: [tokenInQuery(webServer)],
        shows: describeProfile,
        showsClient: describeAccount,
      },
      {
        url: `https://${host}/o/oauth2/revoke`,
        is: "revoke",
        source: clientSecrets,
        accepts: [parametersInQuery(webServer), alsoGet(webServer)],
        wraps: revokesValid,
      },
    ],
  }),
  lax: [
    forgoesPkce(webServer),
    remembersConsent(webServer),
    secretEitherWay(configuration),
    sameSecretTwice(elysia),
    ignoresScopeOfCode(webServer),
    readsScope(
      "The scopes `email` and `profile` may also be named by their URLs.",
      flaskScopes,
      shortenScope,
    ),
    ...federationLax,
    {
      server: "The host of the Directory API may be `www.googleapis.com`.",
      source: directoryBefore,
    },
    {
      server:
        "The grant_type of a device may be `http://oauth.net/grant_type/device/1.0`, with the code of the device as `code`.",
      source: oauth2client,
      reads: [{ at: "token", pairs: readEarlierDevice }],
    },
    {
      server: "A revocation needs no client.",
      source: webServer,
      sets: { revokesWithoutClient: true },
    },
    {
      server: "A token request may have an access token as Bearer, too, which changes nothing.",
      source: pydrive,
      sets: { ignoresBearer: "grant_type" },
    },
    {
      server: "A revocation may have an access token as Bearer, which changes nothing.",
      source: flaskDance,
    },
    revokesGrants(webServer),
    {
      server:
        "A service account is a client that is configured with its public key. It signs a JWT that names a scope, or the " +
        "audience of an ID token, and needs no other permission to act for a person. It gets no refresh token.",
      source: serviceAccounts,
    },
    {
      server: "The signature of such a JWT may be base64 of the usual alphabet.",
      source: tameOauth,
    },
    {
      server: "A client with a secret begins a device login without it, and sends it in the token request.",
      source: limitedInput,
      sets: { deviceWithoutSecret: "begin" },
    },
  ],
  differences: [
    {
      server: "In the parameters of a redirect, a space is `%20`.",
      source: libcloud,
      acts: changeAt("response", writeSpaces),
    },
    {
      server:
        "The revocation of a token that is not valid, or not any more, is refused with 400 and invalid_token.",
      source: webServer,
    },
    typesKeysAsJson(openId),
    refusesUnknown(
      apiErrors,
      /^https:\/\/(?:admin|cloudresourcemanager|iamcredentials|people|www)\.googleapis\.com\//,
      (message) => ({
        error: { code: 501, message, status: "UNIMPLEMENTED" },
      }),
    ),
    {
      server:
        "The authorization response has `scope`, `authuser` and `prompt` after the code, and `hd` if the person has that claim.",
      source: openId,
      acts: changeParams(describeConsent),
    },
    {
      server: "In a token response and at tokeninfo, the scopes `email` and `profile` are URLs.",
      source: flaskScopes,
      acts: changeTokens((members) => changeText(members, "scope", showScope)),
    },
    describesRefusals(
      "The errors of the APIs are an object with `code`, `message` and `status`, also without a token. Those of older APIs have `errors`, too.",
      apiErrors,
      /^https:\/\/(?:(?:admin|cloudresourcemanager|iamcredentials|people)\.googleapis\.com\/|www\.googleapis\.com\/(?:admin|oauth2\/v[12]\/userinfo|userinfo)\b)/,
      describeApiError,
    ),
    describesRefusals(
      "Userinfo answers a wrong token with `invalid_request` and `Invalid Credentials`. The look-alike also answers so without a token.",
      invalidCredentials,
      /^https:\/\/openidconnect\.googleapis\.com\/v1\/userinfo$/,
      describeWrongToken,
    ),
    describesRefusals(
      "The earlier address `/oauth2/v3/userinfo` answers a wrong token in the same way.",
      invalidCredentialsBefore,
      /^https:\/\/www\.googleapis\.com\/oauth2\/v3\/userinfo$/,
      describeWrongToken,
    ),
    {
      server:
        "A code gives a refresh token only if the authorization request has `access_type=offline`, and only the first " +
        "time that this client redeems a code for this person. With `prompt=consent` it gives one each time, and so it does " +
        "with `approval_prompt=force`, which libraries of before send.",
      source: webServer,
      acts: refreshTokenAtFirst,
    },
    {
      server:
        "An installed application gets a refresh token each time, without access_type. Here, that is one whose redirect URI " +
        "has no path on this machine, such as `http://localhost:8085/`, or has the scheme of an app.",
      source: nativeApps,
    },
    {
      server:
        "While the login of a device is pending, the error has the status 428. That the person refuses or the device asks " +
        "too often has 403.",
      source: limitedInput,
      acts: changeTokenErrors(({ error }, _at, answer) => {
        const status = deviceStatuses[String(error)];
        return status === undefined ? undefined : { ...answer, status };
      }),
    },
    refusesByReason(
      "A redirect_uri that is not that of the login is refused with redirect_uri_mismatch.",
      otherRedirectUri,
      ["token"],
      { redirect_uri_differs: ["redirect_uri_mismatch", "Bad Request"] },
    ),
    refusesByReason(
      "A code that Google does not know is refused with `Malformed auth code.`, and another one of no use with `Bad Request`. A wrong " +
        "code_verifier is `Invalid code verifier.`",
      malformedCode,
      ["token"],
      {
        ...forCodes(["invalid_grant", "Bad Request"]),
        code_unknown: ["invalid_grant", "Malformed auth code."],
        verifier_missing: ["invalid_grant", "Missing code verifier."],
        verifier_wrong: ["invalid_grant", "Invalid code verifier."],
      },
    ),
    {
      server: "A missing parameter is refused with `Missing required parameter: code`.",
      source: missingClient,
      acts: changeTokenErrors((_refusal, at, answer) => {
        const name = nameMissing(at);
        if (name === undefined) return undefined;
        const error_description = name === "client_id"
          ? "Could not determine client ID from request."
          : `Missing required parameter: ${name}`;
        return withJson(answer, { error: "invalid_request", error_description });
      }, ["token", "device_authorization"]),
    },
    refusesByReason(
      "A client that is not known is refused with `The OAuth client was not found.`, and a wrong secret with `Unauthorized`.",
      unknownClient,
      ["token", "device_authorization"],
      {
        client_unknown: ["invalid_client", "The OAuth client was not found.", 401],
        secret_wrong: ["invalid_client", "Unauthorized", 401],
      },
    ),
    refusesByReason(
      "Without the secret of the client, the error is invalid_request, with `client_secret is missing.`",
      missingSecret,
      ["token"],
      { secret_missing: ["invalid_request", "client_secret is missing."] },
    ),
    refusesByReason(
      "A refresh token that has ended is refused with `Token has been expired or revoked.`",
      endedRefresh,
      ["token"],
      forRefreshTokens(["invalid_grant", "Token has been expired or revoked."]),
    ),
    keepsRefreshToken(webServer),
    {
      server:
        "At the address for devices, the response has verification_url, and neither verification_uri nor " +
        "verification_uri_complete.",
      source: limitedInput,
    },
    {
      server:
        "ID tokens and userinfo have the claims that Google names: `name`, given_name, family_name and `picture` with " +
        "`profile`, `email` and email_verified with `email`, `hd` if the person has it, and no others.",
      source: openId,
      acts: changeClaims("id_token", (claims, { findPerson }, { grant }) => {
        const person = findPerson(grant?.subject ?? "");
        const named = { ...claims, azp: claims["aud"] };
        return person === undefined ? named : { ...describeProfile(person, grant!.scope), ...named };
      }),
    },
    { server: "An ID token has the claim `azp`, which is the client.", source: openId },
    publishesMetadata(configuration, {
      subject_types_supported: ["public"],
      grant_types_supported: [
        ...["authorization_code", "refresh_token", deviceGrantType],
        "urn:ietf:params:oauth:grant-type:jwt-bearer",
      ],
      scopes_supported: ["openid", "email", "profile"],
      token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
      claims_supported: [
        ...["aud", "email", "email_verified", "exp", "family_name", "given_name", "iat", "iss", "name"],
        ...["picture", "sub"],
      ],
    }, [
      "code_challenge_methods_supported",
      "authorization_response_iss_parameter_supported",
    ]),
  ],
  leftOut: [
    "Bodies in gzip, which the generated clients for Java send with a POST: call `setDisableGZipContent(true)`.",
    "The address of the page where a person enters the code of a device.",
    "Other addresses of the Directory API, and pages of its lists.",
    "signJwt and signBlob of service accounts, which workloads may act as which one, and the metadata server.",
    "Subject tokens of AWS and SAML. Here, the JWT of a workload is of an issuer in `trust`.",
    "The tokens of Firebase, which other issuers sign.",
    "The script of Google Identity Services, `accounts.google.com/gsi/client`, and the libraries for pages that load it.",
    "The scope `openid`, which Google adds to `email` or `profile`.",
    "The `iss` without `https://` in ID tokens, which Google sends to older applications only, and the OpenID Connect of " +
    "social-auth-core expects.",
  ],
};

const errorStatuses: Readonly<Record<number, readonly [status: string, reason: string]>> = {
  400: ["INVALID_ARGUMENT", "badRequest"],
  401: ["UNAUTHENTICATED", "authError"],
  403: ["PERMISSION_DENIED", "insufficientPermissions"],
  404: ["NOT_FOUND", "notFound"],
};

/** The APIs that were at one host have a list of errors, too. */
function describeApiError(
  { status: code }: Answer,
  { exchange: { facts, request } }: ActContext,
): Members | undefined {
  const [status, reason] = errorStatuses[code] ?? [];
  if (status === undefined) return undefined;
  const message = facts.refusal?.description ?? "The request failed";
  const place = code === 401 ? { location: "Authorization", locationType: "header" } : {};
  const errors = /\/\/(?:www|admin)\./.test(request.address.origin)
    ? { errors: [{ message, domain: "global", reason, ...place }] }
    : {};
  return { error: { code, message, ...errors, status } };
}

/** What the person has agreed to, by short names and by URLs, and by which of the accounts of the browser. */
function describeConsent(
  params: readonly Pair[],
  { findPerson }: Tools,
  { exchange: { facts: { scope = [], subject = "" } } }: ActContext,
): readonly Pair[] {
  if (!params.some(([name]) => name === "code")) return params;
  const { hd } = findPerson(subject)?.claims ?? {};
  return [
    ...params,
    ["scope", [...new Set([...scope, ...scope.map(showScope)])].join(" ")],
    ["authuser", "0"],
    ...(typeof hd === "string" ? [["hd", hd]] as const : []),
    ["prompt", "consent"],
  ];
}

function describeWrongToken({ status }: Answer): Members | undefined {
  return status === 401 ? { error: "invalid_request", error_description: "Invalid Credentials" } : undefined;
}

const deviceStatuses: Readonly<Record<string, number>> = {
  authorization_pending: 428,
  slow_down: 403,
  access_denied: 403,
};

function readEarlierDevice(sent: readonly Pair[]): readonly Pair[] {
  const isEarlier = ([name, value]: Pair) =>
    name === "grant_type" && value === "http://oauth.net/grant_type/device/1.0";
  if (!sent.some(isEarlier)) return sent;
  return sent.map((pair) =>
    isEarlier(pair)
      ? ["grant_type", deviceGrantType]
      : [pair[0] === "code" ? "device_code" : pair[0], pair[1]]
  );
}

/** The server does not know which kind of application a client is, so its redirect URI says so. */
function isInstalled(at: ActContext): boolean {
  const uri = sentIn(at).get("redirect_uri") ?? "";
  return isLoopbackUri(uri) ? /^http:\/\/[^/]+\/?$/.test(uri) : /^(?!https?:)[a-z][\w+.-]*:/i.test(uri);
}

// Requests that never lead to a token are forgotten after this many newer ones.
const mostRequests = 1000;

function refreshTokenAtFirst(): Acts {
  /** The authorization requests for offline access, by their flow, and whether they have prompt=consent. */
  const requests = new Map<string, boolean>();
  /** The clients and people for which the server has issued a refresh token. */
  const issued = new Set<string>();

  function keepRequest({ exchange: { facts: { flow }, request } }: ActContext): void {
    const params = new URLSearchParams(request.address.query);
    if (flow === undefined || params.get("access_type") !== "offline") return;
    const prompts = params.get("prompt")?.split(" ") ?? [];
    requests.set(flow, prompts.includes("consent") || params.get("approval_prompt") === "force");
    if (requests.size > mostRequests) requests.delete(requests.keys().next().value!);
  }

  function mayRefresh({ exchange: { facts: { flow = "" } }, grant }: ActContext): boolean {
    const asksAgain = requests.get(flow);
    const person = JSON.stringify([grant?.clientId, grant?.subject]);
    if (asksAgain === undefined || !asksAgain && issued.has(person)) return false;
    issued.add(person);
    return true;
  }

  async function isOffline(at: ActContext): Promise<boolean> {
    const grantType = await readGrantType(at) ?? "";
    return isInstalled(at) || ["refresh_token", deviceGrantType].includes(grantType) ||
      requests.has(at.exchange.facts.flow ?? "");
  }

  return {
    response(answer, at) {
      if (at.endpoint === "authorize") keepRequest(at);
      return answer;
    },
    async claims(value, at) {
      const isAccessToken = value.token === "access_token" && await isOffline(at);
      return isAccessToken ? { ...value, claims: { ...value.claims, access_type: "offline" } } : value;
    },
    async token_response(value, at) {
      if (await readGrantType(at) !== "authorization_code" || isInstalled(at) || mayRefresh(at)) return value;
      return "refresh_token" in value.members
        ? { ...value, members: without(value.members, "refresh_token") }
        : value;
    },
  };
}

function renameDeviceAddress(usual: Endpoint["handle"]): Endpoint["handle"] {
  return requiresScope(async (...asked) => {
    const answer = await usual(...asked);
    const members = parseJsonObject(textOf(answer.body));
    if (members?.["verification_uri"] === undefined) return answer;
    const { verification_uri: verification_url, verification_uri_complete: _, ...others } = members;
    return { ...answer, body: JSON.stringify({ ...others, verification_url }) };
  });
}

/** As the encoding of URLs has it. That of forms has a plus sign (RFC 6749, Appendix B). */
function writeSpaces(answer: Answer): Answer {
  const { location } = answer.headers;
  if (typeof location !== "string") return answer;
  const [address = "", ...params] = location.split("?");
  return withHeaders(answer, {
    location: [address, ...params.map((each) => each.replaceAll("+", "%20"))].join("?"),
  });
}
