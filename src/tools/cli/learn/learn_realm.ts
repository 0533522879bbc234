/** Learns a configuration from the export of a Keycloak realm. */

import { isJsonObject, type JsonObject } from "../../../server/schema/json_object.ts";
import {
  createContext,
  type ExportContext,
  type ExportOptions,
  learnLifetime,
  learnSecret,
  learnUris,
  readObjects,
} from "./learn_export.ts";
import { readTexts } from "./learn_metadata.ts";
import { type Part, part, type Parts } from "./part.ts";
import type { Learned } from "./write_learned.ts";

export function isRealm(value: unknown): value is JsonObject {
  return isJsonObject(value) && typeof value["realm"] === "string" &&
    (Array.isArray(value["clients"]) || Array.isArray(value["users"]));
}

export function learnRealm(realm: JsonObject, options: ExportOptions): Learned {
  const context = createContext(options);
  const { leaveOut } = context;
  nameOthers("realm", realm, "id realm enabled accessTokenLifespan clients users", context);
  const ownClients = readObjects(realm["clients"]).filter(({ clientId }) => !builtIn.test(String(clientId)));
  const isService = ({ serviceAccountClientId }: JsonObject) => serviceAccountClientId !== undefined;
  const all = readObjects(realm["users"]);
  const people = all.filter((user) => !isService(user));
  const apis = ownClients.filter(({ bearerOnly }) => bearerOnly).map(({ clientId }) => String(clientId));
  const services = all.filter(isService).map(({ username }) => String(username));
  if (apis.length > 0) leaveOut("An API that only checks tokens needs no client.", ...apis);
  if (services.length > 0) leaveOut("Write the roles of service accounts into tokenClaims.", ...services);
  if (people.length === 0) leaveOut("The export has no users, so alice and bob sign in.");
  const audiences = ownClients.flatMap((client) => learnAudience(client) ?? []);
  const clients = ownClients.filter(({ bearerOnly }) => !bearerOnly).map((client) =>
    learnClient(client, context)
  );
  const users = people.map((user) => learnUser(user, context));
  const asMappers = "As the usual mappers of Keycloak.";
  const parts: Parts = {
    issuer: part(new URL(`/realms/${realm["realm"]}`, options.origin).href, "The path is that of the realm."),
    paths: part("keycloak", "The paths of a realm, and the typ of its access tokens."),
    lifetimes: learnLifetime(realm["accessTokenLifespan"], "From accessTokenLifespan of the realm."),
    claimsIn: {
      members: {
        accessToken: part([...claims, "realm_access", "resource_access"], asMappers),
        idToken: part(claims, asMappers),
        userinfo: part(claims, asMappers),
      },
      from: "The tokens that have the claims of people.",
    },
    clients: { items: clients, from: "The clients of the realm, without those of Keycloak itself." },
    ...(audiences.length > 0 ? { tokenClaims: { items: audiences, from: "From audience mappers." } } : {}),
    ...(users.length > 0
      ? { people: { items: users, from: "The users of the realm, without passwords." } }
      : {}),
  };
  return { parts, leftOut: context.leftOut };
}

const builtIn = /^(account|account-console|admin-cli|broker|realm-management|security-admin-console)$/;
const claims = ["preferred_username", "name", "given_name", "family_name", "email", "email_verified"];

/** How the names of parts begin that only Keycloak uses: login policies and flows, pages, events, SAML. */
const ofKeycloakOnly =
  /^(saml|otp|webAuthn|required|authenticat|bruteForce|failureFactor|max|min|quick|wait|first|reset|docker|directGrantFlow|registrationFlow|clientAuthenticationFlow|browser|local|internationalization|supportedLocales|defaultLocale|smtp|components|events|enabledEvent|adminEvents|keycloakVersion|clientProfiles|clientPolicies|notBefore|actionToken|accessCodeLifespanLogin|accessCodeLifespanUser|client\.secret\.creation|sslRequired)/;
const usualValues: readonly unknown[] = [null, false, "false", "", 0, -1];

/** Names the parts of a realm, client or user that have a value and are not known. */
function nameOthers(owner: unknown, parts: JsonObject, known: string, { leaveOut }: ExportContext): void {
  const others = Object.entries(parts).filter(([name, value]) =>
    !known.split(" ").includes(name) && !ofKeycloakOnly.test(name) && !usualValues.includes(value) &&
    (typeof value !== "object" || Object.keys(value!).length > 0)
  );
  if (others.length > 0) {
    leaveOut(
      "Parts that are not taken over.",
      `${owner}`,
      ...others.map(([name]) => name),
    );
  }
}

function isAudienceMapper({ protocolMapper }: JsonObject): boolean {
  return protocolMapper === "oidc-audience-mapper";
}

function learnAudience({ clientId, protocolMappers }: JsonObject): Part | undefined {
  const mappers = readObjects(protocolMappers).filter(isAudienceMapper);
  const aud = readTexts(mappers.map(({ config }) => {
    const members = isJsonObject(config) ? config : {};
    return members["included.client.audience"] || members["included.custom.audience"];
  }));
  const pattern = String(clientId).replace(/[.*+?^${}()|[\]\\]/g, "\\$&"); // "when" has regular expressions
  const claims = { when: { client_id: pattern }, claims: { aud } };
  return part(aud.length === 0 ? undefined : claims, "From the audience mappers of this client.");
}

function learnClient(client: JsonObject, context: ExportContext): Part {
  const { clientId, secret, redirectUris, rootUrl = "", publicClient, ...others } = client;
  const id = String(clientId);
  const attributes = isJsonObject(others["attributes"]) ? others["attributes"] : {};
  const protocolMappers = readObjects(others["protocolMappers"]).filter((each) => !isAudienceMapper(each));
  const usual = "id enabled name serviceAccountsEnabled standardFlowEnabled protocol webOrigins baseUrl";
  const known = `${usual} clientAuthenticatorType attributes post.logout.redirect.uris`;
  nameOthers(id, { ...others, ...attributes, protocolMappers }, known, context);
  const makeAbsolute = (uri: string) => uri.startsWith("/") ? `${rootUrl}${uri}` : uri;
  const redirect_uris = readTexts(redirectUris).map(makeAbsolute);
  // In Keycloak, "+" means the redirect URIs.
  const post_logout_redirect_uris = String(attributes["post.logout.redirect.uris"] ?? "+").split("##")
    .flatMap((uri) => uri === "+" ? redirect_uris : uri === "" ? [] : [makeAbsolute(uri)]);
  const members: Parts = {
    client_id: part(id, "From clientId."),
    client_secret: publicClient === true ? undefined : learnSecret(secret, context),
    ...learnUris(id, { redirect_uris, post_logout_redirect_uris }, context),
  };
  return { members, from: "A client of the realm." };
}

function learnUser(user: JsonObject, context: ExportContext): Part {
  const known = "username id email emailVerified firstName lastName enabled credentials createdTimestamp";
  nameOthers(user["username"], user, `${known} realmRoles clientRoles`, context);
  const { email, emailVerified = false, firstName, lastName, realmRoles, clientRoles } = user;
  const names = [firstName, lastName].filter((name) => name !== undefined).join(" ");
  const roles = Object.entries(isJsonObject(clientRoles) ? clientRoles : {});
  const ofClients = Object.fromEntries(roles.map(([name, roles]) => [name, { roles }]));
  const claims: Parts = {
    email: part(email, "From email."),
    email_verified: part(email && emailVerified, "From emailVerified."),
    name: part(names || undefined, "From firstName and lastName."),
    given_name: part(firstName, "From firstName."),
    family_name: part(lastName, "From lastName."),
    realm_access: part(realmRoles && { roles: realmRoles }, "From realmRoles."),
    resource_access: part(roles.length === 0 ? undefined : ofClients, "From clientRoles."),
  };
  const members: Parts = {
    username: part(String(user["username"]), "From username."),
    sub: part(user["id"], "From id."),
    disabled: part(user["enabled"] === false || undefined, "From enabled."),
    claims: { members: claims, from: "From the parts of the user." },
  };
  return { members, from: "A user of the realm." };
}
