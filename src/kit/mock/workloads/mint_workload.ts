/** Mints the token of a workload: the claims of its platform, signed as all tokens of the test kit. */

import type { RandomBytes } from "../../../ground/crypto/bytes.ts";
import { encodeOctets } from "../../../ground/values/octets.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Claims } from "../../../ground/values/members.ts";
import { present } from "../../../ground/values/present.ts";
import { passSeam } from "../../../server/oauth/contracts/seams.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { signToken } from "../../../server/oauth/tokens/sign_token.ts";
import type { Platform } from "./platform.ts";
import type { CheckedOptions } from "./workload_terms.ts";

/** A hook of the tenant sees the token as an ID token. */
const token = "id_token";

/** `audience` is what the workload asks for. Default: the audience of the terms, or the usual one of the platform. */
export async function mintWorkload(
  platform: Platform,
  terms: CheckedOptions,
  audience: readonly string[] | undefined,
  exchange: Exchange,
  services: Services,
): Promise<string> {
  const claims = createClaims(platform, { ...terms, audience: audience ?? terms.audience }, services);
  exchange.note({ subject: `${claims["sub"]}` });
  const { typ, alg } = platform;
  const hooked = await passSeam(services.seams, "claims", { token, claims }, exchange);
  return await signToken({ token, typ, alg, claims: hooked.claims }, exchange, services);
}

function createClaims(
  { subject, audience: { form, find }, validBefore, hasId, describe }: Platform,
  { sub, claims, lifetime, audience }: CheckedOptions,
  { settings: { issuer }, now, random }: Services,
): Claims {
  const known = { ...(sub === undefined ? {} : subject.read(sub)), ...claims };
  const described = { ...describe(known, issuer), ...known };
  const found = audience ?? [find?.(described, issuer)];
  const issuedAt = Math.floor(now());
  return {
    ...present({ jti: hasId ? createUuid(random) : undefined }),
    iss: issuer,
    sub: sub ?? subject.write(described),
    aud: form === "list" || found.length > 1 ? found : found[0],
    iat: issuedAt,
    ...present({ nbf: validBefore === undefined ? undefined : issuedAt - validBefore }),
    exp: issuedAt + lifetime,
    ...described,
  };
}

/** Creates a random UUID (RFC 9562 §5.4). The octets are those of the mock, so that a seed repeats them. */
function createUuid(random: RandomBytes): string {
  const octets = random(16);
  octets[6] = octets[6]! & 0x0f | 0x40;
  octets[8] = octets[8]! & 0x3f | 0x80;
  return encodeOctets(octets, "hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
