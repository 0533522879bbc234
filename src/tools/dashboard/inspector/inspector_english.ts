/** The English words of the pages of the inspector. Those of the exchanges themselves are the ones of the timeline. */

import { requestOutcomes } from "../../../kit/timeline/request_outcome.ts";
import { type ByName, byName } from "../../../ground/values/fill.ts";

/** What each name of the filter selects. A Map, because the filter lists its own names. */
const filterWords: ByName = byName({
  client: "the client id",
  person: "the username",
  outcome: `how it ended: ${requestOutcomes.join(", ")}`,
  rule: "a rule: 7636 or oauth2.1, or 4.6 for a section",
  endpoint: "token, authorize, par, userinfo, introspect, revoke, logout, resource",
  reason: "the exact cause: verifier_wrong",
  error: "the error code: invalid_grant",
  flow: "one login, by its id",
  trace: "one trace, by the id in the header traceparent",
  misbehaviour: "what was wrong on purpose, by name or area: id_token, or * for any",
  look_alike: "what a look-alike of a provider changed: * for any",
  hook: "what a hook of a test changed, by its name: * for any",
  status: "the HTTP status: 401 or 4xx",
  method: "the HTTP method",
  path: "the start of the path",
  grant: "the grant type: refresh_token",
  id: "one request",
  took: "how long it took: >1s or >500ms",
});

export const englishInspector = {
  /** What the server knows now about a code or a token. */
  active: {
    yes: "yes",
    unknown: "this server does not know it, or has forgotten it",
  },
  /** Around an entry: its links, its tabs, and the other requests of its login. */
  entry: {
    back: "Back",
    backTo: " to the list",
    copyCurl: "Copy as curl",
    copied: " curl",
    copiedRedacted: " curl, without codes and tokens",
    steps: "Requests of this login",
    compareBefore: (token: string): string => `Compare ${token} with the one before`,
    earlierSteps: (number: number): string => `${number} earlier`,
    laterSteps: (number: number): string => `${number} later`,
    tabs: {
      label: "Views of this request",
      explained: "Explained",
      raw: "Raw",
      tokens: "Tokens",
      curl: "As curl",
    },
    filterBy: "Find others by",
  },
  page: {
    problem: "This word was not used:",
    problems: {
      similar: ([filter = ""]: readonly string[]): string => `is not known: did you mean ${filter}?`,
      names: (names: readonly string[]): string => `is not known: known are ${names.join(", ")}`,
      values: (filters: readonly string[]): string => `is not known: write ${filters.join(" or ")}`,
    },
    tooManyWords: (words: number, most: number): string =>
      `The filter has ${words} different words, and may have ${most}. Nothing was searched.`,
    help: "What can I filter by?",
    helpText:
      "Words are joined by “and”. A minus in front means “not”. A value with spaces is in double quotes. A word without a colon is searched in everything that the list shows.",
    filterWord: (name: string): string => filterWords.get(name) ?? "",
    exportNote: "Without codes, tokens, verifiers, passwords and cookies:",
    completeNote: "With codes, tokens and verifiers, because you gave the key:",
    export: {
      html: "HTML file",
      har: "HAR",
      jsonl: "JSON lines",
      mermaid: "Mermaid",
      text: "Text",
    },
    complete: "Complete HTML file",
    back: "All requests",
    wholeLogin: "The whole login",
    gone: "This request is not in the journal",
    goneNote:
      "The journal keeps 10,000 requests. An older one is gone, and a restart or a reset removes all.",
    showSecrets: "Show the secrets of this request",
    secretsShown: "The codes, tokens and verifiers of this request are shown, because you gave the key.",
  },
  again: {
    heading: "Send again",
    about: "The server answers the same request once more.",
    hidden: "Change what you want. Values that are not shown stay as they were.",
    needsSecret: { needs_token: "This needs the token of --control.", needs_key: "This needs the key." },
    giveSecret: { needs_token: "Give the token", needs_key: "Give the key" },
    asBefore: "as before",
    leaveOut: "leave out",
    change: "Send it again with changes, or from a program",
    programs: "From a program",
    addName: "One more parameter",
    addValue: "Its value",
    body: "Body",
    send: "Send",
    elsewhere: "This request went to an API of a test. Only the test can send it again.",
    parameters: { query: "Parameters in the address", form: "Parameters in the form", header: "Headers" },
  },
  /** In place of a page of the inspector that a link of another site has opened. */
  foreignLink: {
    heading: "The journal of this server",
    about: "A link on another site led here.",
    show: "Show the journal",
  },
  diagram: {
    login: (client: string, person?: string): string =>
      `Login${person === undefined ? "" : ` of ${person}`} at ${client}, step by step`,
    asList: "These requests as a list",
    label: "Who sent what to whom, in the order of time. Each arrow leads to its request.",
    older: (number: number): string =>
      `${number} older ${number === 1 ? "request is" : "requests are"} left out.`,
  },
};
