/** The English words of the list of requests. */

import { type ByName, byName } from "../../../ground/values/fill.ts";
import type { LookupCounts } from "./list_props.ts";

/** Returns text such as `2 refused · 1 failed`. It is empty if there are none. */
function countBad(refused: number, failed: number): string {
  const count = (number: number, word: string) =>
    number === 0 ? [] : [`${number.toLocaleString("en")} ${word}`];
  return [...count(refused, "refused"), ...count(failed, "failed")].join(" · ");
}

function countRequests(number: number): string {
  return `${number.toLocaleString("en")} ${number === 1 ? "request" : "requests"}`;
}

/** Returns text such as `3 of 6 requests`. */
function countSome(some: number, all: number): string {
  return (some >= all ? "" : `${some.toLocaleString("en")} of `) + countRequests(Math.max(some, all));
}

export const englishRequests = {
  results: {
    page: "shows a page",
    sign_in: "asks to sign in",
    sign_up: "asks to make an account",
    account: "asks which account",
    second_factor: "asks for the second factor",
    consent: "asks for consent",
    next: "goes on",
    code: "code to the client",
    error: "error to the client",
  },
  /** What an endpoint gave. A Map, because other code names the endpoints. */
  given: byName({ token: "tokens to the client", userinfo: "claims to the client" }) as ByName,
  columns: {
    time: "Time (UTC)",
    outcome: "Outcome",
    client: "Client",
    person: "Person",
    request: "Request",
    status: "Status",
    reason: "Reason",
    duration: "Took",
  },
  anonymous: "unknown client",
  accepted: "passed on",
  lost: "The response was lost on purpose.",
  /** The time since the request before it in the same login. */
  step: (time: string): string => `+${time}`,
  group: (requests: number, all: number, refused: number, failed: number): string =>
    [countSome(requests, all), countBad(refused, failed)].filter(Boolean).join(" · "),
  tokens: "Tokens",
  lookups: ({ jwks, metadata }: LookupCounts): string =>
    [[jwks, "keys"] as const, [metadata, "discovery"] as const].filter(([number]) => number > 0)
      .map(([number, what]) => `${number.toLocaleString("en")} × ${what}`).join(", "),
  hideLookups: "Hide keys, discovery",
  times: (number: number): string => `${number.toLocaleString("en")} ×`,
  unfold: "Unfold these requests",
  fold: (number: number): string => `Fold ${countRequests(number)}`,
  diagram: "Sequence diagram",
  hidden: (number: number): string => `${countRequests(number)} more of this login`,
  took: (span: string): string => `the slowest answer, over ${span}`,
  wrong: "wrong on purpose",
  title: (refused: number, failed: number): string =>
    countBad(refused, failed).replace(/^.+$/, "($&) ") + "Inspector",
  heading: "Inspector",
  summary: (shown: number, all: number, refused: number, failed: number, isFinal: boolean): string =>
    [
      (isFinal ? "" : "At least ") + countSome(shown, all),
      countBad(refused, failed) || (isFinal ? "none refused" : ""),
    ].filter(Boolean).join(" · "),
  first: {
    newest: "Show the newest first",
    oldest: "Show the oldest first",
    slowest: "Show the slowest first",
  },
  unfoldAll: "Unfold all",
  compare: "Compare tokens",
  foldAll: "Fold all",
  older: "Older",
  newer: "Newer",
  filter: "Filter",
  filterExample: "client:shop outcome:refused rule:7636",
  apply: "Show",
  all: "All",
  none: "No request matches this filter.",
  takeApart: "Take something apart",
  noneYet: "No request has arrived yet. This page shows each one as soon as it is answered.",
  begin: "Start a login from the front page",
  live: "Live",
  away: "The connection to the server was lost. It is tried again.",
  notify: "Notify me of refusals",
  // The script puts the number in the place of #.
  notification: "Refused or failed requests: #",
  arrived: "New requests: #",
  exports: "Export",
};
