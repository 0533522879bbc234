/** Proof Key for Code Exchange: S256, and nothing else (RFC 7636; OAuth 2.1 §4.1.1, §7.5). */

import { describeSecretText } from "../../../ground/schema/received.ts";
import { type Carrier, nonceKey, readCarried } from "../contracts/feature_values.ts";
import { type Client, publicClientMethod } from "../contracts/client.ts";
import {
  memberRemedy,
  presumeMethod,
  type Remedy,
  suggestConfiguration,
} from "../clients/records/client_remedy.ts";
import { otherLibrary, whoMayOmitPkce } from "../clients/records/losses.ts";
import { describeMissing, type Params } from "../contracts/params.ts";
import { type RefusalRows, refusals } from "../contracts/refusals.ts";
import type { Services } from "../contracts/feature.ts";
import type { Settings } from "../contracts/settings.ts";
import { present } from "../../../ground/values/present.ts";

const challenge = "code_challenge=BASE64URL(SHA256(code_verifier)) and code_challenge_method=S256";

const ifInBody =
  "The server cannot know yet how the client sends its secret: if in the body, its token_endpoint_auth_method is client_secret_post.";

const makeChallenge =
  "Make a random code_verifier for each login. Send code_challenge=BASE64URL(SHA256(code_verifier)) and code_challenge_method=S256 in the authorization request, and the code_verifier in the token request.";

const refusal = refusals({ error: "invalid_request", spec: "OAuth 2.1 §4.1.1" }, {
  challenge_missing: {
    sentence: "PKCE is required: code_challenge and code_challenge_method=S256 are missing",
    expected: challenge,
    change: makeChallenge,
  },
  challenge_missing_without_secret: {
    reason: "challenge_missing",
    sentence: "PKCE is required: code_challenge and code_challenge_method=S256 are missing",
    expected: challenge,
    change:
      `${makeChallenge} If your library cannot, ${otherLibrary}: a client without a secret has no exception.`,
  },
  challenge_and_more_missing: {
    reason: "challenge_missing",
    sentence: "The request needs PKCE or {other}, and has neither",
    expected: `${challenge}, or {other}`,
    change: makeChallenge,
  },
  challenge_and_nonce_missing: {
    sentence: "The request needs PKCE or {other}, and has neither",
    expected: `${challenge}, or {other}`,
    change:
      "Send a random nonce in the authorization request, and compare it with the nonce of the ID token. PKCE is the stronger way: make a random code_verifier for each login, send code_challenge=BASE64URL(SHA256(code_verifier)) and code_challenge_method=S256 in the authorization request, and the code_verifier in the token request.",
  },
  challenge_method_alone: {
    sentence: "code_challenge_method needs a code_challenge",
    expected: "code_challenge",
    change: "Add the code_challenge, or remove code_challenge_method.",
  },
  challenge_method_missing: {
    sentence: "The PKCE method is missing: add code_challenge_method=S256",
    expected: "code_challenge_method=S256",
    change: "Add code_challenge_method=S256.",
  },
  challenge_method_unsupported: {
    spec: "OAuth 2.1 §7.5.2",
    sentence: "This code_challenge_method is unsupported: use S256",
    expected: "S256",
    change: "Use code_challenge_method=S256, and hash the verifier.",
  },
  challenge_malformed: {
    spec: "RFC 7636 §4.2",
    sentence: "code_challenge is not a SHA-256 hash in base64url",
    expected: "43 characters of A-Z a-z 0-9 - _",
    change:
      "Send BASE64URL(SHA256(code_verifier)) without padding as code_challenge, which has 43 characters.",
  },
});

export const refused: RefusalRows = refusal.rows;

const aNonce = "a nonce";

/** An OpenID client with `require_pkce: false` may check a nonce instead (OAuth 2.1 §7.5.1.1). */
export function mayOmitPkce(options: PkceOptions, { forgoesPkce }: Pick<Settings, "forgoesPkce">): boolean {
  const { client } = options;
  const isPublic = client.authentication?.method === publicClientMethod;
  return forgoesPkce?.(client.id, { isPublic }) ||
    !client.requirePkce && listMissing(options).length === 0;
}

/** Returns the parts that a request without PKCE still needs, if its client has `require_pkce: false`. */
function listMissing({ client, scope, carrier }: PkceOptions): readonly string[] {
  const needsNonce = client.oauthVersion !== "2.0" && readCarried(carrier, nonceKey) === undefined;
  return [
    ...(scope.includes("openid") ? [] : ["openid in the scope"]),
    ...(needsNonce ? [aNonce] : []),
  ];
}

interface PkceOptions {
  readonly client: Client;
  readonly scope: readonly string[];
  readonly carrier: Carrier;
}

export function requireChallenge(
  params: Params,
  options: PkceOptions,
  services: Services,
): string | undefined {
  const challenge = params.get("code_challenge");
  const method = params.get("code_challenge_method");
  if (challenge === undefined) {
    if (method !== undefined) throw refusal("challenge_method_alone");
    if (mayOmitPkce(options, services.settings)) return undefined;
    refuseWithoutChallenge(params, options, services);
  }
  if (method === undefined) {
    throw refusal("challenge_method_missing", { received: "no code_challenge_method" });
  }
  if (method !== "S256") throw refusal("challenge_method_unsupported", { received: method });
  // SHA-256 in base64url. Without this check, the error would only appear at the token request.
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    throw refusal("challenge_malformed", { received: describeSecretText(challenge) });
  }
  return challenge;
}

function refuseWithoutChallenge(params: Params, options: PkceOptions, services: Services): never {
  const missing = options.client.requirePkce ? [] : listMissing(options);
  const other = missing.join(" and ");
  const received = [
    describeMissing("code_challenge", params),
    "no code_challenge_method",
    ...missing.map((each) => each.replace(/^(a )?/, "no ")),
  ].join(", ");
  const suggest = (method?: string): Remedy => {
    const { instead, remedy } = suggestException(options, services, method);
    const parts = [other === "" ? describePossibleException(options) : "", instead];
    return present({ instead: parts.filter(Boolean).join(" ") || undefined, remedy });
  };
  const values = { received, ...suggest(), remedyFor: suggest };
  if (other === "") {
    const isPublic = options.client.authentication?.method === publicClientMethod;
    throw refusal(isPublic ? "challenge_missing_without_secret" : "challenge_missing", values);
  }
  throw refusal(other === aNonce ? "challenge_and_nonce_missing" : "challenge_and_more_missing", {
    ...values,
    other,
  });
}

/** Says who may do without PKCE, and on which conditions. A public client never may. */
function describePossibleException(options: PkceOptions): string {
  const { authentication, registeredItself } = options.client;
  if (authentication?.method === publicClientMethod) return "";
  return whoMayOmitPkce({
    isConfigured: authentication !== undefined,
    registeredItself,
    missing: listMissing(options),
  });
}

/** Suggests the metadata to change, so that the same request may omit PKCE. Without `method`, it is guessed. */
function suggestException(
  { client, scope, carrier }: PkceOptions,
  services: Services,
  method?: string,
): Remedy {
  const { authentication, oauthVersion, registeredItself } = client;
  const needsNonce = readCarried(carrier, nonceKey) === undefined;
  // Only a client of OAuth 2.0 may omit the nonce as well.
  const isPossible = scope.includes("openid") && !(needsNonce && oauthVersion === "2.1");
  const presumed = presumeMethod(services);
  if (!isPossible || authentication?.method === publicClientMethod || presumed === undefined) return {};
  const version = needsNonce ? { oauth_version: "2.0" } : {};
  if (registeredItself) {
    const configuration = { registration: { clientMetadata: { require_pkce: false, ...version } } };
    return suggestConfiguration(configuration);
  }
  const { remedy, instead } = memberRemedy(client, {
    ...present({ token_endpoint_auth_method: authentication === undefined ? method ?? presumed : undefined }),
    ...present({ require_pkce: client.requirePkce ? false : undefined }),
    ...version,
  }, services);
  const isGuess = remedy !== undefined && authentication === undefined && method === undefined &&
    presumed === "client_secret_basic" && services.slots.clientAuth.has("client_secret_post");
  return present({ remedy, instead: isGuess ? [ifInBody, instead].filter(Boolean).join(" ") : instead });
}
