/** The matchers for `expect.extend` of Vitest, Playwright and bun test, which share one contract for matchers. */

import type { RequestScope } from "../mock/journal/request_list.ts";
import {
  explainJudgement,
  type Judgement,
  judgePkce,
  judgeRecipient,
  judgeRefresh,
  type RecipientTerms,
} from "./judgements.ts";

/** What a matcher returns to `expect`. */
export type MatcherResult = {
  readonly pass: boolean;
  /** Called if the assertion fails: with `not`, because the value passed. */
  readonly message: () => string;
};

/** The matchers of `expect`, as a test calls them. `Returned` is what the runner's own matchers return. */
export interface MockMatchers<Returned> {
  /**
   * The client redeemed at least one code, and each with PKCE and a code_verifier of its own. The value is the mock, or a
   * tenant of it.
   */
  toHaveUsedPkce(scope?: RequestScope): Returned;
  /**
   * The client sent one refresh request, and it succeeded. A request that the server let fail (5xx) does not count. The
   * value is the mock, or a tenant of it.
   */
  toHaveRefreshedOnce(scope?: RequestScope): Returned;
  /** The value is the text of a token that the mock issued for this client, person and audience. */
  toBeIssuedFor(terms: RecipientTerms): Returned;
}

/** The matchers, as `expect.extend` takes them. */
// A type alias, because an interface is not assignable to a Record. The values are unknown, because bun demands that.
export type Matchers = {
  readonly toHaveUsedPkce: (as: unknown, scope?: RequestScope) => MatcherResult;
  readonly toHaveRefreshedOnce: (as: unknown, scope?: RequestScope) => MatcherResult;
  readonly toBeIssuedFor: (token: unknown, terms: RecipientTerms) => MatcherResult;
};

/** Give them to `expect.extend`. */
export const matchers: Matchers = {
  toHaveUsedPkce: (as, scope) => toResult(judgePkce(as, scope)),
  toHaveRefreshedOnce: (as, scope) => toResult(judgeRefresh(as, scope)),
  toBeIssuedFor: (token, terms) => toResult(judgeRecipient(token, terms)),
};

function toResult(judgement: Judgement): MatcherResult {
  const { passed } = judgement;
  // `expect` asks for the message of a judgement that passed only after `not`.
  return { pass: passed, message: () => explainJudgement(judgement, passed) };
}
