/** Takes apart what has tokens in it: a JSON object, and the parameters of an address. */

import { secrecyOfMember, showMembers, type ShowOptions } from "../../../kit/mock/journal/show_value.ts";
import type { JsonObject } from "../../../ground/schema/json_object.ts";
import type { PastedProblem, PastedProps } from "./playground_reader.tsx";
import { longestText, type PastedParams } from "./pasted_text.ts";
import { present } from "../../../ground/values/present.ts";

// In a response or an address. More are not taken apart.
const mostInner = 5;

/** Takes one token apart. Resolves to `undefined` if the text is none. */
type TakeToken = (text: string, accessToken: string | undefined) => Promise<PastedProps | undefined>;

/** Takes a response of the token endpoint apart, or any other JSON object with tokens. */
export async function takeMembersApart(
  members: JsonObject,
  show: ShowOptions,
  takeToken: TakeToken,
): Promise<PastedProps> {
  const { error } = members;
  const pairs = Object.entries(members).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as const] : []
  );
  const inner = await takeInnerApart(pairs, takeToken);
  // The tokens follow, each by itself.
  const others = Object.entries(members).filter(([name]) => !inner.some((each) => each.name === name));
  return {
    kind: "response",
    checks: [],
    parameters: showMembers(Object.fromEntries(others), secrecyOfMember, show),
    ...present({ error: typeof error === "string" ? error : undefined }),
    inner,
  };
}

export async function takeInnerApart(
  pairs: PastedParams["pairs"],
  takeToken: TakeToken,
): Promise<readonly PastedProps[]> {
  // An ID token has the hash of the access token beside it.
  const accessToken = pairs.find(([name]) => name === "access_token")?.[1];
  const found: PastedProps[] = [];
  for (const [name, value] of pairs) {
    if (found.length >= mostInner) break;
    const inner = name === "code" || value.length > longestText
      ? undefined
      : await takeToken(value, accessToken);
    if (inner !== undefined && inner.kind !== "unreadable") found.push({ ...inner, name });
  }
  return found;
}

export function unreadable(problem: PastedProblem): PastedProps {
  return { kind: "unreadable", problem, checks: [], parameters: [], inner: [] };
}
