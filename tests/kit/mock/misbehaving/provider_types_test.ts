/** The members of answers with their types, as the specifications of providers have them: strict clients read each one. */

import { assertEquals } from "@std/assert";
import { decodeJwt } from "jose";
import type { LookAlikeName, Mock } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";
import { createShop, inForm, post, redeem, type Texts } from "./provider_shop.ts";

type Shape = string | readonly Shape[] | { readonly [name: string]: Shape };

/** Returns the types of the members. A list has that of its first item. */
function shapeOf(value: unknown): Shape {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (value === null || typeof value !== "object") return value === null ? "null" : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]));
}

interface Tokens {
  readonly access_token: string;
  readonly id_token: string;
  readonly refresh_token?: string;
}

interface Provider {
  readonly urls: { readonly authorize: string; readonly token: string };
  readonly scope: string;
  readonly people: Parameters<typeof createShop>[1];
  readonly token: Shape;
  readonly idToken: Shape;
  /** What an API answers to the access token of alice, by its address. */
  readonly apis: Readonly<Record<string, Shape>>;
  /** What further requests are answered. */
  readonly more?: readonly (readonly [
    what: string,
    ask: (as: Mock, tokens: Tokens) => Promise<Response>,
    status: number,
    shape: Shape,
  ])[];
}

const whole = {
  ...{ name: "Alice Adams", given_name: "Alice", family_name: "Adams", nickname: "Ali", gender: "female" },
  ...{ email: "alice@shop.test", email_verified: true, picture: "https://shop.test/alice.png" },
  ...{ birthdate: "1990-05-17", locale: "en-GB", zoneinfo: "Europe/Berlin", website: "https://shop.test/" },
};

const groupId = "5ea5ba62-6ba4-4a0e-a6a0-3d5ee8b6e3a4";
const people = { people: [{ username: "alice", claims: { ...whole, groups: [groupId] } }] };

const bearerOf = (token: string): Texts => ({ authorization: `Bearer ${token}` });

const localized = {
  localized: { en_US: "string" },
  preferredLocale: { country: "string", language: "string" },
};

const person = {
  ...{ id: "string", displayName: "string", givenName: "string", surname: "string", mail: "string" },
  ...{ userPrincipalName: "string", businessPhones: [], jobTitle: "null", mobilePhone: "null" },
  ...{ officeLocation: "null", preferredLanguage: "null" },
};

const group = {
  ...{ id: "string", displayName: "string", mailNickname: "string", mailEnabled: "boolean" },
  ...{ securityEnabled: "boolean", createdDateTime: "string", renewedDateTime: "string", groupTypes: [] },
  ...{ proxyAddresses: [], resourceBehaviorOptions: [], resourceProvisioningOptions: [] },
  ...{ onPremisesProvisioningErrors: [], securityIdentifier: "null", deletedDateTime: "null" },
  ...{ classification: "null", description: "null", expirationDateTime: "null", isAssignableToRole: "null" },
  ...{ mail: "null", membershipRule: "null", membershipRuleProcessingState: "null" },
  ...{ onPremisesDomainName: "null", onPremisesLastSyncDateTime: "null", onPremisesNetBiosName: "null" },
  ...{ onPremisesSamAccountName: "null", onPremisesSecurityIdentifier: "null" },
  ...{ onPremisesSyncEnabled: "null", preferredDataLocation: "null", preferredLanguage: "null" },
  ...{ theme: "null", visibility: "null" },
};

const ofGraph = { "@odata.context": "string" };
const typed = { "@odata.type": "string" };
const graph = "https://graph.microsoft.com/v1.0";
const graphError = {
  error: {
    ...{ code: "string", message: "string" },
    innerError: { date: "string", "request-id": "string", "client-request-id": "string" },
  },
};

const registered = {
  ...{ iss: "string", aud: "string", iat: "number", exp: "number", sub: "string", jti: "string" },
  ...{ auth_time: "number", sid: "string" },
};

const refusalOfEntra = {
  ...{ error: "string", error_description: "string", error_codes: ["number"], timestamp: "string" },
  ...{ trace_id: "string", correlation_id: "string", error_uri: "string" },
};

const entra = "https://login.microsoftonline.com/common/oauth2/v2.0";

const source = { type: "string", id: "string" };
const ofField = { metadata: { primary: "boolean", source, sourcePrimary: "boolean" } };
const directory = "https://admin.googleapis.com/admin/directory/v1";
const scopesOfDirectory = ["user", "group", "group.member"].map((each) =>
  `https://www.googleapis.com/auth/admin.directory.${each}.readonly`
);

const userOfDirectory = {
  ...{ kind: "string", id: "string", etag: "string", primaryEmail: "string" },
  name: { fullName: "string", givenName: "string", familyName: "string" },
  ...{ isAdmin: "boolean", isDelegatedAdmin: "boolean", suspended: "boolean", archived: "boolean" },
  ...{ thumbnailPhotoUrl: "string", emails: [{ address: "string", primary: "boolean" }] },
  ...{ customerId: "string", orgUnitPath: "string" },
};

const groupOfDirectory = {
  ...{ kind: "string", id: "string", etag: "string", email: "string", name: "string" },
  ...{ description: "string", directMembersCount: "string", adminCreated: "boolean" },
};

const member = {
  ...{ kind: "string", etag: "string", id: "string", email: "string", role: "string" },
  ...{ type: "string", status: "string" },
};

const tokenOfGoogle = {
  ...{ azp: "string", aud: "string", sub: "string", scope: "string", exp: "string" },
  ...{ expires_in: "string", email: "string", email_verified: "string", access_type: "string" },
};

const errorOfDirectory = {
  error: {
    ...{ code: "number", message: "string", status: "string" },
    errors: [{
      ...{ message: "string", domain: "string", reason: "string" },
      ...{ location: "string", locationType: "string" },
    }],
  },
};

const providers: Partial<Record<LookAlikeName, Provider>> = {
  entra: {
    urls: { authorize: `${entra}/authorize`, token: `${entra}/token` },
    scope: "openid profile email offline_access Directory.Read.All User.Read",
    people,
    token: {
      ...{ access_token: "string", token_type: "string", expires_in: "number", ext_expires_in: "number" },
      ...{ scope: "string", refresh_token: "string", id_token: "string" },
    },
    idToken: {
      ...{ ...registered, nbf: "number", tid: "string", uti: "string", ver: "string", oid: "string" },
      ...{ aio: "string", rh: "string" },
      ...{ name: "string", preferred_username: "string", email: "string" },
    },
    apis: {
      "https://graph.microsoft.com/oidc/userinfo": {
        ...{ sub: "string", name: "string", given_name: "string", family_name: "string" },
        ...{ picture: "string", email: "string" },
      },
      [`${graph}/me`]: { ...ofGraph, ...person },
      [`${graph}/users`]: { ...ofGraph, value: [person] },
      [`${graph}/me/memberOf`]: { ...ofGraph, value: [{ ...typed, ...group }] },
      [`${graph}/me/memberOf?$select=displayName`]: {
        ...ofGraph,
        value: [{ ...typed, id: "string", displayName: "string" }],
      },
      [`${graph}/me/directReports`]: { ...ofGraph, value: [] },
      [`${graph}/groups`]: { ...ofGraph, value: [group] },
      [`${graph}/groups/${groupId}`]: { ...ofGraph, ...group },
      [`${graph}/groups/${groupId}/members`]: { ...ofGraph, value: [{ ...typed, ...person }] },
      [`${graph}/me/photo/$value`]: graphError,
      [`${graph}/users/none`]: graphError,
    },
    more: [
      [
        "ids of groups",
        (as, { access_token }) => post(as, `${graph}/me/getMemberGroups`, {}, bearerOf(access_token)),
        200,
        { ...ofGraph, value: ["string"] },
      ],
      [
        "the codes of a device",
        (as) => post(as, `${entra}/devicecode`, { client_id: "shop", scope: "openid" }),
        200,
        {
          ...{ device_code: "string", user_code: "string", verification_uri: "string" },
          ...{ expires_in: "number", interval: "number", message: "string" },
        },
      ],
      ["a missing parameter", (as) => post(as, `${entra}/token`, inForm), 400, refusalOfEntra],
      [
        "tokens of version 1.0",
        (as, { refresh_token = "" }) =>
          post(as, "https://login.microsoftonline.com/common/oauth2/token", {
            ...{ ...inForm, grant_type: "refresh_token", refresh_token },
          }),
        200,
        {
          ...{ access_token: "string", token_type: "string", expires_in: "string", ext_expires_in: "string" },
          ...{ expires_on: "string", not_before: "string", resource: "string", scope: "string" },
          ...{ refresh_token: "string", id_token: "string" },
        },
      ],
    ],
  },
  google: {
    urls: {
      authorize: "https://accounts.google.com/o/oauth2/v2/auth",
      token: "https://oauth2.googleapis.com/token",
    },
    scope: `openid profile email ${scopesOfDirectory.join(" ")}`,
    people,
    token: {
      ...{ access_token: "string", token_type: "string", expires_in: "number", scope: "string" },
      id_token: "string",
    },
    idToken: {
      ...{ ...registered, azp: "string", at_hash: "string" },
      ...{ name: "string", given_name: "string", family_name: "string", picture: "string" },
      ...{ email: "string", email_verified: "boolean" },
    },
    apis: {
      "https://openidconnect.googleapis.com/v1/userinfo": {
        ...{ sub: "string", name: "string", given_name: "string", family_name: "string" },
        ...{ picture: "string", email: "string", email_verified: "boolean" },
      },
      "https://www.googleapis.com/oauth2/v2/userinfo": {
        ...{ id: "string", name: "string", given_name: "string", family_name: "string" },
        ...{ picture: "string", email: "string", verified_email: "boolean" },
      },
      "https://people.googleapis.com/v1/people/me?personFields=names,photos,emailAddresses,metadata": {
        ...{ resourceName: "string", etag: "string" },
        names: [{
          ...{ ...ofField, displayName: "string", familyName: "string", givenName: "string" },
          ...{ unstructuredName: "string", displayNameLastFirst: "string" },
        }],
        photos: [{ ...ofField, url: "string" }],
        emailAddresses: [{ metadata: { ...ofField.metadata, verified: "boolean" }, value: "string" }],
        metadata: {
          sources: [{
            ...{ ...source, etag: "string", updateTime: "string" },
            profileMetadata: { objectType: "string", userTypes: ["string"] },
          }],
          objectType: "string",
        },
      },
      [`${directory}/users`]: { kind: "string", etag: "string", users: [userOfDirectory] },
      [`${directory}/groups`]: { kind: "string", etag: "string", groups: [groupOfDirectory] },
      [`${directory}/groups/${groupId}`]: groupOfDirectory,
      [`${directory}/groups/${groupId}/members`]: { kind: "string", etag: "string", members: [member] },
      [`${directory}/groups/${groupId}/hasMember/alice`]: { isMember: "boolean" },
    },
    more: [
      [
        "a token at tokeninfo",
        (as, { access_token }) =>
          as.fetch(`https://oauth2.googleapis.com/tokeninfo?access_token=${access_token}`),
        200,
        tokenOfGoogle,
      ],
      [
        "a token at version 2 of tokeninfo",
        (as, { access_token }) =>
          as.fetch(`https://www.googleapis.com/oauth2/v2/tokeninfo?access_token=${access_token}`),
        200,
        {
          ...{ issued_to: "string", audience: "string", user_id: "string", verified_email: "boolean" },
          ...{ scope: "string", expires_in: "number", email: "string", access_type: "string" },
        },
      ],
      [
        "the codes of a device",
        (as) => post(as, "https://oauth2.googleapis.com/device/code", { client_id: "shop", scope: "email" }),
        200,
        {
          ...{ device_code: "string", user_code: "string", verification_url: "string" },
          ...{ expires_in: "number", interval: "number" },
        },
      ],
      [
        "an API without a token",
        (as) => as.fetch("https://people.googleapis.com/v1/people/me"),
        401,
        { error: { code: "number", message: "string", status: "string" } },
      ],
      ["an older API without a token", (as) => as.fetch(`${directory}/users`), 401, errorOfDirectory],
    ],
  },
  linkedin: {
    urls: {
      authorize: "https://www.linkedin.com/oauth/v2/authorization",
      token: "https://www.linkedin.com/oauth/v2/accessToken",
    },
    scope: "openid profile email",
    people,
    token: {
      ...{ access_token: "string", token_type: "string", expires_in: "number", scope: "string" },
      id_token: "string",
    },
    idToken: {
      ...{ iss: "string", aud: "string", iat: "number", exp: "number", sub: "string", jti: "string" },
      ...{ name: "string", given_name: "string", family_name: "string", picture: "string" },
      ...{ email: "string", email_verified: "string", locale: "string" },
    },
    apis: {
      "https://api.linkedin.com/v2/userinfo": {
        ...{ sub: "string", name: "string", given_name: "string", family_name: "string", picture: "string" },
        locale: { country: "string", language: "string" },
        ...{ email: "string", email_verified: "boolean" },
      },
      "https://api.linkedin.com/v2/me": {
        ...{ id: "string", localizedFirstName: "string", localizedLastName: "string" },
        ...{ firstName: localized, lastName: localized, profilePicture: { displayImage: "string" } },
      },
      "https://api.linkedin.com/v2/me?projection=(id,profilePicture(displayImage~:playableStreams))": {
        id: "string",
        profilePicture: {
          displayImage: "string",
          "displayImage~": {
            paging: { count: "number", start: "number", links: [] },
            elements: [{
              ...{ artifact: "string", authorizationMethod: "string" },
              identifiers: [{
                ...{ identifier: "string", index: "number", mediaType: "string", file: "string" },
                ...{ identifierType: "string", identifierExpiresInSeconds: "number" },
              }],
            }],
          },
        },
      },
      "https://api.linkedin.com/v2/emailAddress?q=members&projection=(elements*(handle~))": {
        elements: [{
          ...{ handle: "string", type: "string", primary: "boolean" },
          "handle~": { emailAddress: "string" },
        }],
      },
    },
    more: [
      [
        "an introspection",
        (as, { access_token: token }) =>
          post(as, "https://www.linkedin.com/oauth/v2/introspectToken", { ...inForm, token }),
        200,
        {
          ...{ active: "boolean", client_id: "string", authorized_at: "number", created_at: "number" },
          ...{ status: "string", expires_at: "number", scope: "string", auth_type: "string" },
        },
      ],
      [
        "an introspection of a wrong token",
        (as) => post(as, "https://www.linkedin.com/oauth/v2/introspectToken", { ...inForm, token: "none" }),
        200,
        { active: "boolean" },
      ],
      [
        "an unknown address",
        (as) => as.fetch("https://api.linkedin.com/v2/organizations"),
        501,
        {
          ...{ error: "string", error_description: "string" },
          ...{ message: "string", serviceErrorCode: "number", status: "number" },
        },
      ],
    ],
  },
};

for (const [name, provider] of Object.entries(providers)) {
  test(`look-alike ${name}: answers have the members and the types of its specification`, async () => {
    const { urls, scope, apis, more = [] } = provider;
    await using as = await createShop(name as LookAlikeName, provider.people);
    const answer = await redeem(as, urls, scope, { ...inForm });
    const tokens: Tokens = await answer.json();
    assertEquals(shapeOf(tokens), provider.token, "token");
    assertEquals(shapeOf(decodeJwt(tokens.id_token)), provider.idToken, "ID token");
    const headers = bearerOf(tokens.access_token);
    for (const [url, shape] of Object.entries(apis)) {
      assertEquals(shapeOf(await (await as.fetch(url, { headers })).json()), shape, url);
    }
    for (const [what, ask, status, shape] of more) {
      const answer = await ask(as, tokens);
      assertEquals([answer.status, shapeOf(await answer.json())], [status, shape], what);
    }
  });
}
