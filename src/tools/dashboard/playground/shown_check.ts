/** Writes the checks of a pasted text for the page. */

import type { TokenCheck } from "../../../server/client/judge_token.ts";
import type { JwtParts } from "../../../ground/crypto/jwt_parts.ts";
import { redactText } from "../../../server/oauth/secrets/redaction.ts";
import type { ShownCheck, ShownCheckName } from "../../../server/pages/token/token_props.ts";
import { present } from "../../../ground/values/present.ts";
import type { PlaygroundWords } from "./playground_english.ts";

// In characters.
const longestValue = 500;

/** Writes a check for the page. `isMet`: `undefined` if the server cannot decide it. */
export function decide(
  name: ShownCheckName,
  isMet: boolean | undefined,
  { expected, received, rule }: {
    readonly expected?: string | undefined;
    readonly received?: unknown;
    readonly rule?: string | undefined;
  },
): ShownCheck {
  return {
    name,
    result: isMet === undefined ? "open" : isMet ? "passed" : "failed",
    ...present({ expected: expected && redactText(expected) }),
    ...present({ received: received === undefined ? undefined : write(received), rule }),
  };
}

function write(value: unknown): string {
  const text = redactText(typeof value === "string" ? value : JSON.stringify(value) ?? "");
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}

/** Shows whether one of these keys has signed a JWT. `isMet`: `undefined` if the keys cannot decide it. */
export function showSignature(
  { header, signature }: JwtParts,
  { keys, isMet, rule, values }: {
    /** Texts of the keys, as `values.key` writes them. */
    readonly keys: readonly string[];
    readonly isMet: boolean | undefined;
    readonly rule: string;
    readonly values: PlaygroundWords["reader"]["values"];
  },
): ShownCheck {
  const named = values.key(`${header["kid"] ?? values.noKid}`, `${header["alg"] ?? values.noAlg}`);
  const isMisfit = isMet === false && keys.includes(named);
  const received = signature === "" ? values.noSignature : isMisfit ? values.misfit(named) : named;
  const expected = keys.length === 0 ? undefined : values.anyOf(keys);
  return decide("signature", isMet, { expected, received, rule });
}

/** Shows these checks in this order, without those that compare nothing. */
export function showChecks(
  names: readonly TokenCheck["name"][],
  checks: readonly TokenCheck[],
  { values }: { readonly values: PlaygroundWords["reader"]["values"] },
): readonly ShownCheck[] {
  const write = (name: TokenCheck["name"], expected: TokenCheck["expected"]) =>
    typeof expected === "number"
      ? name === "exp" ? values.after(expected) : values.notAfter(expected)
      : typeof expected === "object"
      ? values.anyOf(expected)
      : expected;
  const missing: Readonly<Partial<Record<TokenCheck["name"], string>>> = { typ: values.noType };
  return names.flatMap((name) => {
    const check = checks.find((each) => each.name === name);
    const isWithoutTime = times.includes(name) && check?.received === undefined;
    if (check === undefined || check.result === "absent" || isWithoutTime) return [];
    const { result, rule, expected, received = missing[name] } = check;
    const isMet = result === "open" ? undefined : result === "passed";
    return [decide(name, isMet, { expected: write(name, expected), received, rule })];
  });
}

export const times: readonly TokenCheck["name"][] = ["exp", "iat", "nbf"];
