/** A walk: what a person did with an authorization code by the buttons of the callback page, one step at a time. */

import type { WalkCall, WalkStep, WalkToken } from "../../oauth/contracts/pages.ts";
import { parseJsonObject } from "../../../ground/schema/json_object.ts";

export interface Walk {
  readonly code: string;
  readonly state?: string;
  readonly redirectUri: string;
  readonly grantId: string;
  readonly clientId: string;
  readonly codeVerifier?: string;
  readonly nonce?: string;
  readonly scope: readonly string[];
  readonly resource: readonly string[];
  /** The number of steps that were begun. A form is good for one step, so the form repeats this number. */
  readonly begun: number;
  readonly steps: readonly WalkStep[];
}

/** Lists the tokens of all steps in their order. A token that came twice is listed once. */
export function findTokens({ steps }: Pick<Walk, "steps">): readonly WalkToken[] {
  const tokens = steps.flatMap(({ call }, at) =>
    readTokens(call).map((token) => ({ ...token, step: at + 1 }))
  );
  return tokens.filter(({ text }, at) => tokens.findIndex((each) => each.text === text) === at);
}

const kinds = ["access_token", "refresh_token", "id_token"] as const;

/** Reads the tokens of a response. Only a request that has a grant_type can get tokens. */
export function readTokens({ request, response }: WalkCall): readonly Omit<WalkToken, "step">[] {
  const isTokenRequest = request.form?.some(([name]) => name === "grant_type") ?? false;
  if (!isTokenRequest || response.status !== 200) return [];
  const members = parseJsonObject(response.body);
  return kinds.flatMap((kind) => {
    const text = members?.[kind];
    return typeof text === "string" && text !== "" ? [{ kind, text }] : [];
  });
}
