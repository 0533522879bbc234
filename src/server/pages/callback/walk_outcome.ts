/** What became of a step of a walk, in words. */

import type { WalkStep, WalkStepName } from "../../oauth/contracts/pages.ts";
import { parseJsonObject } from "../../../ground/schema/json_object.ts";
import { english as words } from "../words/english.ts";
import { present } from "../../../ground/values/present.ts";

export const walkRules: Readonly<Record<WalkStepName, string>> = {
  exchange: "OAuth 2.1 §4.1.3, RFC 7636 §4.5",
  userinfo: "OpenID Connect Core §5.3",
  refresh: "OAuth 2.1 §4.3.1, OpenID Connect Core §12",
  introspect: "RFC 7662 §2",
  revoke: "RFC 7009 §2",
  call_api: "RFC 6750 §2.1, RFC 9068 §4",
  replay_code: "OAuth 2.1 §4.1.3, RFC 6749 §4.1.2",
  tamper_verifier: "RFC 7636 §4.6",
  reuse_refresh_token: "OAuth 2.1 §4.3.1, RFC 9700 §4.14.2",
};

/** The steps whose purpose is a refusal. */
export const refusalSteps: ReadonlySet<WalkStepName> = new Set([
  "replay_code",
  "tamper_verifier",
  "reuse_refresh_token",
]);

export interface WalkOutcome {
  readonly heading: string;
  readonly text: string;
  readonly isDone: boolean;
  /** The error code of a refusal that the words of the step do not explain. */
  readonly unexplained?: string;
}

export function describeOutcome({ name, call: { response } }: Pick<WalkStep, "name" | "call">): WalkOutcome {
  const isDone = response.status < 400;
  const code = isDone ? undefined : findErrorCode(response.body);
  // Such a step may be refused for another reason, too, for example without the client's secret.
  const isOnPurpose = refusalSteps.has(name) && code === "invalid_grant";
  const isOtherwise = refusalSteps.has(name) && !isDone && !isOnPurpose;
  const { heading, text } = isOtherwise
    ? words.walk.refusedOtherwise
    : words.walk.steps[name][isDone ? "done" : "refused"];
  return { heading, text, isDone, ...present({ unexplained: isOnPurpose ? undefined : code }) };
}

export function classOfMark(works: boolean): string {
  return works ? "mark outcome-ok" : "mark outcome-refused";
}

function findErrorCode(body: string): string | undefined {
  const error = parseJsonObject(body)?.["error"];
  return typeof error === "string" ? error : undefined;
}
