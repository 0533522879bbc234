/** Makes the comparisons that a client or an API must make itself, with the values that the server issued. */

import { type Check, judgeResponse } from "../../../server/client/check.ts";
import {
  judgeAudience,
  judgeIdToken,
  judgeTimes,
  type TokenCheck,
} from "../../../server/client/judge_token.ts";
import { type JwtParts, parseJwt } from "../../../ground/crypto/jwt_parts.ts";
import type { MisbehaviourName } from "../../faults/names.ts";
import { readSent, type Sent } from "../../faults/seen.ts";
import { type ClientCheck, ofIdToken } from "../../timeline/exchange_props.ts";
import { type ShownValue, timeNames } from "../../../server/pages/token/token_props.ts";
import {
  type ExchangeParts,
  findAnswered,
  findParameter,
  findRedirected,
  readExchangeParts,
} from "./exchange_parts.ts";
import type { Past } from "./journal_index.ts";
import type { KeptEntry } from "./request_list.ts";
import { secrecyOfClaim, type ShowOptions, showValue } from "./show_value.ts";
import { judgeSignIn } from "./judge_sign_in.ts";
import { findAuthorization, isAuthorization } from "./relate.ts";
import { present } from "../../../ground/values/present.ts";

export interface ComparisonOptions extends ShowOptions {
  readonly issuer: string;
}

/** A comparison with the misbehaviour that it shows if it fails. The catalogue says what a client does then. */
export interface Comparison extends ClientCheck {
  /** Absent if the catalogue does not have the fault. */
  readonly fault?: MisbehaviourName | undefined;
}

interface Checked {
  readonly kept: KeptEntry;
  readonly parts: ExchangeParts;
  /** What the client sent in its authorization request, if the journal has it. */
  readonly sent: Sent | undefined;
  readonly options: ComparisonOptions;
}

export function checkAsClient(
  kept: KeptEntry,
  past: Past,
  options: ComparisonOptions,
): readonly Comparison[] {
  if (kept.entry.facts.refusal !== undefined) return [];
  const parts = readExchangeParts(kept.entry);
  const isToken = kept.endpoint === "token";
  if (!isToken && findRedirected(parts, "code") === undefined) return [];
  const checked = { kept, parts, sent: findSent(kept, past), options };
  return isToken ? checkTokens(checked) : checkRedirect(checked);
}

/** Checks an authorization response: state, and iss (RFC 9207 §2.4). */
function checkRedirect({ parts, sent, options }: Checked): readonly Comparison[] {
  const [state, iss] = [findRedirected(parts, "state"), findRedirected(parts, "iss")];
  const checks = judgeResponse({ state, iss }, {
    sent: sent && { state: sent("state") },
    issuer: iss === undefined ? undefined : options.issuer,
  });
  const faults: FaultsByName = {
    state: {
      missing: "authorization_response.state_missing",
      changed: "authorization_response.state_changed",
    },
    response_iss: {
      changed: `authorization_response.${differsBySlash(iss, options.issuer) ? "iss_slash" : "iss_wrong"}`,
    },
  };
  return checks.flatMap((check) => describeComparison(check, check.name, faults, options));
}

function checkTokens(checked: Checked): readonly Comparison[] {
  const { kept: { entry: { facts, receivedAt, duration }, ahead }, parts, options } = checked;
  const idToken = parseJwt(findAnswered(parts, "id_token") ?? "");
  // RFC 8693 §2.2.1: the member has this name also if the token is no access token.
  const isOther = findAnswered(parts, "token_type") === "N_A";
  const accessToken = isOther ? undefined : findAnswered(parts, "access_token");
  const access = parseJwt(accessToken ?? "");
  // A client compares the times with its own clock, which the server does not see. So this takes that of the machine.
  const now = receivedAt + duration - ahead;
  return [
    ...(idToken === undefined
      ? describeShown(judgeTimes("access_token", access?.claims ?? {}, { now }), accessTokenFaults, options)
      : checkIdToken(idToken, accessToken, now, checked)),
    ...(access === undefined ? [] : describeComparison(
      judgeAudience("access_token", access.claims["aud"], facts.resource ?? [], "all"),
      "access_token_aud",
      accessTokenFaults,
      options,
    )),
  ];
}

function checkIdToken(
  jwt: JwtParts,
  accessToken: string | undefined,
  now: number,
  { kept, sent, options }: Checked,
): readonly Comparison[] {
  const { clientId, grantType } = kept.entry.facts;
  const isRefresh = grantType === "refresh_token";
  const checks = judgeIdToken(jwt, {
    issuer: options.issuer,
    clientId,
    accessToken,
    now,
    isRefresh,
    sent: sent && { nonce: sent("nonce") },
  });
  // A refresh keeps the sign-in, however old it is by then (OpenID Connect Core §12.2).
  const ofSignIn = sent === undefined || isRefresh ? [] : judgeSignIn(jwt.claims, sent, now);
  return describeShown(
    [...checks, ...ofSignIn],
    isRefresh ? refreshFaults : loginFaults(jwt, options),
    options,
  );
}

function describeShown(
  checks: readonly TokenCheck[],
  faults: FaultsByName,
  options: ShowOptions,
): readonly Comparison[] {
  return ofIdToken.flatMap((name) => {
    const check = checks.find((each) => each.name === name);
    return check === undefined ? [] : describeComparison(check, name, faults, options);
  });
}

/** The misbehaviours that a comparison can show, by how the value differs from the expected one. */
interface Faults {
  readonly missing?: MisbehaviourName;
  readonly changed?: MisbehaviourName;
  /** The value came although the client expects none. */
  readonly unasked?: MisbehaviourName;
}

type FaultsByName = Readonly<Partial<Record<ClientCheck["name"], Faults>>>;

function loginFaults({ header, claims }: JwtParts, { issuer }: ComparisonOptions): FaultsByName {
  return {
    iss: {
      missing: "id_token.iss_missing",
      changed: differsBySlash(claims["iss"], issuer) ? "id_token.iss_slash" : "id_token.iss_wrong",
    },
    aud: { missing: "id_token.aud_missing", changed: "id_token.aud_wrong" },
    nonce: {
      missing: "id_token.nonce_missing",
      changed: "id_token.nonce_wrong",
      unasked: "id_token.nonce_unasked",
    },
    acr: { missing: "id_token.acr_missing", changed: "id_token.acr_weak" },
    auth_time: { missing: "id_token.auth_time_missing", changed: "id_token.auth_time_old" },
    at_hash: { changed: "id_token.at_hash_wrong" },
    alg: header["alg"] === "none" ? { unasked: "id_token.alg_none" } : {},
    exp: { changed: "id_token.exp_past" },
    iat: { changed: "id_token.iat_future" },
  };
}

/** A client may ignore the ID token of a refresh, so only faults of the area `refresh` fit (OpenID Connect Core §12.2). */
const refreshFaults: FaultsByName = {
  iss: { missing: "refresh.id_token_other_issuer", changed: "refresh.id_token_other_issuer" },
  nonce: { changed: "refresh.id_token_nonce", unasked: "refresh.id_token_nonce" },
};

const accessTokenFaults: FaultsByName = {
  exp: { changed: "access_token.expired" },
  iat: { changed: "access_token.issued_in_future" },
  access_token_aud: { missing: "access_token.audience_missing", changed: "access_token.audience_wrong" },
};

function differsBySlash(received: unknown, issuer: string): boolean {
  return received === `${issuer}/` || `${received}/` === issuer;
}

/** Leaves out a check that compares nothing. */
function describeComparison(
  { result, expected, received, rule }: Check,
  name: ClientCheck["name"],
  faults: FaultsByName,
  options: ShowOptions,
): readonly Comparison[] {
  const isTime = timeNames.has(name);
  const isUnknown = result === "open" && (name === "at_hash" || name === "alg");
  if (result === "absent" || isUnknown) return [];
  // Without its time, a token has other faults. A client that sent max_age needs the time of the sign-in.
  if (isTime && name !== "auth_time" && typeof received !== "number") return [];
  const { missing, changed, unasked } = faults[name] ?? {};
  const secrecy = name === "state" ? "secret" : secrecyOfClaim(name === "response_iss" ? "iss" : name);
  const show = (value: unknown): ShownValue => {
    if (isTime && typeof value === "number") return { text: String(value), time: value };
    return name === "access_token_aud"
      ? showValue([value].flat().filter((each) => typeof each === "string").join(" "), "open", options)
      : showValue(value, secrecy, options);
  };
  return [{
    name,
    rule,
    isMet: result === "open" ? undefined : result === "passed",
    ...present({
      expected: expected === undefined
        ? undefined
        : show(Array.isArray(expected) ? expected.join(" ") : expected),
      received: received === undefined ? undefined : show(received),
    }),
    fault: received === undefined ? missing : expected === undefined ? unasked : changed,
  }];
}

/** Returns `undefined` if the journal does not have the authorization request, for example because it was reset. */
function findSent(kept: KeptEntry, past: Past): Sent | undefined {
  const opened = findAuthorization(kept, past) ?? (isAuthorization(kept) ? kept : undefined);
  if (opened === undefined) return undefined;
  const parts = readExchangeParts(opened.entry);
  return readSent((name) => findParameter(parts, name));
}

export function explainState(kept: KeptEntry, past: Past): (state: string) => string {
  if (kept.endpoint === "logout") return compareState(findParameter(readExchangeParts(kept.entry), "state"));
  const sent = findSent(kept, past);
  return sent === undefined ? () => "state_uncompared" : compareState(sent("state"), "state_unasked");
}

/** `absent` is the explanation if the request has no state, as that of a form which carries it encrypted. */
function compareState(sent: string | undefined, absent = "state_uncompared"): (state: string) => string {
  if (sent === undefined) return () => absent;
  return (state) => state === sent ? "state_returned" : "state_changed";
}
