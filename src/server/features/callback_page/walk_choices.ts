/** The steps that a person can take next in a walk, and what stands in the way of the others. */

import type { JudgedToken, WalkChoice, WalkStepName } from "../../oauth/pages.ts";
import { present } from "../../values/present.ts";
import { walkStepNames } from "./walk.ts";
import { findBlocker, type WalkState } from "./walk_steps.ts";

/** Says of each step whether the page offers it, and why not. */
export function describeChoices(
  walkState: WalkState,
  tokens: readonly JudgedToken[],
): readonly WalkChoice[] {
  return walkStepNames.filter((name) => name !== "exchange").map((name) => {
    const blocker = findBlocker(name, walkState);
    const sent = blocker === undefined ? findSentToken(name, tokens) : undefined;
    return {
      name,
      ...present({ blocker }),
      ...(sent !== undefined && hasEnded(sent) ? { ended: sent } : {}),
    };
  });
}

/** Only its reader can say whether it accepts a token that the server does not recognise. */
function hasEnded({ state }: JudgedToken): boolean {
  return state !== "works" && state !== "not_known";
}

/** Returns the token that the step sends, if the step is of no use without a token that works. */
function findSentToken(name: WalkStepName, tokens: readonly JudgedToken[]): JudgedToken | undefined {
  const newest = (wanted: JudgedToken["kind"]) => tokens.findLast(({ kind }) => kind === wanted);
  switch (name) {
    case "userinfo":
    case "call_api":
      return newest("access_token");
    case "refresh":
      return newest("refresh_token");
    case "revoke":
      return newest("refresh_token") ?? newest("access_token");
    default:
      return undefined;
  }
}
