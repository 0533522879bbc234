/** Creates an access token with one named fault, for tests of an API. */

import type { Level, Misbehaviour } from "../../faults/misbehaviour.ts";
import { type ForgeryName, forgeryNames, isForgery } from "../../faults/names.ts";
import { suggestMisbehaviour } from "../../faults/plain_words.ts";
import { present } from "../../../ground/values/present.ts";
import { describeValue } from "../../../ground/schema/received.ts";
import type { RunningTenant } from "../running_tenant.ts";
import { recordSeen } from "../journal/record_seen.ts";
import type { RecordedRequest } from "../journal/recorded_request.ts";
import { requireVariant } from "../misbehaving/require_variant.ts";
import { requireTerms, types } from "../terms/known_options.ts";
import { mintChanged } from "./mint.ts";
import type { MintTerms } from "./mint_terms.ts";

/** The response that a resource server must give to a faulty token. */
export interface ForgeryVerdict {
  /** How strongly the rule obliges the API. `tolerate`, `robustness`: the token is only unusual, so a correct API accepts it. */
  readonly level: Level;
  /** 401, 403 if only the scope is wrong, or 200 if the API has to accept the token. */
  readonly status: 200 | 401 | 403;
  /** The error code in the challenge. Absent if the API has to accept the token. */
  readonly error?: "invalid_token" | "insufficient_scope" | "insufficient_user_authentication";
  /** True if a correct API may also refuse a token that is only unusual. */
  readonly mayRefuse?: true;
  /** The rule with its section. */
  readonly spec: string;
  /** The fault in one sentence, for the message of a failing test. */
  readonly why: string;
  /**
   * The check that detects the fault. `verification` checks the issuer, the audience, the signature and the times.
   * `scope` checks the scope, and `authentication` when and how the person signed in. `server` means that the API must ask
   * the server by introspection. Absent if the API has to accept the token.
   */
  readonly seenBy?: "verification" | "scope" | "authentication" | "server";
}

/** Options of `forge`, which describe the token apart from its fault. */
export type ForgeTerms = MintTerms & {
  readonly kind?: never;
  /** The variant of the fault, if it has several. Default: the first. */
  readonly variant?: string;
};

/** The result of `forge`: a token with one fault, and how a resource server must answer it. */
export interface Forgery {
  /** The name of the fault. */
  readonly name: ForgeryName;
  /** The faulty access token. If another published key has signed it, the server publishes this key until a reset. */
  readonly token: string;
  /** Tokens that the API has to get before, in this order. Most faults have none. */
  readonly first: readonly string[];
  /** The response that a resource server must give. */
  readonly verdict: ForgeryVerdict;
  /** The requests, up to now, to the URL in the token's header: a correct API sends none. Other faults have no URL. */
  readonly requests: readonly RecordedRequest[];
  /** The requests, up to now, to the foreign issuer of a token in `first`: an API may trust it, too. Other faults have none. */
  readonly issuerRequests: readonly RecordedRequest[];
}

export async function forge(name: ForgeryName, terms: ForgeTerms, running: RunningTenant): Promise<Forgery> {
  if (!isForgery(name)) {
    throw new TypeError(
      `There is no forgery ${describeValue(name)}: as.forgeries lists them${
        suggestMisbehaviour(withArea(name), forgeryNames)
      }`,
    );
  }
  requireTerms(`forge ${name}`, terms, types.ForgeTerms);
  const { variant, ...mintOptions } = terms;
  requireVariant(`forge ${name}`, name, variant);
  const { activeList } = running;
  const { entry, acts, first, listCalls, listProofs } = await activeList.prepare(name, variant);
  // An examination publishes a key for a time itself.
  const isPrepared = entry.prepares === undefined || entry.api?.loads !== undefined ||
    activeList.active.some((each) => each.name === name);
  if (!isPrepared) activeList.switchOn(name, { probability: 0 }, () => {});
  const opaque = running.services.settings.accessTokens === "opaque" ? entry.api!.opaque ?? false : undefined;
  if (opaque === false) {
    throw new TypeError(
      `Cannot forge ${name}: the fault is in a part of a JWT, but the access tokens are opaque. ` +
        'Configure accessTokens: "jwt"',
    );
  }
  const minted = await mintChanged(`forge ${name}`, mintOptions, acts, running);
  const isRewritten = typeof opaque === "function";
  return {
    name,
    token: isRewritten ? opaque(minted, variant) : minted,
    first: isRewritten ? [minted] : first,
    verdict: describeVerdict(entry),
    get requests() {
      return listProofs().map(recordSeen);
    },
    get issuerRequests() {
      return entry.api?.namesOtherServer ? listCalls().map(recordSeen) : [];
    },
  };
}

/** Adds the area to a name without one, so that the error suggests the whole name. */
function withArea(name: unknown): unknown {
  return typeof name === "string" && !name.includes(".") ? `access_token.${name}` : name;
}

export function describeVerdict({ api, level, rule, server }: Misbehaviour): ForgeryVerdict {
  const { status, error, seenBy, mayRefuse } = api!;
  // A faulty token has none of the answers to a faulty proof.
  const answer = present({ error, seenBy, mayRefuse }) as Pick<
    ForgeryVerdict,
    "error" | "seenBy" | "mayRefuse"
  >;
  return { level, status, ...answer, spec: rule, why: server };
}
