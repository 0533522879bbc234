/** Finds out what a pasted text is, and takes it apart. Nothing is stored, and no other server is called. */

import { type JwtParts, parseJwt } from "../../../ground/crypto/jwt_parts.ts";
import { showJwt } from "../../../kit/mock/journal/show_value.ts";
import type { PastedProps } from "./playground_reader.tsx";
import type { ComparisonProps } from "../parts/token_comparison.tsx";
import { shortName } from "../../../ground/values/visible.ts";
import { describeMoment } from "../../../server/pages/value.tsx";
import { englishPlayground } from "./playground_english.ts";
import { parseJsonObject } from "../../../ground/schema/json_object.ts";
import { takeCredentialApart } from "./pasted_credential.ts";
import { nameKind } from "./name_kind.ts";
import { takeJwtApart } from "./pasted_jwt.ts";
import { takeParamsApart } from "./pasted_params.ts";
import type { PastedOptions } from "./pasted_check.ts";
import { takeInnerApart, takeMembersApart, unreadable } from "./pasted_members.ts";
import { longestText, readParams, unwrap } from "./pasted_text.ts";
import { present } from "../../../ground/values/present.ts";

export async function takeApart(pasted: string, options: PastedOptions): Promise<PastedProps> {
  const text = unwrap(pasted);
  if (text === "") return unreadable("empty");
  if (text.length > longestText) return unreadable("too_long");
  if (text.startsWith("{")) return await takeJsonApart(text, options);
  const params = readParams(text);
  if (params !== undefined) {
    const found = await takeParamsApart(params, options);
    return { ...found, inner: await takeInnerApart(params.pairs, takeTokensApart(options)) };
  }
  return await takeTokenApart(text, options) ?? unreadable("unknown");
}

/** Compares two pasted tokens. Returns `undefined` if one of the texts is not a JWT. */
export function compareTexts(
  [first, second]: readonly [string, string],
  { show, services }: Pick<PastedOptions, "show" | "services">,
): ComparisonProps | undefined {
  const [left, right] = [first, second].map(unwrap).map((text) => {
    const parts = text.length > longestText ? undefined : parseJwt(text);
    return parts && { name: nameJwt(parts, services), jwt: showJwt(text, show)! };
  });
  return left && right && { left, right };
}

/** Returns text such as "shop · 2027-01-15 08:00:00 UTC · ID token". */
function nameJwt(parts: JwtParts, services: PastedOptions["services"]): string {
  const { client_id, azp, aud, iat } = parts.claims;
  const client = [client_id, azp, aud].flat().find((each) => typeof each === "string");
  const time = typeof iat === "number" ? describeMoment(iat) : undefined;
  const kind = englishPlayground.reader.kinds[nameKind(parts, services.settings.issuer)];
  return [client && shortName(client), time, kind].filter((each) => each !== undefined).join(" · ");
}

async function takeTokenApart(text: string, options: PastedOptions): Promise<PastedProps | undefined> {
  const parts = parseJwt(text);
  if (parts !== undefined) return await takeJwtApart(text, parts, options);
  if (/^eyJ[\w-]+(\.[\w-]*){4}$/.test(text)) return unreadable("encrypted");
  return await takeCredentialApart(text, options);
}

async function takeJsonApart(text: string, options: PastedOptions): Promise<PastedProps> {
  const members = parseJsonObject(text);
  return members === undefined
    ? unreadable("json")
    : await takeMembersApart(members, options.show, takeTokensApart(options));
}

function takeTokensApart(options: PastedOptions) {
  return (text: string, accessToken: string | undefined) =>
    takeTokenApart(text, { ...options, ...present({ accessToken }) });
}
