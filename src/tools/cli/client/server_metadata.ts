/** Loads the metadata of a running server, and chooses what a client needs from it (RFC 8414). */

import type { DpopKey } from "../../../server/client/dpop_key.ts";
import { generateSigningJwk } from "../../../ground/crypto/jwk.ts";
import { importSigningKey } from "../../../ground/crypto/jwt.ts";
import { signingAlgorithms } from "../../../ground/crypto/platform.ts";
import { metadataPaths } from "../../../server/oauth/contracts/paths.ts";
import type { Members } from "../../../ground/values/members.ts";
import { parseJsonObject } from "../../../ground/schema/json_object.ts";
import { failed } from "../terminal/command_error.ts";
import { quote } from "./send_form.ts";
import { sendRequest } from "./send_request.ts";
import { findApiScopes, personScopes } from "./usual_scope.ts";

export interface Metadata {
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly metadata: Members;
}

/** Loads the first document that names both endpoints. */
export async function loadMetadata(issuer: string): Promise<Metadata> {
  const answers: string[] = [];
  for (const url of listMetadataUrls(issuer)) {
    const response = await sendRequest(url, {});
    const metadata = parseJsonObject(await response.text().catch(() => "")) ?? {};
    const { authorization_endpoint: authorizationEndpoint, token_endpoint: tokenEndpoint } = metadata;
    if (response.ok && typeof authorizationEndpoint === "string" && typeof tokenEndpoint === "string") {
      // RFC 8414 §3.3: the metadata of another issuer could send the code to another server.
      if (metadata["issuer"] !== issuer) {
        throw failed(`the issuer of that server is ${quote(metadata["issuer"])}: use it with --issuer`);
      }
      return { authorizationEndpoint, tokenEndpoint, metadata };
    }
    answers.push(`${url} answers ${response.status}`);
  }
  throw failed(`${issuer} is not an authorization server: ${answers.join(", ")}`);
}

/** Lists where metadata may be: before the path of the issuer (RFC 8414 §3.1), or after it (Discovery §4). */
export function listMetadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  const paths = Object.values(metadataPaths).flatMap((each) => [each + path, path + each]);
  return [...new Set(paths)].map((each) => origin + each);
}

/** Returns a scope whose token works at userinfo and at the server's APIs. */
export function chooseScope(
  { scopes_supported: supported }: Members,
  defaultScope: string | undefined,
): string | undefined {
  if (!Array.isArray(supported) || !supported.includes("openid")) return undefined;
  const configured = findApiScopes(supported);
  // Without configured scopes, every scope exists, and `read` is the server's default.
  const forApis = defaultScope?.split(" ") ?? (configured.length === 0 ? ["read"] : configured);
  return [...new Set([...personScopes.filter((name) => supported.includes(name)), ...forApis])].join(" ");
}

export async function requireProofKey(
  issuer: string,
  { dpop_signing_alg_values_supported: supported }: Members,
): Promise<DpopKey> {
  // A key of ES256 is small, and quick to create.
  const known = ["ES256" as const, ...signingAlgorithms];
  const alg = Array.isArray(supported) ? known.find((each) => supported.includes(each)) : undefined;
  if (alg === undefined) {
    throw failed(`${issuer} cannot bind tokens: its metadata has no known dpop_signing_alg_values_supported`);
  }
  return { key: await importSigningKey(await generateSigningJwk(alg), alg), nonces: new Map() };
}
