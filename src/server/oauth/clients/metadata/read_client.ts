/** Reads a client from its metadata, which has already passed the schema (RFC 7591 §2). */

import type { MetadataProblem, Slots } from "../../contracts/feature.ts";
import { hashSecret } from "../../secrets/credential.ts";
import { redactText } from "../../secrets/redaction.ts";
import { checkEach } from "./check_each.ts";
import { parseScope } from "./scope.ts";
import { type Client, isConfigured, publicClientMethod, registeredMethod } from "../../contracts/client.ts";
import { clientAuthMethods } from "./client_auth_methods.ts";
import { clientIdForm, isClientId } from "./client_id.ts";
import type { CoreClientMetadata } from "./client_metadata.ts";
import { findNameProblem } from "./client_name.ts";
import { unfitForAnswers } from "./redirect_uri.ts";
import { addSector } from "./sector.ts";
import { usualGrantTypes, usualResponseTypes } from "./usual_grants.ts";
import { present } from "../../../../ground/values/present.ts";

export type ClientFacts = Pick<Client, "source" | "approvedBy" | "epoch" | "registeredItself">;

export function readClient(
  metadata: CoreClientMetadata,
  facts: ClientFacts,
  slots: Slots,
): Client | MetadataProblem {
  const method = registeredMethod(metadata);
  const problem = checkRedirectUris(metadata, facts) ?? checkAuthentication(metadata, method, slots) ??
    checkCore(metadata, method) ?? findNameProblem(metadata);
  if (problem !== undefined) return problem;
  const client = describeClient(metadata, method, facts, slots);
  return checkTypes(client, slots) ?? checkMembers(client, slots) ??
    (metadata.subject_type === "pairwise" ? addSector(client) : client);
}

function describeClient(
  metadata: CoreClientMetadata,
  method: string,
  facts: ClientFacts,
  slots: Slots,
): Client {
  const { client_secret: secret, client_name: name, redirect_uris: redirectUris = [] } = metadata;
  const isConfidential = method !== publicClientMethod;
  const grantTypes = metadata.grant_types ?? usualGrantTypes({ isConfidential }, slots);
  const scope = metadata.scope === undefined ? undefined : parseScope(metadata.scope);
  return {
    id: metadata.client_id,
    // People see the name.
    ...present({ name: name && redactText(name) }),
    redirectUris,
    ...present({ allowsPrivateHttp: metadata.allow_private_http || undefined }),
    authentication: {
      method,
      ...present({ secretHash: secret === undefined ? undefined : hashSecret(secret) }),
      ...present({ secret: slots.clientAuth.get(method)?.keyOctets === undefined ? undefined : secret! }),
    },
    grantTypes,
    responseTypes: metadata.response_types ?? usualResponseTypes(grantTypes, slots),
    ...present({ scope }),
    requirePkce: metadata.require_pkce ?? true,
    ...present({ rememberConsent: metadata.remember_consent, oauthVersion: metadata.oauth_version }),
    members: readMembers(metadata, slots),
    ...facts,
  };
}

function checkRedirectUris(metadata: CoreClientMetadata, facts: ClientFacts): MetadataProblem | undefined {
  const { client_id: id, redirect_uris: uris = [] } = metadata;
  const options = {
    allowsPrivateHttp: metadata.allow_private_http ?? false,
    apps: isConfigured(facts) ? "all" : "known",
  } as const;
  if (!isClientId(id)) return { place: "client_id", expected: `must be ${clientIdForm}` };
  return checkEach("redirect_uris", uris, (uri) => unfitForAnswers(uri, options));
}

function checkAuthentication(
  metadata: CoreClientMetadata,
  method: string,
  slots: Slots,
): MetadataProblem | undefined {
  const { client_secret: secret, token_endpoint_auth_method: given } = metadata;
  const accepted = clientAuthMethods(slots);
  if (!accepted.includes(method)) {
    const known = accepted.join(", ");
    const option = slots.neededOptions.get(method);
    const expected = given === undefined
      ? `must be given: the server accepts ${known}, and not the default ${method}`
      : option === undefined
      ? `must be one of ${known}`
      : `must be one of ${known} (or set the option ${option})`;
    return { place: "token_endpoint_auth_method", expected };
  }
  if (method === publicClientMethod) {
    return secret === undefined
      ? undefined
      : { place: "client_secret", expected: "must be left out: the method none uses no secret" };
  }
  const { needs = ["client_secret"], keyOctets = 0 } = slots.clientAuth.get(method)!;
  const place = needs.find((name) => Reflect.get(metadata, name) !== undefined);
  if (place === undefined) {
    const others = needs.slice(1).map((name) => `or ${name} `).join("");
    return { place: needs[0]!, expected: `${others}must be given: ${method} needs it` };
  }
  if (`${Reflect.get(metadata, place)}`.trim() === "") {
    return { place, expected: `must not be blank: ${method} needs it` };
  }
  if (new TextEncoder().encode(secret).byteLength >= keyOctets) return undefined;
  return { place, expected: `must have at least ${keyOctets} octets: ${method} signs with it` };
}

function checkCore(metadata: CoreClientMetadata, method: string): MetadataProblem | undefined {
  // OAuth 2.1 §7.5.1: a nonce protects the client's user, but only PKCE or a secret protects the code.
  if (metadata.require_pkce === false && method === publicClientMethod) {
    return {
      place: "require_pkce",
      expected: "must not be false for a public client: only PKCE protects its codes",
    };
  }
  if (metadata.scope !== undefined && parseScope(metadata.scope) === undefined) {
    return { place: "scope", expected: "must be scope names separated by single spaces" };
  }
  return undefined;
}

function checkTypes(
  { grantTypes, responseTypes, authentication }: Client,
  slots: Slots,
): MetadataProblem | undefined {
  const isPublic = authentication?.method === publicClientMethod;
  if (isPublic && grantTypes.length > 0 && grantTypes.every((name) => name === "client_credentials")) {
    const expected =
      "must hold another grant type, or the client must have a client_secret: client_credentials is for " +
      "confidential clients only (RFC 6749 §4.4)";
    return { place: "grant_types", expected };
  }
  return checkNames("grant_types", grantTypes, slots.grantTypes) ??
    checkNames("response_types", responseTypes, slots.responseTypes);
}

function checkNames(
  member: string,
  names: readonly string[],
  known: ReadonlyMap<string, unknown>,
): MetadataProblem | undefined {
  const expected = `must be one of ${[...known.keys()].join(", ")}`;
  return checkEach(member, names, (name) => known.has(name) ? undefined : expected);
}

/** Returns the members that features read. The other members have fields of their own in `Client`. */
function readMembers(metadata: CoreClientMetadata, { clientMembers }: Slots): Client["members"] {
  const members = Object.entries(metadata).filter(([name, value]) =>
    clientMembers.has(name) && value !== undefined
  );
  return Object.fromEntries(members);
}

function checkMembers(client: Client, slots: Slots): MetadataProblem | undefined {
  for (const [name, value] of Object.entries(client.members)) {
    const problem = slots.clientMembers.get(name)?.check?.(value, client, slots);
    if (problem !== undefined) {
      return typeof problem === "string" ? { place: name, expected: problem } : problem;
    }
  }
  return undefined;
}
