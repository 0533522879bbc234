/** Shows what a client and an API find out about the tokens of a response (OpenID Connect Core §3.1.3.7; RFC 9068 §4). */

import type { Check } from "../../client/check.ts";
import {
  type AccessTokenOptions,
  type IdTokenOptions,
  judgeAccessToken,
  judgeGranted,
  judgeIdToken,
  judgeSignature,
  type TokenCheck,
  tolerance,
} from "../../client/judge_token.ts";
import type { Jwk } from "../../../ground/crypto/jwk.ts";
import { decodeJwt, parseJwt } from "../../../ground/crypto/jwt_parts.ts";
import type {
  DecodedToken,
  JudgedToken,
  WalkCall,
  WalkStep,
  WalkToken,
  WalkTokenCheck,
} from "../../oauth/contracts/pages.ts";
import { findTokens, type Walk } from "./walk.ts";
import { parseJsonObject } from "../../../ground/schema/json_object.ts";
import type { Claims } from "../../../ground/values/members.ts";
import { present } from "../../../ground/values/present.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { checkToken, findToken } from "../../oauth/tokens/find_token.ts";

export interface TokenExpectations
  extends
    Pick<IdTokenOptions, "sent" | "subject" | "isRefresh">,
    Pick<AccessTokenOptions, "issuer" | "audience"> {
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
    if (kind === "refresh_token" || jwt === undefined) return { kind, text, checks: [] };
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
    return { kind, text, jwt: decodeJwt(text), checks: checks.map(describeCheck) };
  }));
}

function readKeys(keys: WalkCall | undefined): readonly Jwk[] {
  const listed = parseJsonObject(keys?.response.body ?? "")?.["keys"];
  return Array.isArray(listed) ? listed.filter((each) => Object(each) === each) : [];
}

export function describeCheck(check: TokenCheck): WalkTokenCheck {
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
  return await Promise.all(findTokens(walk).map((token) => judgeToken(token, services)));
}

/** What a token says about itself has priority over what the server knows, because its readers see only that. */
async function judgeToken(token: WalkToken, services: Services): Promise<JudgedToken> {
  const { kind, text } = token;
  const said = readLife(parseJwt(text)?.claims ?? {});
  if (kind === "id_token") return { ...token, ...said };
  const found = await findToken(text, kind, services);
  if (found === undefined) return { ...token, state: "not_known", ...said };
  const { expiresAt, audience } = found;
  const check = await checkToken(found, services);
  return {
    ...token,
    state: check.isValid ? "works" : check.loss,
    expiresAt,
    audience,
    ...said,
  };
}

/** RFC 7519 §4.1.3, §4.1.4. */
function readLife({ exp, aud }: Claims): Pick<JudgedToken, "expiresAt" | "audience"> {
  const audience = [aud].flat().filter((each) => typeof each === "string");
  return present({
    expiresAt: typeof exp === "number" ? exp : undefined,
    audience: audience.length === 0 ? undefined : audience,
  });
}
