/** Reads the metadata document of a client (CIMD §4, with the members of RFC 7591 §2). */

import { isUsefulKey, type Jwk } from "../../../ground/crypto/jwk.ts";
import { checkSchema } from "../../../ground/schema/check_schema.ts";
import { isJsonObject } from "../../../ground/schema/json_object.ts";
import { type Client, publicClientMethod, usesSecret } from "../../oauth/contracts/client.ts";
import { type CoreClientMetadata, describeClient } from "../../oauth/clients/metadata/client_metadata.ts";
import { findNameProblem } from "../../oauth/clients/metadata/client_name.ts";
import { type ClientFacts, readClient } from "../../oauth/clients/metadata/read_client.ts";
import { registeredNames } from "../../oauth/clients/metadata/registered_names.ts";
import type { MetadataProblem, Slots } from "../../oauth/contracts/feature.ts";
import type { Members } from "../../../ground/values/members.ts";
import { present } from "../../../ground/values/present.ts";

/** Such a client may use no other grant types, because no operator has configured it. */
const allowedGrantTypes: readonly string[] = ["authorization_code", "refresh_token"];

export function readDocument(
  value: unknown,
  id: string,
  slots: Slots,
): { readonly metadata: Members } | MetadataProblem {
  if (!isJsonObject(value)) return { place: "document", expected: "must be a JSON object" };
  const problem = checkDocument(value, id) ?? findNameProblem(value);
  if (problem !== undefined) return problem;
  const { properties = {} } = describeClient(slots);
  const known = Object.entries(value).filter(([name, member]) =>
    // A name that only this server knows is a decision of its operator.
    Object.hasOwn(properties, name) && registeredNames.has(name) && member !== null
  );
  for (const [name, member] of known) {
    const wrong = checkSchema(member, properties[name]!, name);
    if (wrong !== undefined) return { place: wrong.place, expected: wrong.problem };
  }
  return { metadata: chooseValues(Object.fromEntries(known), value, slots) };
}

function checkDocument(document: Members, id: string): MetadataProblem | undefined {
  // CIMD §4: compared as text.
  if (document["client_id"] !== id) {
    return { place: "client_id", expected: "must be exactly the URL of the document" };
  }
  // CIMD §4.1: everyone can read the document, so it cannot hold a secret.
  for (const place of ["client_secret", "client_secret_expires_at"]) {
    if (document[place] !== undefined) return { place, expected: "must be left out: the document is public" };
  }
  const method = document["token_endpoint_auth_method"];
  if (typeof method === "string" && usesSecret(method)) {
    const expected = "must be none or private_key_jwt: the document is public, so the client has no secret";
    return { place: "token_endpoint_auth_method", expected };
  }
  const at = listKeys(document).findIndex((jwk) => jwk.d !== undefined || jwk.k !== undefined);
  return at === -1 ? undefined : { place: `jwks.keys[${at}]`, expected: "must be a public key" };
}

function listKeys({ jwks }: Members): readonly Jwk[] {
  const keys = isJsonObject(jwks) ? jwks["keys"] : undefined;
  return Array.isArray(keys) ? keys.filter(isJsonObject) as readonly Jwk[] : [];
}

function chooseValues(metadata: Members, document: Members, slots: Slots): Members {
  const { grant_types: grantTypes = allowedGrantTypes } = metadata as Partial<CoreClientMetadata>;
  const allowed = grantTypes.filter((name) => allowedGrantTypes.includes(name) && slots.grantTypes.has(name));
  return {
    ...metadata,
    grant_types: allowed,
    response_types: allowed.includes("authorization_code") && slots.responseTypes.has("code") ? ["code"] : [],
    token_endpoint_auth_method: metadata["token_endpoint_auth_method"] ?? chooseMethod(document, slots),
    // RFC 7517 §5: keys that the server does not understand are ignored.
    ...present({
      jwks: metadata["jwks"] === undefined ? undefined : { keys: listKeys(document).filter(isUsefulKey) },
    }),
  };
}

/** Chooses from the list of OpenID Connect Relying Party Metadata Choices. */
function chooseMethod(document: Members, { clientAuth }: Slots): string {
  const { token_endpoint_auth_methods_supported: listed } = document;
  const methods: readonly unknown[] = Array.isArray(listed) ? listed : [];
  const known = methods.find((name): name is string =>
    typeof name === "string" && !usesSecret(name) && clientAuth.has(name)
  );
  return known ?? publicClientMethod;
}

export function readDocumentClient(
  metadata: Members,
  facts: ClientFacts,
  slots: Slots,
): Client | MetadataProblem {
  const client = readClient(metadata as unknown as CoreClientMetadata, facts, slots);
  if ("place" in client) return client;
  return client.responseTypes.length > 0 && client.redirectUris.length === 0
    ? { place: "redirect_uris", expected: "must have a URI: the answer of a request goes to one of them" }
    : client;
}
