/** The options of `as.workload`, and the check that the platform issues such tokens. */

import type { Claims } from "../../../ground/values/members.ts";
import type { Duration } from "../../../ground/schema/duration.ts";
import { describeValue } from "../../../ground/schema/received.ts";
import { otherNames, type Schema, texts } from "../../../ground/schema/schema.ts";
import { readDuration } from "../terms/duration.ts";
import { requireTerms, types } from "../terms/known_options.ts";
import type { Platform } from "./platform.ts";

/** Options of `workload`: the workload, and the token that it gets. */
export interface WorkloadTerms {
  /**
   * The subject of the token. The claims that the platform derives from it follow: the repository, the project, the
   * service account. Default: an example of the platform's documentation.
   */
  readonly sub?: string;
  /**
   * Claims that are added to those of the platform, or replace them, also those that no workload can choose. `undefined`
   * removes a claim. The default subject follows from them.
   */
  readonly claims?: Claims;
  /** Who the token is for. Default: the usual audience of the platform. SPIFFE has none, so it needs this member. */
  readonly audience?: string | readonly string[];
  /** How long the token is valid. Default: as long as the platform's tokens live. */
  readonly expiresIn?: Duration;
}

export interface CheckedOptions {
  readonly sub: string | undefined;
  readonly claims: Claims;
  readonly audience: readonly string[] | undefined;
  /** In seconds. */
  readonly lifetime: number;
}

const audienceSchema: Schema = { anyOf: [{ type: "string", minLength: 1 }, { ...texts, minItems: 1 }] };

/** Throws if the platform issues no such token. */
export function readWorkloadOptions(terms: WorkloadTerms, platform: Platform): CheckedOptions {
  const doing = `mint a token of ${platform.title}`;
  requireTerms(doing, terms, types.WorkloadTerms, describeMembers(platform));
  const { sub, claims = {}, audience, expiresIn = platform.lifetime } = terms;
  if (sub !== undefined && platform.subject.read(sub) === undefined) {
    throw new TypeError(
      `Cannot ${doing}: sub must be ${platform.subject.form}, not ${describeValue(sub, 100)}. ` +
        "For any other text, use claims: { sub }",
    );
  }
  const lifetime = Math.floor(readDuration(expiresIn));
  if (lifetime < 1) {
    throw new TypeError(
      `Cannot ${doing} that expires in ${describeValue(expiresIn)}: expected one second or more. ` +
        "For an expired token, use claims: { exp }",
    );
  }
  return { sub, claims, lifetime, audience: readAudience(audience, platform, doing) };
}

function readAudience(
  audience: string | readonly string[] | undefined,
  { title, audience: { form, find, rule } }: Platform,
  doing: string,
): readonly string[] | undefined {
  if (audience === undefined && find !== undefined) return undefined;
  if (audience === undefined) {
    throw new TypeError(
      `Cannot ${doing} without an audience (${rule}): name the service that checks it, as in ` +
        '{ audience: "https://api.example" }',
    );
  }
  const list = [audience].flat();
  if (form !== "text" || list.length === 1) return list;
  throw new TypeError(
    `Cannot ${doing}: audience must be one text, because ${title} gives a token one audience`,
  );
}

/** The claims of the platform have the types that they have in its tokens. A verifier may rely on them. */
function describeMembers(platform: Platform): Readonly<Record<string, Schema>> {
  const example = platform.describe({}, "https://as.test");
  const types = Object.entries(example).map(([name, value]): [string, Schema] => [name, typeOf(value)]);
  const claims: Schema = {
    type: "object",
    properties: { ...commonClaims, ...Object.fromEntries(types) },
  };
  return {
    sub: { type: "string", [otherNames]: ["subject"] },
    claims,
    audience: audienceSchema,
  };
}

/** The claims of RFC 7519 §4.1, and one that only some jobs have. */
const commonClaims: Readonly<Record<string, Schema>> = {
  iss: { type: "string" },
  sub: { type: "string" },
  aud: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
  exp: { type: "number" },
  nbf: { type: "number" },
  iat: { type: "number" },
  jti: { type: "string" },
  environment: { type: "string" },
};

function typeOf(value: unknown): Schema {
  return { type: typeof value === "number" ? "number" : typeof value === "string" ? "string" : "object" };
}
