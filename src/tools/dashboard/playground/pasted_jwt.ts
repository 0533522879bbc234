/** Takes a JWT apart: names its kind, explains its members, and checks what the server can check. */

import {
  isTypedAs,
  judgeAccessToken,
  type Judged,
  judgeIdToken,
  judgeResponseJwt,
  judgeSignature,
  judgeTimes,
  type TokenCheck,
} from "../../../server/client/judge_token.ts";
import type { SigningKey } from "../../../ground/crypto/jwt.ts";
import type { JwtParts } from "../../../ground/crypto/jwt_parts.ts";
import { showValue } from "../../../kit/mock/journal/show_value.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { findToken } from "../../../server/oauth/tokens/find_token.ts";
import type { PastedKind, PastedProps } from "./playground_reader.tsx";
import type { ShownCheck } from "../../../server/pages/token/token_props.ts";
import { present } from "../../../ground/values/present.ts";
import { flowOfJwt } from "../find_login.ts";
import { nameKind } from "./name_kind.ts";
import { checkClientIn, type CheckJwt, type PastedOptions } from "./pasted_check.ts";
import { checkAssertion, checkProof, checkRequestObject } from "./pasted_client_jwt.ts";
import { decide, showChecks, showSignature, times } from "./shown_check.ts";
import { checkAlive } from "./pasted_credential.ts";

export async function takeJwtApart(
  text: string,
  parts: JwtParts,
  options: PastedOptions,
): Promise<PastedProps> {
  const { services, show, flowUrl } = options;
  const { issuer } = services.settings;
  const kind = nameKind(parts, issuer);
  const flow = flowOfJwt(parts, issuer);
  return {
    kind,
    checks: await (checkers[kind] ?? checkAnyJwt)(text, parts, options),
    parameters: [],
    token: showValue(text, "secret", show),
    ...present({ flowUrl: flow === undefined ? undefined : flowUrl(flow) }),
    inner: [],
  };
}

/**
 * Verifies with the published keys of this server. The keys of another issuer are not here, so the claim `iss` decides
 * whose they are, unless this server is known to have made the token.
 */
export async function checkSignature(
  judged: Judged,
  text: string,
  parts: JwtParts,
  { values, services: { keys, settings } }: Pick<PastedOptions, "services" | "values">,
  isOurs: boolean = parts.claims["iss"] === settings.issuer,
): Promise<ShownCheck> {
  const published = await findPublished(parts.header["kid"], keys);
  const jwks = published.map(({ publicJwk }) => publicJwk);
  const { rule, result } = await judgeSignature(judged, text, parts, jwks);
  return parts.signature !== "" && !isOurs
    ? showSignature(parts, { keys: [values.keyOfOtherIssuer], isMet: undefined, rule, values })
    : showSignature(parts, {
      keys: published.map(({ kid, alg }) => values.key(kid, alg)),
      isMet: result === "passed",
      ...{ rule, values },
    });
}

async function findPublished(kid: unknown, keys: Services["keys"]): Promise<readonly SigningKey[]> {
  const published = await keys.published();
  if (published.some((each) => each.kid === kid)) return published;
  // Another server on this store may have rotated the keys since this one has read them.
  await keys.reload().catch(() => {});
  return await keys.published();
}

/** RFC 9068 §4. The last check is the server's own: whether the token is good now. */
const checkAccessToken: CheckJwt = async (text, parts, options) => {
  const { apis, services, services: { settings: { issuer, accessTokenType, resources } } } = options;
  const token = await findToken(text, undefined, services);
  const checks = judgeAccessToken(parts, {
    issuer,
    typ: accessTokenType,
    now: timeOf(options),
    audience: [issuer, ...resources, ...apis],
    needs: "one",
  });
  return [
    await checkSignature("access_token", text, parts, options),
    ...showChecks(["typ", "iss", "aud", ...times], checks.map(allowAudience), options),
    ...(token === undefined ? [] : [await checkAlive(token, options)]),
  ];
};

/** The token may be for an API that the server does not know. */
function allowAudience({ expected, ...check }: TokenCheck): TokenCheck {
  return check.name === "aud" && check.result === "failed"
    ? { ...check, result: "open" }
    : { ...check, ...present({ expected }) };
}

function timeOf({ services }: PastedOptions): number {
  return Math.floor(services.now());
}

/** OpenID Connect Core §3.1.3.7. */
const checkIdToken: CheckJwt = async (text, parts, options) => {
  const { accessToken, values, services: { settings: { issuer } } } = options;
  const { aud, nonce } = parts.claims;
  const checks = judgeIdToken(parts, {
    issuer,
    accessToken,
    now: timeOf(options),
    isRefresh: false,
    // Only the client knows its request.
    clientId: undefined,
    sent: undefined,
  });
  return [
    await checkSignature("id_token", text, parts, options),
    ...showChecks(["iss"], checks, options),
    await checkClientIn("aud", aud, options),
    ...showChecks(times, checks, options),
    decide("nonce", undefined, {
      expected: values.nonceOfRequest,
      received: nonce === undefined ? values.noNonce : values.nonce,
      rule: checks.find(({ name }) => name === "nonce")?.rule,
    }),
    ...showChecks(["at_hash"], checks, options),
  ];
};

/** JARM §2.4. */
const checkResponse: CheckJwt = async (text, parts, options) => {
  const { issuer } = options.services.settings;
  // The signature has a check with more words.
  const checks = await judgeResponseJwt(text, parts, {
    issuer,
    clientId: undefined,
    keys: [],
    now: timeOf(options),
  });
  return [
    await checkSignature("authorization_response", text, parts, options),
    ...showChecks(["iss"], checks, options),
    await checkClientIn("aud", parts.claims["aud"], options),
    ...showChecks(["exp"], checks, options),
  ];
};

/** OpenID Connect Back-Channel Logout §2.6. */
const checkLogoutToken: CheckJwt = async (text, parts, options) => {
  const { claims, header: { typ } } = parts;
  const { iss } = claims;
  const { values, services: { settings } } = options;
  const rule = "Back-Channel Logout §2.6";
  const event = "http://schemas.openid.net/event/backchannel-logout";
  return [
    await checkSignature("jwt", text, parts, options),
    decide("typ", isTypedAs("logout+jwt", typ), {
      expected: "logout+jwt",
      received: typ ?? values.noType,
      rule,
    }),
    decide("iss", iss === settings.issuer, { expected: settings.issuer, received: iss, rule }),
    await checkClientIn("aud", claims["aud"], options),
    ...showChecks(times, judgeTimes("jwt", claims, { now: timeOf(options) }), options),
    decide("events", Object.hasOwn(Object(claims["events"]), event), {
      expected: event,
      received: Object.keys(Object(claims["events"])).join(", ") || values.nothing,
      rule,
    }),
    decide("sub_or_sid", claims["sub"] !== undefined || claims["sid"] !== undefined, { rule }),
    decide("no_nonce", claims["nonce"] === undefined, { rule }),
    decide("jti", typeof claims["jti"] === "string", { rule }),
  ];
};

const checkAnyJwt: CheckJwt = async (text, parts, options) => [
  await checkSignature("jwt", text, parts, options),
  ...showChecks(times, judgeTimes("jwt", parts.claims, { now: timeOf(options) }), options),
];

/** The kinds with checks of their own. */
const checkers: { readonly [Kind in PastedKind]?: CheckJwt } = {
  access_token: checkAccessToken,
  id_token: checkIdToken,
  authorization_response: checkResponse,
  logout_token: checkLogoutToken,
  dpop_proof: checkProof,
  request_object: checkRequestObject,
  client_assertion: checkAssertion,
};
