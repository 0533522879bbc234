/** Finds out what a pasted text is, and judges it with what the person knows. Nothing leaves the page. */
import { judgeResponse } from "../../../src/server/client/check.ts";
import {
  judgeAccessToken,
  type Judged,
  judgeIdToken,
  judgeResponseJwt,
  judgeSignature,
  judgeTimes,
  type TokenCheck,
} from "../../../src/server/client/judge_token.ts";
import type { Jwk } from "../../../src/ground/crypto/jwk.ts";
import {
  isEncryptedJwt,
  type JwtParts,
  openResponse,
  parseJwt,
} from "../../../src/ground/crypto/jwt_parts.ts";
import { parseJsonObject } from "../../../src/ground/schema/json_object.ts";
import type { ShownCheck } from "../../../src/server/pages/token/token_props.ts";
import { present } from "../../../src/ground/values/present.ts";
import { secrecyOfParameter, showValue } from "../../../src/kit/mock/journal/show_value.ts";
import { nameKind } from "../../../src/tools/dashboard/playground/name_kind.ts";
import {
  takeInnerApart,
  takeMembersApart,
  unreadable,
} from "../../../src/tools/dashboard/playground/pasted_members.ts";
import {
  longestText,
  type PastedParams,
  readParams,
  unwrap,
} from "../../../src/tools/dashboard/playground/pasted_text.ts";
import { englishPlayground } from "../../../src/tools/dashboard/playground/playground_english.ts";
import type { PastedKind, PastedProps } from "../../../src/tools/dashboard/playground/playground_reader.tsx";
import {
  decide,
  showChecks,
  showSignature,
  times,
} from "../../../src/tools/dashboard/playground/shown_check.ts";
import { isKeySet, type JudgedKey, judgeKeys } from "./judge_keys.ts";
import { isMetadata, type JudgedMember, judgeMetadata } from "./judge_metadata.ts";

/** What a client or an API knows besides the text. */
export interface Known {
  readonly issuer: string | undefined;
  /** The client of an ID token or a response, or the API of an access token. */
  readonly audience: string | undefined;
  readonly nonce: string | undefined;
  readonly state: string | undefined;
  readonly keys: readonly Jwk[];
  readonly now: number;
}

export interface TakenApart {
  readonly pasted?: PastedProps;
  readonly keys?: readonly JudgedKey[];
  readonly metadata?: readonly JudgedMember[];
  /** What the text says, for the next one. */
  readonly learned?: { readonly issuer?: string; readonly keys?: string };
}

const { values } = englishPlayground.reader;

/** The text belongs to the person who reads it. */
const all = { secrets: true, neverShown: [] };

export async function judgePasted(pasted: string, known: Known): Promise<TakenApart> {
  const text = unwrap(pasted);
  if (text === "") return { pasted: unreadable("empty") };
  if (text.length > longestText) return { pasted: unreadable("too_long") };
  if (text.startsWith("{")) return await judgeJson(text, known);
  const params = readParams(text);
  if (params !== undefined) return { pasted: await judgeParams(params, known) };
  const jwt = await judgeJwt(text, known);
  if (jwt !== undefined) return { pasted: jwt };
  return { pasted: unreadable(isEncryptedJwt(text) ? "encrypted" : "unknown") };
}

async function judgeJson(text: string, known: Known): Promise<TakenApart> {
  const members = parseJsonObject(text);
  if (members === undefined) return { pasted: unreadable("json") };
  const keys = isKeySet(members) ? members["keys"] : members["kty"] === undefined ? undefined : [members];
  if (keys !== undefined) return { keys: judgeKeys(keys), learned: { keys: JSON.stringify({ keys }) } };
  if (isMetadata(members)) {
    return { metadata: judgeMetadata(members, known.issuer), learned: { issuer: `${members["issuer"]}` } };
  }
  return { pasted: await takeMembersApart(members, all, judgeTokens(known)) };
}

/** Judges a token of a response, beside which the access token may be. */
function judgeTokens(known: Known) {
  return (text: string, accessToken: string | undefined) => judgeJwt(text, known, accessToken);
}

/** An authorization request or an authorization response (OAuth 2.1 §4.1.2, RFC 9207 §2.4, JARM §2.4). */
async function judgeParams({ pairs }: PastedParams, known: Known): Promise<PastedProps> {
  const names = new Set(pairs.map(([name]) => name));
  const inside = openResponse(pairs);
  const get = (name: string) => inside.find(([each]) => each === name)?.[1];
  const isRequest = names.has("response_type");
  const sent = known.state === undefined ? undefined : { state: known.state };
  const checks = isRequest ? [] : judgeResponse(
    { state: get("state"), iss: get("iss") },
    { sent, issuer: get("iss") === undefined ? undefined : known.issuer },
  );
  return {
    kind: isRequest ? "authorization_request" : "authorization_response",
    parameters: pairs.map(([name, value]) => ({ name, ...showValue(value, secrecyOfParameter(name), all) })),
    checks: checks.filter(({ result }) => result !== "absent").map((
      { name, result, expected, received, rule },
    ) =>
      decide(name, result === "open" ? undefined : result === "passed", {
        expected: expected === undefined ? undefined : `${expected}`,
        received,
        rule,
      })
    ),
    ...present({ error: get("error") }),
    inner: await takeInnerApart(pairs, judgeTokens(known)),
  };
}

async function judgeJwt(text: string, known: Known, accessToken?: string): Promise<PastedProps | undefined> {
  const parts = parseJwt(text);
  if (parts === undefined) return undefined;
  const kind = nameKind(parts, known.issuer);
  const checks = [
    await checkSignature(judgedAs(kind), text, parts, known),
    ...showChecks(shown, withOpen(await judgeClaims(kind, text, parts, known, accessToken), known), {
      values,
    }),
  ];
  return { kind, checks, parameters: [], token: showValue(text, "secret", all), inner: [] };
}

const shown: readonly TokenCheck["name"][] = [
  "alg",
  "typ",
  "iss",
  "aud",
  "azp",
  ...times,
  "nonce",
  "at_hash",
];

function judgedAs(kind: PastedKind): Judged {
  return kind === "access_token" || kind === "id_token" || kind === "authorization_response" ? kind : "jwt";
}

async function judgeClaims(
  kind: PastedKind,
  text: string,
  parts: JwtParts,
  { issuer = "", audience, nonce, keys, now }: Known,
  accessToken: string | undefined,
): Promise<readonly TokenCheck[]> {
  switch (judgedAs(kind)) {
    case "access_token": {
      const expected = audience === undefined ? [] : [audience];
      return judgeAccessToken(parts, { issuer, typ: "at+jwt", audience: expected, needs: "one", now });
    }
    case "id_token": {
      const sent = nonce === undefined ? undefined : { nonce };
      return judgeIdToken(parts, { issuer, clientId: audience, sent, accessToken, isRefresh: false, now });
    }
    case "authorization_response": {
      const checks = await judgeResponseJwt(text, parts, { issuer, clientId: audience, keys, now });
      return checks.filter(({ name }) => name !== "signature");
    }
    default:
      return judgeTimes("jwt", parts.claims, { now });
  }
}

/** What the person did not say is open. */
function withOpen(checks: readonly TokenCheck[], { issuer, audience }: Known): readonly TokenCheck[] {
  return checks.map(({ expected, ...check }) => {
    const isUnknown = check.name === "iss" && issuer === undefined ||
      check.name === "azp" && audience === undefined;
    return isUnknown && check.result === "failed"
      ? { ...check, result: "open" }
      : { ...check, ...present({ expected }) };
  });
}

async function checkSignature(
  judged: Judged,
  text: string,
  parts: JwtParts,
  { keys }: Pick<Known, "keys">,
): Promise<ShownCheck> {
  const { result, rule } = await judgeSignature(judged, text, parts, keys);
  const isOpen = keys.length === 0 && parts.signature !== "";
  return showSignature(parts, {
    keys: keys.map(({ kid, alg }) => values.key(`${kid ?? values.noKid}`, `${alg ?? values.noAlg}`)),
    isMet: isOpen ? undefined : result === "passed",
    ...{ rule, values },
  });
}
