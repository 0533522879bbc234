/** Chooses metadata of a client: from its lists (Relying Party Metadata Choices §2), or the defaults of RFC 7591 §2. */

import type { Schema } from "../../../ground/schema/schema.ts";
import { clientAuthMethods } from "../../oauth/clients/metadata/client_auth_methods.ts";
import type { CoreClientMetadata } from "../../oauth/clients/metadata/client_metadata.ts";
import { isAppUri, isLoopbackRedirectUri } from "../../oauth/clients/metadata/redirect_uri.ts";
import { publicClientMethod } from "../../oauth/contracts/client.ts";
import type { ClientAuthMethod, Services } from "../../oauth/contracts/feature.ts";
import type { Members } from "../../../ground/values/members.ts";
import { specifiedAlg } from "../../oauth/tokens/sign_token.ts";
import { refuseMetadata } from "./refuse_metadata.ts";

/** The lists, by the member that has one value of the list. The authentication method is the first. */
const listNames: ReadonlyMap<string, string> = new Map([
  ["token_endpoint_auth_method", "token_endpoint_auth_methods_supported"],
  ["token_endpoint_auth_signing_alg", "token_endpoint_auth_signing_alg_values_supported"],
  ["subject_type", "subject_types_supported"],
  ["id_token_signed_response_alg", "id_token_signing_alg_values_supported"],
  ["userinfo_signed_response_alg", "userinfo_signing_alg_values_supported"],
  ["request_object_signing_alg", "request_object_signing_alg_values_supported"],
  ["introspection_signed_response_alg", "introspection_signing_alg_values_supported"],
  ["authorization_signed_response_alg", "authorization_signing_alg_values_supported"],
]);

/** Returns the known metadata with the choices and the defaults. `given` also has the lists. */
export function chooseValues(
  given: Members,
  known: Members,
  schemas: ReadonlyMap<string, Schema>,
  services: Services,
): Members {
  const values = new Map(Object.entries(known));
  for (const [name, listName] of listNames) {
    const supported = listSupported(name, schemas.get(name), values, services);
    if (supported === undefined) continue;
    const value = values.get(name);
    if (value !== undefined && supported.includes(`${value}`)) continue;
    const possible = supported.filter((each) => isPossible(each, given, services));
    const chosen = chooseFromList(listName, possible, given);
    if (chosen !== undefined) values.set(name, chosen);
    else if (value !== undefined) {
      refuseMetadata({ place: name, expected: `must be one of ${supported.join(", ")}` }, given);
    }
  }
  const chosen = Object.fromEntries(values);
  return { ...findDefaults(chosen, schemas, services), ...chosen };
}

function chooseFromList(listName: string, offered: readonly string[], given: Members): string | undefined {
  const list = given[listName];
  if (list === undefined || list === null) return undefined;
  if (!Array.isArray(list) || !list.every((each) => typeof each === "string")) {
    return refuseMetadata({ place: listName, expected: "must be an array of strings" }, given);
  }
  return offered.find((each) => list.includes(each)) ??
    refuseMetadata({ place: listName, expected: `must have one of ${offered.join(", ")}` }, given);
}

/** Returns the values that the server supports, the best first. `undefined`: no list says which values exist. */
function listSupported(
  name: string,
  schema: Schema | undefined,
  chosen: ReadonlyMap<string, unknown>,
  services: Services,
): readonly string[] | undefined {
  const { slots, settings } = services;
  if (schema === undefined) return undefined;
  if (name === "token_endpoint_auth_method") return listMethods(services);
  if (name === "token_endpoint_auth_signing_alg") {
    return slots.clientAuth.get(`${chosen.get("token_endpoint_auth_method")}`)?.assertionAlgorithms;
  }
  const { isSigningAlgorithm, isUsuallyRs256 } = slots.clientMembers.get(name) ?? {};
  if (!isSigningAlgorithm) return schema.enum;
  const algorithms: readonly string[] = isUsuallyRs256 ? settings.idTokenAlgorithms : settings.algorithms;
  return algorithms.filter((alg) => schema.enum?.includes(alg) ?? true);
}

/** The authentication methods of this server, the strongest first. */
function listMethods({ slots }: Services): readonly string[] {
  return [...clientAuthMethods(slots)].sort((left, right) =>
    strengthOf(slots.clientAuth.get(right)) - strengthOf(slots.clientAuth.get(left))
  );
}

/** A key of the client's own is stronger than a secret that signs, then comes a sent secret: in a header, in the form. */
function strengthOf(method: ClientAuthMethod | undefined): number {
  if (method === undefined) return 0;
  const { needs = ["client_secret"], keyOctets, scheme } = method;
  if (!needs.includes("client_secret")) return 4;
  if (keyOctets !== undefined) return 3;
  return scheme === undefined ? 1 : 2;
}

/** A method with the client's own keys is possible only if the metadata has keys. */
function isPossible(method: string, given: Members, { slots: { clientAuth } }: Services): boolean {
  const { needs } = clientAuth.get(method) ?? {};
  return needs === undefined ||
    needs.some((name) => name === "client_secret" || (given[name] ?? undefined) !== undefined);
}

/** RFC 7591 §2; OpenID Connect Dynamic Client Registration §2. The response reports the defaults. */
function findDefaults(chosen: Members, schemas: ReadonlyMap<string, Schema>, services: Services): Members {
  const { settings } = services;
  const grantTypes = chosen["grant_types"] ?? ["authorization_code"];
  const hasCodeFlow = Array.isArray(grantTypes) && grantTypes.includes("authorization_code");
  const defaults: Members = {
    token_endpoint_auth_method: chooseMethod(chosen, services),
    grant_types: grantTypes,
    response_types: hasCodeFlow ? ["code"] : [],
    application_type: chooseApplicationType(chosen),
    subject_type: "public",
    // RS256, which every OpenID client can verify.
    id_token_signed_response_alg: specifiedAlg(settings),
  };
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => schemas.has(name)));
}

/** The default of RFC 7591 §2, or the strongest method that the client can use if the server does not accept it (§3.2.1). */
function chooseMethod(chosen: Members, services: Services): string | undefined {
  const methods = listMethods(services);
  // RFC 8252 §8.4: an app is a public client.
  if (isOfApp(chosen) && methods.includes(publicClientMethod)) return publicClientMethod;
  if (methods.includes("client_secret_basic")) return "client_secret_basic";
  return methods.find((method) => isPossible(method, chosen, services)) ?? methods[0];
}

/** The default is web. But many programs register redirect URIs of their own machine, and no application_type. */
function chooseApplicationType(chosen: Members): "native" | "web" {
  const { redirect_uris: uris = [] } = chosen as Partial<CoreClientMetadata>;
  return isOfApp(chosen) || uris.length > 0 && uris.every(isLoopbackRedirectUri) ? "native" : "web";
}

/** The redirect URIs have passed their schema. */
function isOfApp({ redirect_uris: uris }: Partial<CoreClientMetadata>): boolean {
  return uris?.some(isAppUri) ?? false;
}
