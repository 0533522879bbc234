/** Receives logout tokens (OpenID Connect Back-Channel Logout §2.6). */

import { decodeJwt, type JWTPayload } from "jose";
import type { ServerMetadata } from "./discovery.ts";
import { differs, refuseIf, type Run, startleIf } from "./habits.ts";
import { isObject } from "./json.ts";
import { verifySignature } from "./keys.ts";
import type { Login } from "./login.ts";

const event = "http://schemas.openid.net/event/backchannel-logout";

export function receiveLogoutTokens(
  { idToken }: Login,
  metadata: ServerMetadata,
  run: Run,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const form = new URLSearchParams(await request.text());
    try {
      await validate(`${form.get("logout_token")}`, idToken["sid"], metadata, run);
      return new Response(null);
    } catch {
      // §2.8.
      return new Response(null, { status: 400 });
    }
  };
}

async function validate(token: string, sid: unknown, metadata: ServerMetadata, run: Run): Promise<void> {
  if (!run.habits.checks) return void decodeJwt(token);
  const { header, claims } = await verifySignature(token, metadata, run);
  // §4.1. The typ is only recommended (§2.4).
  refuseIf(
    run,
    !["logout+jwt", "jwt", undefined].includes(header.typ?.toLowerCase()),
    `the typ ${header.typ}`,
  );
  startleIf(run, header.typ !== "logout+jwt", `the typ ${header.typ}`);
  checkClaims(claims, metadata, run);
  startleIf(run, claims["sid"] !== sid, "an unknown session");
  const unknown = Object.keys(claims).filter((name) => !knownClaims.has(name));
  startleIf(run, unknown.length > 0, `unknown claims: ${unknown}`);
}

function checkClaims(claims: JWTPayload, { issuer }: ServerMetadata, run: Run): void {
  const { iss, aud, exp, iat, sub, sid, events, nonce } = claims;
  refuseIf(run, differs(run, iss, issuer), `the issuer ${iss}`);
  refuseIf(
    run,
    [aud].flat().every((each) => differs(run, each, run.scenario.clientId)),
    `the audience ${aud}`,
  );
  refuseIf(run, typeof iat !== "number" || !(Number(exp) > Date.now() / 1000), `the exp ${exp}`);
  refuseIf(run, sub === undefined && sid === undefined, "neither sub nor sid");
  refuseIf(run, !isObject(events) || !isObject(events[event]), "not the event of a logout");
  refuseIf(run, nonce !== undefined, "a nonce");
}

/** §2.4. */
const knownClaims = new Set("iss sub aud iat exp jti events sid".split(" "));
