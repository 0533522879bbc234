/** The tags that an exchange gets by itself: its rule, and what was wrong on purpose. */

import type { Alteration, Facts } from "../../../server/oauth/contracts/journal.ts";
import { redactText } from "../../../server/oauth/secrets/redaction.ts";

/** Returns tags such as `rule:7636` and `misbehaviour:id_token.nonce_wrong`, which the filter understands. */
export function listTags(
  { facts: { refusal, advice }, altered }: {
    readonly facts: Partial<Facts>;
    readonly altered: readonly Alteration[];
  },
): readonly string[] {
  const { reason, spec } = refusal ?? advice ?? {};
  return [
    ...(reason === undefined ? [] : [`reason:${reason}`]),
    ...listRules(spec ?? "").map((rule) => `rule:${rule}`),
    ...new Set(altered.map(({ by }) => tagOf(redactText(by)))),
  ];
}

/** Returns the short names of the rules in a text such as `RFC 7636 §4.6`: 7636. */
export function listRules(spec: string): readonly string[] {
  const numbers = [...spec.matchAll(/\bRFC (\d+)/g)].map(([, number = ""]) => number);
  const others = [
    ...(/OAuth 2\.1/.test(spec) ? ["oauth2.1"] : []),
    ...(/OpenID Connect|Logout/.test(spec) ? ["openid"] : []),
  ];
  return [...new Set([...numbers, ...others])];
}

/** Names of misbehaviours have an area and a fault: `id_token.nonce_wrong`. Names of hooks have no dot. */
function tagOf(by: string): string {
  const kind = by.startsWith("look_alike.") ? "look_alike" : by.includes(".") ? "misbehaviour" : "hook";
  return `${kind}:${/\s/.test(by) ? `"${by.replaceAll('"', "'")}"` : by}`;
}
