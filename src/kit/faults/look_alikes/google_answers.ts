/** What Google answers at addresses that the standards do not have: what a token is, and who the person is. */

import { readUnverifiedHeader } from "../../../ground/crypto/jwt.ts";
import { parseAuthorization } from "../../../ground/http/authorization.ts";
import { isFormType } from "../../../ground/http/body.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { json } from "../../../ground/http/respond.ts";
import type { Claims, Members } from "../../../ground/values/members.ts";
import { present } from "../../../ground/values/present.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Endpoint, Services } from "../../../server/oauth/contracts/feature.ts";
import {
  createParams,
  type Params,
  readForm,
  readQuery,
  requireUnrepeatedForm,
} from "../../../server/oauth/contracts/params.ts";
import { type RefusalRows, refusals } from "../../../server/oauth/contracts/refusals.ts";
import { findLive, findToken, type LiveToken } from "../../../server/oauth/tokens/find_token.ts";
import { readIssuedIdToken } from "../../../server/oauth/tokens/issued_id_token.ts";
import { checkLasting, nameParts } from "./differences.ts";
import type { ShownPerson } from "./look_alike.ts";

const refusal = refusals({
  provider_token_invalid: {
    error: "invalid_token",
    status: 400,
    sentence: "Invalid Value",
    expected: "a valid access token in access_token, or an ID token in id_token",
    change: "Send a token that is valid at this look-alike.",
  },
  provider_revocation_of_none: {
    error: "invalid_token",
    status: 400,
    sentence: "Token expired or revoked",
    expected: "an access token or a refresh token that is valid",
    change: "Revoke each login once.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** Other providers take a token that they do not know for one that is revoked (RFC 7009 §2.2). */
export function revokesValid(usual: Endpoint["handle"]): Endpoint["handle"] {
  return async (exchange, services, variable) => {
    const form = await readForm(exchange);
    requireUnrepeatedForm(form);
    const text = form.get("token");
    const token = text === undefined ? undefined : await findToken(text, undefined, services);
    const isValid = token !== undefined && (await checkLasting(token, services)).isValid;
    if (text !== undefined && !isValid) throw refusal("provider_revocation_of_none");
    return await usual(exchange, services, variable);
  };
}

/** The members of version 2 of the API, which calls two of them otherwise. */
export function describeGoogleUser(person: ShownPerson, scope: readonly string[]): Members {
  const { sub: id, email_verified: verified_email, ...others } = describeProfile(person, scope);
  return present({ id, verified_email, ...others });
}

/** A service account as a person: its id is its email. */
function accountOf(id: string): ShownPerson {
  return { username: id, subject: id, claims: { email: id } };
}

export function describeAccount(id: string): Members {
  return describeProfile(accountOf(id), [emailScope]);
}

export function describeAccountAsBefore(id: string): Members {
  return describeGoogleUser(accountOf(id), [emailScope]);
}

/** The claims of userinfo, also without the scope `openid`. */
export function describeProfile({ subject, claims }: ShownPerson, scope: readonly string[]): Members {
  const { email, email_verified = true, name, picture = usualPicture, hd } = claims;
  const has = (...names: readonly string[]) => names.some((each) => scope.includes(each));
  const [ofProfile, ofEmail] = [has("profile", profileScope), has("email", emailScope)];
  return present({
    sub: subject,
    ...(ofProfile ? { name, ...nameParts(claims), picture } : {}),
    ...(ofEmail && email !== undefined ? { email, email_verified } : {}),
    hd: ofProfile || ofEmail ? hd : undefined,
  });
}

/** Each account has a picture. */
export const usualPicture = "https://lh3.googleusercontent.com/a/default-user=s96-c";

export const emailScope = "https://www.googleapis.com/auth/userinfo.email";
export const profileScope = "https://www.googleapis.com/auth/userinfo.profile";

const shortScopes = new Map([[emailScope, "email"], [profileScope, "profile"]]);
const urlsOfScopes = new Map([...shortScopes].map(([url, name]) => [name, url]));

/** Writes the short names of scopes as Google does. */
export function showScope(scope: string): string {
  return renameScopes(scope, urlsOfScopes);
}

/** A refresh may name the scopes as the token response of the login did. */
export function shortenScope(scope: string): string {
  return renameScopes(scope, shortScopes);
}

function renameScopes(scope: string, names: ReadonlyMap<string, string>): string {
  return scope.split(" ").map((each) => names.get(each) ?? each).join(" ");
}

export async function describeToken(exchange: Exchange, services: Services): Promise<Answer> {
  return json(asTexts(await readToken(exchange, services)));
}

/** The versions 1 and 2 have other names. */
export async function describeTokenAsBefore(exchange: Exchange, services: Services): Promise<Answer> {
  const { azp, aud, sub, scope, expires_in, email, email_verified, access_type } = await readToken(
    exchange,
    services,
  );
  const names = { issued_to: azp, audience: aud, user_id: sub, verified_email: email_verified };
  return json({ ...names, scope, expires_in, email, access_type });
}

/** The token is in the query, in the form, or in the Authorization header. */
async function readToken(exchange: Exchange, services: Services): Promise<Members> {
  // parse
  const params = await readParams(exchange);
  const { text } = parseAuthorization(exchange.request.header("authorization") ?? "", ["Bearer"]) ?? {};
  const idToken = params.get("id_token");
  const accessToken = params.get("access_token") ?? text;
  // validate
  const described = idToken !== undefined
    ? await describeIdToken(idToken, services)
    : accessToken !== undefined
    ? await describeAccessToken(accessToken, exchange, services)
    : undefined;
  if (described === undefined) throw refusal("provider_token_invalid", { received: "no valid token" });
  return described;
}

async function readParams(exchange: Exchange): Promise<Params> {
  const { request } = exchange;
  const form = request.method === "POST" && isFormType(request.header("content-type"))
    ? await readForm(exchange)
    : undefined;
  return createParams([...readQuery(exchange).pairs, ...form?.pairs ?? []]);
}

/** Each value is a text, and the members of the header stand beside the claims. */
async function describeIdToken(text: string, services: Services): Promise<Members | undefined> {
  const token = await readIssuedIdToken(text, services);
  if (token === undefined || token.expiresAt <= services.now()) return undefined;
  const { alg, kid, typ } = readUnverifiedHeader(text) ?? {};
  return { ...token.claims, alg, kid, typ };
}

async function describeAccessToken(
  text: string,
  exchange: Exchange,
  services: Services,
): Promise<Members | undefined> {
  const live = await findLive(text, "access_token", services);
  if (live === undefined) return undefined;
  exchange.note({ clientId: live.client.id, ...present({ subject: live.grant?.person.subject }) });
  return describeLive(live, services);
}

function describeLive({ token, client, grant }: LiveToken, { now }: Services): Members {
  const { subject, claims } = grant?.person ?? {};
  const hasEmail = token.scope.some((each) => each === "email" || each === emailScope);
  return {
    azp: client.id,
    aud: client.id,
    sub: subject,
    scope: showScope(token.scope.join(" ")),
    exp: token.expiresAt,
    expires_in: Math.floor(token.expiresAt - now()),
    ...(hasEmail
      ? {
        email: grant === undefined ? client.id : claims?.["email"],
        email_verified: claims?.["email_verified"] ?? true,
      }
      : {}),
    access_type: token.claims["access_type"] ?? "online",
  };
}

function asTexts(claims: Claims): Members {
  return Object.fromEntries(
    Object.entries(claims).flatMap(([name, value]) => value === undefined ? [] : [[name, String(value)]]),
  );
}
