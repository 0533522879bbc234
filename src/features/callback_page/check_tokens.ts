/**
 * Shows what a client and an API find out about the tokens of a response (OpenID Connect Core §3.1.3.7; RFC 9068 §4), and
 * which tokens work now.
 */

import type { Check } from "../../client/check.ts";
import {
  type AccessTokenTerms,
  type IdTokenTerms,
  judgeAccessToken,
  judgeGranted,
  judgeIdToken,
  judgeSignature,
  type TokenCheck,
  tolerance,
} from "../../client/judge_token.ts";
import type { Jwk } from "../../crypto/jwk.ts";
import { parseJwt } from "../../crypto/jwt_parts.ts";
import type {
  DecodedToken,
  JudgedToken,
  WalkCall,
  WalkStep,
  WalkToken,
  WalkTokenCheck,
  WalkTokenState,
} from "../../oauth/pages.ts";
import { findTokens, type Walk } from "./walk.ts";
import { parseJsonObject } from "../../schema/json_object.ts";
import type { Services } from "../../oauth/services.ts";
import { checkToken, findToken } from "../../oauth/tokens/find_token.ts";

/** The values that a client knows before it gets the tokens. */
export interface TokenExpectations
  extends
    Pick<IdTokenTerms, "sent" | "subject" | "isRefresh">,
    Pick<AccessTokenTerms, "issuer" | "audience"> {
  readonly clientId: string;
  readonly idTokenAlg: string;
  readonly accessTokenAlg: string;
  readonly accessTokenType: string;
  readonly scope: readonly string[];
}

/** Decodes and checks the tokens that a step got, at the time of the step and with the JWKS that the step read. */
export async function decodeTokens(
  tokens: readonly Omit<WalkToken, "step">[],
  { keys, takenAt }: Pick<WalkStep, "keys" | "takenAt">,
  expected: TokenExpectations,
): Promise<readonly DecodedToken[]> {
  const accessToken = tokens.find(({ kind }) => kind === "access_token")?.text;
  const known = { ...expected, now: takenAt, isNew: true };
  return await Promise.all(tokens.map(async ({ kind, text }): Promise<DecodedToken> => {
    const jwt = kind === "refresh_token" ? undefined : parseJwt(text);
    if (kind === "refresh_token" || jwt === undefined) return { kind, checks: [] };
    const checks = [
      await judgeSignature(kind, text, jwt, readKeys(keys)),
      ...kind === "id_token"
        ? judgeIdToken(jwt, { ...known, accessToken, alg: expected.idTokenAlg })
        : judgeAccessToken(jwt, {
          ...known,
          alg: expected.accessTokenAlg,
          typ: expected.accessTokenType,
          needs: "one",
        }),
      ...kind === "id_token" ? [] : judgeGranted(jwt.claims, expected),
    ];
    return { kind, jwt, checks: checks.map(describe) };
  }));
}

function readKeys(keys: WalkCall | undefined): readonly Jwk[] {
  const listed = parseJsonObject(keys?.response.body ?? "")?.["keys"];
  return Array.isArray(listed) ? listed.filter((each) => Object(each) === each) : [];
}

function describe(check: TokenCheck): WalkTokenCheck {
  const { name, result, received } = check;
  if (result === "absent" || result === "open") return { name, result: "absent" };
  return { name, result, expected: describeExpected(check), received: show(received) };
}

function describeExpected({ name, expected }: Check): string {
  if (typeof expected === "number") {
    return name === "exp" ? `> ${expected}` : name === "iat" ? `${expected} ± ${tolerance}` : `≤ ${expected}`;
  }
  const text = typeof expected === "string" ? expected : expected?.join(name === "signature" ? ", " : " ");
  return show(text || undefined);
}

function show(value: unknown): string {
  return value === undefined ? "–" : typeof value === "string" ? value : JSON.stringify(value);
}

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
