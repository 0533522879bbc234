/** The English words of the list of requests. */

import { sayEach } from "../../../ground/values/say_count.ts";
import { type ByName, byName } from "../../../ground/values/fill.ts";
import { englishTimeline } from "../../../kit/timeline/timeline_english.ts";
import type { LoginGroup, LookupCounts } from "./list_props.ts";

/** Returns text such as `2 refused · 1 failed`. It is empty if there are none. */
function countBad(refused: number, failed: number): string {
  return sayEach([[refused, "refused"], [failed, "failed"]], " · ");
}

export function countOf(number: number, word: string): string {
  return `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
}

/** Returns text such as `3 of 6 requests`. */
function countSome(some: number, all: number, word: string): string {
  return (some >= all ? "" : `${some.toLocaleString("en")} of `) + countOf(Math.max(some, all), word);
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
  /** Where a login waits. */
  unfinishedAt: (result: string): string =>
    result === "code"
      ? "code not exchanged"
      : `waits at ${result.replace("sign_", "sign-").replace("_", " ")}`,
  /** What an endpoint gave. A Map, because other code names the endpoints. */
  given: byName({ token: "tokens to the client", userinfo: "claims to the client" }) as ByName,
  columns: {
    time: "Time (UTC)",
    outcome: "Outcome",
    client: "Client",
    person: "Person",
    request: "Request",
    status: "Status",
    result: "Result",
    duration: "Took",
  },
  anonymous: "unknown client",
  accepted: "passed on",
  lost: "The response was lost on purpose.",
  /** The time since the request before it in the same login. */
  step: (time: string): string => `+${time}`,
  /** Names a login by its first request. */
  login: ({ endpoint, grantType = "authorization_code" }: LoginGroup["first"]): string => {
    if (/device/.test(endpoint + grantType)) return "Device login";
    const isLogin = endpoint !== "token" || grantType === "authorization_code";
    return isLogin ? "Login" : englishTimeline.endpoint({ endpoint, grantType });
  },
  steps: (steps: number, all: number): string => countSome(steps, all, "step"),
  bad: (refused: number, failed: number): string => countBad(refused, failed),
  lookups: ({ jwks, metadata }: LookupCounts): string =>
    sayEach([[jwks, "keys"], [metadata, "discovery"]], ", ", " × "),
  hideLookups: "Hide keys, discovery",
  times: (number: number): string => `${number.toLocaleString("en")} ×`,
  unfold: "Unfold these requests",
  fold: (number: number): string => `Fold ${countOf(number, "request")}`,
  diagram: "Sequence diagram",
  earlier: (number: number): string => countOf(number, "earlier step"),
  wrong: "wrong on purpose",
  title: (refused: number, failed: number): string =>
    countBad(refused, failed).replace(/^.+$/, "($&) ") + "Inspector",
  heading: "Inspector",
  summary: (shown: number, all: number, refused: number, failed: number, isFinal: boolean): string =>
    [
      (isFinal ? "" : "At least ") + countSome(shown, all, "request"),
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
