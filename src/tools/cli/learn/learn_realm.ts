/** Learns a configuration from the export of a Keycloak realm. */

import { isJsonObject, type JsonObject } from "../../../ground/schema/json_object.ts";
import {
  type LearnContext,
  learnLifetimes,
  learnSecret,
  learnUris,
  readObjects,
  readTexts,
  requirePlain,
} from "./learn_parts.ts";
import { listOf, type Part, part, type Parts } from "./part.ts";
import { writeValue } from "../../../ground/values/write_value.ts";

export function isRealm(value: unknown): value is JsonObject {
  return isJsonObject(value) && typeof value["realm"] === "string" &&
    (Array.isArray(value["clients"]) || Array.isArray(value["users"]));
}

export function learnRealm(realm: JsonObject, context: LearnContext): Parts {
  nameOthers("realm", realm, context);
  const all = readObjects(realm["users"]);
  const people = all.filter(({ serviceAccountClientId }) => serviceAccountClientId === undefined);
  if (people.length === 0) context.leaveOut("The export has no users, so alice and bob sign in.");
  const own = chooseClients(readObjects(realm["clients"]), context);
  const clients = own.filter(({ bearerOnly }) => !bearerOnly).map((client) => learnClient(client, context));
  const asMappers = "As the usual mappers of Keycloak.";
  return {
    issuer: part(
      requirePlain(new URL(`/realms/${realm["realm"]}`, context.origin).href),
      "The path is that of the realm.",
    ),
    paths: part("keycloak", "The paths of a realm, and the typ of its access tokens."),
    lifetimes: learnLifetimes(Object.fromEntries(
      Object.entries(lifespans).map(([name, of]) => [name, part(realm[of], `From ${of} of the realm.`)]),
    )),
    claimsIn: {
      members: {
        accessToken: part([...claims, "realm_access", "resource_access"], asMappers),
        idToken: part(claims, asMappers),
        userinfo: part(claims, asMappers),
      },
      from: "The tokens that have the claims of people.",
    },
    clients: { items: clients, from: "The clients of the realm, without those of Keycloak itself." },
    tokenClaims: listOf(
      own.flatMap((client) => learnTokenClaims(client, all, context)),
      "From service accounts and audience mappers.",
    ),
    people: listOf(
      people.map((user) => learnUser(user, context)),
      "The users of the realm, without passwords.",
    ),
  };
}

/** Returns the clients that are not of Keycloak itself. */
function chooseClients(all: readonly JsonObject[], { leaveOut }: LearnContext): readonly JsonObject[] {
  const idOf = ({ clientId }: JsonObject) => writeValue(clientId);
  leaveOut("Clients of Keycloak itself.", all.map(idOf).filter((id) => builtIn.test(id)));
  const own = all.filter((client) => !builtIn.test(idOf(client)));
  const apis = own.filter(({ bearerOnly }) => bearerOnly);
  leaveOut("An API that only checks tokens needs no client.", apis.map(idOf));
  return own;
}

/** The lifespans of a realm, by what Postern calls them. */
const lifespans: Readonly<Record<string, string>> = {
  accessToken: "accessTokenLifespan",
  code: "accessCodeLifespan",
  session: "ssoSessionMaxLifespan",
  refreshIdle: "ssoSessionIdleTimeout",
  refreshAbsolute: "ssoSessionMaxLifespan",
};
const builtIn = /^(account|account-console|admin-cli|broker|realm-management|security-admin-console)$/;
const claims = ["preferred_username", "name", "given_name", "family_name", "email", "email_verified"];

/** How the names of parts begin that only Keycloak uses: login policies and flows, pages, events, SAML. */
const ofKeycloakOnly =
  /^(saml|otp|webAuthn|required|authenticat|bruteForce|failureFactor|max|min|quick|wait|first|reset|docker|directGrantFlow|registrationFlow|clientAuthenticationFlow|browser|local|internationalization|supportedLocales|defaultLocale|smtp|components|events|enabledEvent|adminEvents|keycloakVersion|clientProfiles|clientPolicies|notBefore|actionToken|accessCodeLifespanLogin|accessCodeLifespanUser|client\.secret\.creation|sslRequired)/;
const usualValues: readonly unknown[] = [null, false, "false", "", 0, -1];
/** The parts of a realm, its clients and users that are taken over, or that need no mention. */
const known: ReadonlySet<string> = new Set([
  ...["id", "realm", "enabled", "clients", "users", ...Object.values(lifespans)],
  ...["clientId", "name", "secret", "publicClient", "bearerOnly", "protocol", "protocolMappers"],
  ...["redirectUris", "post.logout.redirect.uris", "rootUrl", "baseUrl", "webOrigins"],
  ...["standardFlowEnabled", "serviceAccountsEnabled", "clientAuthenticatorType", "serviceAccountClientId"],
  ...["username", "email", "emailVerified", "firstName", "lastName", "credentials", "createdTimestamp"],
  ...["realmRoles", "clientRoles"],
]);

/** Names the parts of a realm, client or user that have a value and are not known. */
function nameOthers(owner: unknown, parts: JsonObject, { leaveOut }: LearnContext): void {
  const others = Object.entries(parts).filter(([name, value]) =>
    !known.has(name) && !ofKeycloakOnly.test(name) && !usualValues.includes(value) &&
    (typeof value !== "object" || Object.keys(value!).length > 0)
  );
  leaveOut("Parts that are not taken over.", others.map(([name]) => name), `${owner}`);
}

function isAudienceMapper({ protocolMapper }: JsonObject): boolean {
  return protocolMapper === "oidc-audience-mapper";
}

/** The entry of the service account comes first, because only the first one that matches has an effect. */
function learnTokenClaims(
  { clientId, protocolMappers }: JsonObject,
  users: readonly JsonObject[],
  context: LearnContext,
): readonly Part[] {
  const service = users.find(({ serviceAccountClientId: id }) => id !== undefined && id === clientId);
  const configs = readObjects(protocolMappers).filter(isAudienceMapper).map(configOf);
  const aud = readTexts(
    configs.map((config) => config["included.client.audience"] || config["included.custom.audience"]),
  );
  const ofMappers = aud.length === 0 ? {} : { aud };
  const client_id = writeValue(clientId).replace(/[.*+?^${}()|[\]\\]/g, "\\$&"); // "when" has regular expressions
  const entries: Part[] = [];
  if (service !== undefined) {
    nameOthers(service["username"], service, context);
    const { id: sub, username: preferred_username } = service;
    const claims = { sub, preferred_username, ...ofMappers, ...readRoles(service) };
    const when = { grant_type: "client_credentials", client_id };
    entries.push({ value: { when, claims }, from: "From the user of the service account." });
  }
  if (aud.length > 0) {
    const value = { when: { client_id }, claims: ofMappers };
    entries.push({ value, from: "From the audience mappers of this client." });
  }
  return entries;
}

function configOf({ config }: JsonObject): JsonObject {
  return isJsonObject(config) ? config : {};
}

function learnClient(client: JsonObject, context: LearnContext): Part {
  const { attributes: given, ...others } = client;
  const { clientId, secret, redirectUris, rootUrl = "", publicClient, protocolMappers } = others;
  const id = writeValue(clientId);
  const attributes = isJsonObject(given) ? given : {};
  const mappers = readObjects(protocolMappers).filter((each) => !isAudienceMapper(each));
  const names = mappers.map((each) => writeValue(configOf(each)["claim.name"] || each["name"]));
  context.leaveOut("Mappers whose claims are for you to write.", names, id);
  nameOthers(id, { ...others, ...attributes }, context);
  const makeAbsolute = (uri: string) => uri.startsWith("/") ? `${rootUrl}${uri}` : uri;
  const redirect_uris = readTexts(redirectUris).map(makeAbsolute);
  // In Keycloak, "+" means the redirect URIs.
  const post_logout_redirect_uris = writeValue(attributes["post.logout.redirect.uris"] ?? "+").split("##")
    .flatMap((uri) => uri === "+" ? redirect_uris : uri === "" ? [] : [makeAbsolute(uri)]);
  const members: Parts = {
    client_id: part(id, "From clientId."),
    client_secret: publicClient === true ? undefined : learnSecret(secret, context),
    grant_types: part(readGrantTypes(client), "From standardFlowEnabled and serviceAccountsEnabled."),
    ...learnUris(id, { redirect_uris, post_logout_redirect_uris }, context),
  };
  return { members, from: "A client of the realm." };
}

/** Returns nothing for a client with the usual ones. */
function readGrantTypes(
  { publicClient, standardFlowEnabled, serviceAccountsEnabled }: JsonObject,
): readonly string[] | undefined {
  const isService = publicClient !== true && serviceAccountsEnabled === true;
  if (standardFlowEnabled === false) return isService ? ["client_credentials"] : undefined;
  return isService || publicClient === true ? undefined : ["authorization_code", "refresh_token"];
}

/** Returns the claims with the roles of a user. */
function readRoles({ realmRoles, clientRoles }: JsonObject) {
  const ofClients = Object.entries(isJsonObject(clientRoles) ? clientRoles : {})
    .map(([name, roles]) => [name, { roles }]);
  return {
    realm_access: realmRoles && { roles: realmRoles },
    resource_access: ofClients.length === 0 ? undefined : Object.fromEntries(ofClients),
  };
}

function learnUser(user: JsonObject, context: LearnContext): Part {
  nameOthers(user["username"], user, context);
  const { email, emailVerified = false, firstName, lastName } = user;
  const { realm_access, resource_access } = readRoles(user);
  const names = [firstName, lastName].filter((name) => name !== undefined).join(" ");
  const claims: Parts = {
    email: part(email, "From email."),
    email_verified: part(email && emailVerified, "From emailVerified."),
    name: part(names || undefined, "From firstName and lastName."),
    given_name: part(firstName, "From firstName."),
    family_name: part(lastName, "From lastName."),
    realm_access: part(realm_access, "From realmRoles."),
    resource_access: part(resource_access, "From clientRoles."),
  };
  const members: Parts = {
    username: part(writeValue(user["username"]), "From username."),
    sub: part(user["id"], "From id."),
    disabled: part(user["enabled"] === false || undefined, "From enabled."),
    claims: { members: claims, from: "From the parts of the user." },
  };
  return { members, from: "A user of the realm." };
}
