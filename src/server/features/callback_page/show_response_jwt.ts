/** Takes an authorization response apart that is a JWT, and checks it as a client must (JARM §2.4). */

import { judgeResponseJwt } from "../../client/judge_token.ts";
import { decodeJwt, isEncryptedJwt, parseJwt } from "../../crypto/jwt_parts.ts";
import type { Client } from "../../oauth/clients/client.ts";
import type { ShownResponseJwt } from "../../oauth/pages.ts";
import type { Params } from "../../oauth/params.ts";
import type { Services } from "../../oauth/services.ts";
import { describeCheck } from "./check_tokens.ts";

/** Returns `undefined` if the response is no JWT. */
export async function showResponseJwt(
  params: Params,
  client: Client | undefined,
  { settings, keys, now }: Services,
): Promise<ShownResponseJwt | undefined> {
  const text = params.get("response");
  if (text === undefined) return undefined;
  const jwt = parseJwt(text);
  if (jwt === undefined) return isEncryptedJwt(text) ? { isEncrypted: true } : undefined;
  const checks = await judgeResponseJwt(text, jwt, {
    issuer: settings.issuer,
    clientId: client?.id,
    now: now(),
    keys: await keys.publicKeys(),
  });
  return {
    isEncrypted: false,
    text,
    jwt: decodeJwt(text),
    checks: checks.map(describeCheck),
    isRefused: checks.some(({ result }) => result === "failed"),
    now: now(),
  };
}
