/** The terms of `as.resource`: their types, and the check of their values. */

import type { Claims } from "../../../ground/values/members.ts";
import type { Duration } from "../../../ground/schema/duration.ts";
import { describeType } from "../../../ground/schema/received.ts";
import { requireNotNegative } from "../terms/duration.ts";
import { requireTerms, types } from "../terms/known_options.ts";
import { WrongTerm } from "../terms/wrong_term.ts";
import type { ProtectDpop } from "../tokens/protect_dpop.ts";
import type { ResourceRule } from "./rules.ts";

/** What an API requires, and how it describes itself (RFC 9728). */
export interface ResourceTerms {
  /** The scopes that every request needs. */
  readonly scope?: string | readonly string[];
  /** What certain requests need in addition. */
  readonly rules?: readonly ResourceRule[];
  /** The values of the claim `acr`, of which every token must have one (RFC 9470). */
  readonly acr?: string | readonly string[];
  /** How long ago the person may have signed in (RFC 9470). */
  readonly maxAge?: Duration;
  /** How the API uses DPoP. Default: it accepts bearer tokens and bound tokens, without nonces. */
  readonly dpop?: ProtectDpop;
  /** `scopes_supported` of the metadata. Default: the metadata names no scopes. */
  readonly scopes?: readonly string[];
  /**
   * Where the metadata is: `path` (`/.well-known/oauth-protected-resource` before the path of the API), `root` (without
   * that path), another URL of the same origin, or nowhere. Default: `path`.
   */
  readonly metadata?: "path" | "root" | URL | false;
  /** Members that the metadata has in addition, or with another value. `undefined` removes a member. */
  readonly document?: Readonly<Record<string, unknown>>;
  /** How refusals challenge the client. `false`: without the header `WWW-Authenticate`. */
  readonly challenge?: false | ResourceChallenge;
  /**
   * The authorization servers whose tokens the API accepts: this server, its tenants, or an issuer that only the
   * metadata names. Default: this server.
   */
  readonly authorizationServers?: readonly (string | { readonly issuer: string })[];
}

/** Changed terms of an API. `undefined` restores the default. */
export type ResourceChanges = { readonly [name in keyof ResourceTerms]?: ResourceTerms[name] | undefined };

/** The parameters of the header `WWW-Authenticate`. */
export interface ResourceChallenge {
  /** Default: the URL of the API. */
  readonly realm?: string;
  /**
   * Which scopes the challenge names: all that the request needs, only those that its token lacks, or none. Default:
   * `needed`.
   */
  readonly scope?: "needed" | "missing" | false;
  /** Whether the challenge names the URL of the metadata (RFC 9728 §5.1). Default: `true`, if there is metadata. */
  readonly metadata?: boolean;
}

/** Answers a request that the API has accepted. `claims` are those of its token. Default: answers with the claims. */
export type ResourceHandler = (request: Request, claims: Claims) => Response | Promise<Response>;

export function requireResourceOptions(doing: string, url: string, terms: ResourceTerms): void {
  requireTerms(doing, terms, types.ResourceTerms);
  for (const { maxAge } of [terms, ...terms.rules ?? []]) {
    if (maxAge !== undefined) requireNotNegative(maxAge, doing);
  }
  const { metadata = "path" } = terms;
  const isKnown = metadata === "path" || metadata === "root" || metadata === false ||
    metadata instanceof URL && metadata.origin === new URL(url).origin;
  if (isKnown) return;
  throw new WrongTerm(
    doing,
    `metadata to be "path", "root", false or a URL of ${new URL(url).origin}`,
    metadata instanceof URL
      ? metadata.href
      : typeof metadata === "string"
      ? metadata
      : describeType(metadata),
  );
}

/** Returns `undefined` for anything but a URL without query and fragment. A path is below the origin of the issuer. */
export function findUrl(given: unknown, issuerOrigin: string): string | undefined {
  const url = typeof given === "string" && /^\/(?!\/)/.test(given) ? issuerOrigin + given : given;
  const isPlain = typeof url === "string" && /^https?:\/\/[^/?#@\\]+(\/[\x21\x24-\x7e]*)?$/.test(url) &&
    !/[?#]/.test(url);
  return isPlain && URL.canParse(url) ? url : undefined;
}

export function readResourceUrl(given: unknown, issuerOrigin: string): string {
  const url = findUrl(given instanceof URL ? given.href : given, issuerOrigin);
  if (url !== undefined) return url;
  throw new WrongTerm(
    "create a resource",
    'the URL of an API without query and fragment, such as "https://api.test/mcp", or a path at the issuer\'s origin',
    typeof given === "string" ? given : describeType(given),
  );
}
