/** Mocks and assertions for node:test. */

import { AssertionError } from "node:assert";
import { after, afterEach } from "node:test";
import type { RequestScope } from "../mock/journal/request_list.ts";
import type { Mock } from "../mock/mock.ts";
import {
  explainJudgement,
  type Judged,
  type Judgement,
  judgePkce,
  judgeRecipient,
  judgeRefresh,
  type RecipientTerms,
} from "./judgements.ts";
import { type FolderTerms, openMock, writeTimeline } from "./open_mock.ts";

export type { FixtureTerms, FolderTerms } from "./open_mock.ts";
export type { Judged, RecipientTerms } from "./judgements.ts";

/** The part of node:test's context that a mock uses: `test("…", async (t) => { … })`. */
export interface NodeTest {
  readonly name: string;
  readonly fullName?: string;
  /** Absent before Node 22.6. */
  readonly filePath?: string | undefined;
  /** What the test has thrown. */
  readonly error?: unknown;
  diagnostic(message: string): void;
  after(hook: () => Promise<void>): void;
}

/** Opens a mock for one test. The mock closes at the end of the test, also if the test fails. */
export async function openTestMock(t: NodeTest, terms: FolderTerms = {}): Promise<Mock> {
  const as = await openMock(terms);
  t.after(async () => {
    try {
      await tellTimeline(as, t, terms);
    } finally {
      await as.close();
    }
  });
  return as;
}

/** Opens a mock for all tests of the file. The mock is reset after each test, and closes after the last one. */
export async function openFileMock(terms: FolderTerms = {}): Promise<Mock> {
  const as = await openMock(terms);
  afterEach(async (t) => {
    await tellTimeline(as, t as unknown as NodeTest, terms);
    as.reset();
  });
  after(() => as.close());
  return as;
}

async function tellTimeline(as: Mock, t: NodeTest, terms: FolderTerms): Promise<void> {
  if ((t.error ?? undefined) === undefined) return;
  const { name, fullName = name, filePath: file } = t;
  t.diagnostic(await writeTimeline(as, { file, name: fullName }, terms));
}

/** Requires that the client redeemed at least one code, and each with PKCE and a code_verifier of its own. */
export function assertUsedPkce(as: Judged, scope?: RequestScope): void {
  requirePassed(judgePkce(as, scope), assertUsedPkce);
}

/**
 * Requires that the client sent one refresh request, and that it succeeded. A request that the server let fail (5xx)
 * does not count.
 */
export function assertRefreshedOnce(as: Judged, scope?: RequestScope): void {
  requirePassed(judgeRefresh(as, scope), assertRefreshedOnce);
}

/** Requires that this is the text of a token that the mock issued for this client, person and audience. */
export function assertIssuedFor(token: string, terms: RecipientTerms): void {
  requirePassed(judgeRecipient(token, terms), assertIssuedFor);
}

function requirePassed(
  judgement: Judgement,
  stackStartFn: typeof assertUsedPkce | typeof assertIssuedFor,
): void {
  if (judgement.passed) return;
  throw new AssertionError({ message: explainJudgement(judgement, false), stackStartFn });
}
