/** Client metadata that every server reads, with any set of features, and the schema of all (RFC 7591 §2). */

import { explainUnknown, otherNames, type Schema, text } from "../../../../ground/schema/schema.ts";
import type { Slots } from "../../contracts/feature.ts";
import { nameText, nameTexts, scopeText, secretText, uriTexts } from "./metadata_texts.ts";

/** The members of client metadata that need no feature. */
export interface CoreClientMetadata {
  /** The name of the client in its requests. */
  readonly client_id: string;
  /** The secret of the client. A client without a secret is public. */
  readonly client_secret?: string;
  /** The name that people see when they are asked for consent. */
  readonly client_name?: string;
  /**
   * Where the browser may be sent back to: https, http on this machine, or the private scheme of an app
   * (`com.example.app:/callback`). A configured client may also have the scheme of a program that is no reversed domain
   * name, unless a browser or an operating system handles it (`cursor://anysphere.cursor-mcp/oauth/callback`). A request
   * must name one of them exactly. Only the port of a loopback address may differ.
   */
  readonly redirect_uris?: readonly string[];
  /**
   * `true`: the redirect URIs, `jwks_uri` and `backchannel_logout_uri` may be http at private addresses
   * (`http://192.168.1.5/cb`) and local names (`http://app:3000/cb`). Use it in a test network only, because others in
   * the network can read the codes. Public hosts need https in any case (RFC 9700 §2.6).
   */
  readonly allow_private_http?: boolean;
  /** How the client authenticates. Default: `none` without a secret, `client_secret_basic` with one. */
  readonly token_endpoint_auth_method?: string;
  /**
   * The grant types that the client may use. Default: `authorization_code`, `refresh_token`, and for a client with a
   * secret or a key `client_credentials`.
   */
  readonly grant_types?: readonly string[];
  /**
   * `["code"]`, or `[]` for a client that never sends people to sign in. Default: `["code"]` for a client that may use
   * `authorization_code`.
   */
  readonly response_types?: readonly string[];
  /** The scopes that the client may request, separated by spaces. Default: every scope. */
  readonly scope?: string;
  /** `false`: a request with `openid` in its scope may omit PKCE if it sends a nonce. Default: `true`. */
  readonly require_pkce?: boolean;
  /**
   * `true`: a person who has agreed is not asked again. `false`: a person is asked each time. Default: `true` with an
   * https redirect URI, and on loopback for a client with a secret or a key.
   */
  readonly remember_consent?: boolean;
  /** `pairwise`: clients on different hosts get different values of `sub` for the same person. Default: `public`. */
  readonly subject_type?: "public" | "pairwise";
  /**
   * Left out: the authorization request and the token request need `redirect_uri`. `2.1`: the token request may leave
   * `redirect_uri` out, and so may the authorization request if the client has only one redirect URI and the scope
   * lacks `openid`. `2.0`: with `require_pkce` `false`, a request with `openid` in its scope needs no `nonce`.
   */
  readonly oauth_version?: "2.0" | "2.1";
}

export const coreClientSchemas: Readonly<Record<keyof CoreClientMetadata, Schema>> = {
  client_id: { ...text, [otherNames]: ["id"] },
  client_secret: { ...secretText, [otherNames]: ["secret"] },
  client_name: { ...nameText, [otherNames]: ["name", "display_name"] },
  redirect_uris: {
    ...uriTexts,
    [otherNames]: [
      "callbacks",
      "callback",
      "callback_url",
      "callback_urls",
      "callback_uris",
    ],
  },
  allow_private_http: { type: "boolean" },
  token_endpoint_auth_method: {
    ...nameText,
    [otherNames]: ["auth_method", "authentication_method", "client_authentication_method"],
    examples: ["none", "client_secret_basic", "client_secret_post"],
  },
  grant_types: { ...nameTexts, [otherNames]: ["grants", "allowed_grant_types", "authorized_grant_types"] },
  response_types: nameTexts,
  scope: { ...scopeText, [otherNames]: ["allowed_scopes"] },
  require_pkce: { type: "boolean" },
  remember_consent: { type: "boolean" },
  subject_type: { type: "string", enum: ["public", "pairwise"] },
  oauth_version: { type: "string", enum: ["2.0", "2.1"] },
};

/** Returns the schema of client metadata. Members of features that the server lacks are not in it, so the schema refuses them. */
export function describeClient(
  { clientMembers, neededOptions }: Pick<Slots, "clientMembers" | "neededOptions">,
): Schema {
  const ofFeatures = [...clientMembers.values()].map(({ name, schema }) => [name, schema] as const);
  const schemas = [...Object.entries(coreClientSchemas), ...ofFeatures];
  return {
    type: "object",
    description: "A client, with the member names of RFC 7591.",
    required: ["client_id"],
    additionalProperties: false,
    [explainUnknown](name) {
      const option = neededOptions.get(name);
      return option && `needs the option ${option}`;
    },
    properties: Object.fromEntries(schemas),
  };
}
