/** The English words of the view of a token: its parts, and the checks that a reader makes. */

import type { ShownCheckName } from "../token/token_props.ts";
import { sayCount } from "../../../ground/values/say_count.ts";

export interface CheckWords {
  /** Default: the name of the check, which is that of a claim. */
  readonly title?: string;
  /** What is compared. Absent if the claim with the title says it. */
  readonly about?: string;
  /** Who compares it, if a page cannot. */
  readonly open?: string;
}

const checks: Readonly<Partial<Record<ShownCheckName, CheckWords>>> = {
  alive: { title: "Still valid", about: "Whether the server would accept it now." },
  ath: { about: "Compare it with the hash of the access token of the same request." },
  aud: { open: "your API compares this with its own name" },
  browser: {
    title: "This browser",
    about: "Whether this browser began the login on a page of this server, which then knows the verifier.",
  },
  client: { title: "Client", about: "The client that it belongs to." },
  no_nonce: { title: "No nonce", about: "A logout token must not pass for an ID token." },
  redirect_uri: {
    title: "Redirect URI",
    about: "Whether the response arrived where the request wanted it.",
  },
  response_iss: {
    title: "iss",
    about: "Which server answered. A client with several servers must compare it.",
  },
  server: {
    title: "The server itself",
    about: "What this server would answer, without changing anything.",
  },
  signature: { title: "Signature", about: "Whether a published key of the server made it." },
  state: { open: "the client compares this with the state of its request" },
  sub_or_sid: { title: "sub or sid", about: "Whose session has ended." },
};

export const englishToken = {
  checks: checks as Readonly<Partial<Record<ShownCheckName, CheckWords>>>,
  results: {
    passed: "passed",
    failed: "failed",
    absent: "nothing to compare",
    open: "cannot be checked here",
  },
  /** What the page says in place of a secret, or of the rest of a value. */
  secret: {
    hidden: "hidden",
    hiddenLength: (length: number): string => `hidden, ${sayCount(length, "character")}`,
    fingerprint: (text: string): string => `SHA-256 begins with ${text}`,
    outerSpace: "begins or ends with white space",
    cut: (length: number): string => `cut: ${length.toLocaleString("en")} characters in all`,
    empty: "empty",
  },
  header: "Header",
  payload: "Payload",
  values: "Values",
  others: "Also checked",
  meaning: "Meaning",
  check: "Check",
  expected: "expected",
  received: "received",
  copy: {
    whole: (token: string): string => ` the ${token}`,
    header: (token: string): string => ` the header of the ${token}`,
    payload: (token: string): string => ` the payload of the ${token}`,
  },
  checked: (passed: number, failed: number): string => {
    const count = (checks: number) => sayCount(checks, "check");
    const told = [
      ...failed > 0 ? [`${count(failed)} failed`] : [],
      ...passed > 0 ? [`${count(passed)} passed`] : [],
    ];
    return told.join(", ");
  },
  /** Unfolds a token on a narrow page. */
  claims: (checked: string): string => `Claims: ${checked}`,
  omitted: (lines: number): string => lines === 1 ? "1 line is left out." : `${lines} lines are left out.`,
  now: "now",
  ahead: (duration: string): string => `in ${duration}`,
  ago: (duration: string): string => `${duration} ago`,
} as const;
