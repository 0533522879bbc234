/** How a request ended: the names in the journal, the pages, the filter, the exports and the API, each with its mark. */

export const outcomeMarks = { ok: "●", refused: "▲", failed: "■" } as const;

/** `failed` is a failure of the server itself. */
export type RequestOutcome = keyof typeof outcomeMarks;

export const requestOutcomes = Object.keys(outcomeMarks) as readonly RequestOutcome[];
