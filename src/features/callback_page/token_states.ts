/** Finds out which tokens of a walk work now. */

import type { Services } from "../../oauth/services.ts";
import { checkToken, findToken } from "../../oauth/tokens/find_token.ts";
import {
  findTokens,
  type JudgedToken,
  type Walk,
  type WalkToken,
  type WalkTokenState,
} from "../../oauth/walk/walk.ts";

export async function judgeTokens(
  walk: Pick<Walk, "steps">,
  services: Services,
): Promise<readonly JudgedToken[]> {
  return await Promise.all(
    findTokens(walk).map(async (token) => ({
      ...token,
      ...(token.kind === "id_token" ? {} : { state: await findState(token, services) }),
    })),
  );
}

async function findState({ kind, text }: WalkToken, services: Services): Promise<WalkTokenState> {
  const token = await findToken(text, kind, services);
  if (token === undefined) return "not_known";
  const check = await checkToken(token, services);
  return check.isValid ? "works" : check.loss;
}
