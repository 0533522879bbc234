/** Codes as an authenticator app makes them, and sign-ins with them, for the tests of the second factor. */

import { createHmac } from "node:crypto";
import { decodeJwt } from "jose";
import type { ServerOptions } from "../../../src/mod.ts";
import { callbackParams, type Page, type Params, type World } from "../../world.ts";
import { assertTokens } from "../oauth/refusals.ts";

/** The secret of carol: the octets of "12345678901234567890", which RFC 6238 Appendix B has. */
export const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

export const people: NonNullable<ServerOptions["people"]> = [
  { username: "carol", secondFactor: { kind: "totp", secret } },
  { username: "dave", password: "dave's password", secondFactor: { kind: "code", always: true } },
  { username: "erin" },
];

/** Returns the code of the secret above, which is written anew here (RFC 6238 §4). */
export function appCode(now: number, steps = 0): string {
  const counter = new Uint8Array(8);
  new DataView(counter.buffer).setUint32(4, Math.floor(now / 30) + steps);
  const mac = createHmac("sha1", "12345678901234567890").update(counter).digest();
  return String((mac.readUInt32BE(mac.at(-1)! % 16) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** Redeems the code of an answer and returns the claims of the access token. */
export async function claimsOf(world: World, answer: Page): Promise<Readonly<Record<string, unknown>>> {
  const tokens = await assertTokens(await world.redeem(codeIn(answer)));
  return decodeJwt(String(tokens["access_token"]));
}

function codeIn({ leftFor, html }: Page): string {
  const code = leftFor === undefined ? null : new URL(leftFor).searchParams.get("code");
  if (code === null) throw new Error(`no code: ${leftFor ?? html.slice(0, 300)}`);
  return code;
}

export async function errorOf(world: World, changed: Params): Promise<string | null> {
  return callbackParams(await world.authorize(changed)).get("error");
}
