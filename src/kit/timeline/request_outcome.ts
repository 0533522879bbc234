/** How a request ended: the names in the journal, the pages, the filter, the exports and the API, each with its mark. */

export const outcomeMarks = { ok: "●", refused: "▲", failed: "■" } as const;

/** `failed` is a failure of the server itself. */
export type RequestOutcome = keyof typeof outcomeMarks;

/**
 * Pages mark an answer that a misbehaviour made wrong, too. Its outcome stays `ok`, because the server accepted the request.
 * The outcome of a person's Deny stays `refused`, and its mark says that the client made no mistake. What is `unfinished`
 * has the outcome `ok`, and waits for the person or the client.
 */
export type ShownMark = RequestOutcome | "wrong" | "denied" | "unfinished";

const moreMarks = { wrong: "◆", denied: "○", unfinished: "○" };
export const shownMarks: Readonly<Record<ShownMark, string>> = { ...outcomeMarks, ...moreMarks };

export function markOf(
  { outcome, isWrong, refusal }: {
    readonly outcome: RequestOutcome;
    readonly isWrong?: true;
    readonly refusal?: { readonly reason: string; readonly error?: string };
  },
): ShownMark {
  if (refusal?.reason === "user_denied") return "denied";
  if (refusal?.error === "authorization_pending") return "unfinished";
  return outcome === "ok" && isWrong ? "wrong" : outcome;
}

export const requestOutcomes = Object.keys(outcomeMarks) as readonly RequestOutcome[];
