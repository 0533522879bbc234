/** The tokens of a request and of its response. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { present } from "../../ground/values/present.ts";
import { type ClientCheck, ofIdToken, type ShownExchange, type ShownMessage } from "./exchange_props.ts";
import type { NamedValue, ShownCheck, ShownValue } from "../../server/pages/token/token_props.ts";
import { EntryLink } from "./entry_link.tsx";
import { describeMoment } from "../../server/pages/value.tsx";
import { TokenView } from "../../server/pages/token/token.tsx";
import { quote } from "../../ground/values/visible.ts";
import { englishTimeline as words } from "./timeline_english.ts";

export interface EntryToken extends NamedValue {
  readonly carriedBy: "request" | "response";
  readonly checks: readonly EntryCheck[];
  /** What the server knows about a code or a token. Absent in a file. */
  readonly facts?: readonly NamedValue[];
  /** Why the server does not accept the token any more. */
  readonly ended?: string;
  /** Where the token is compared with another one. Absent in a file, and if it is no JWT. */
  readonly compare?: {
    readonly href: string;
    /** The login has an earlier token with the same name, with which it is compared first. */
    readonly hasBefore: boolean;
  };
}

interface EntryCheck extends ShownCheck {
  /** The server sent a value, which the page does not show. */
  readonly isHidden?: true;
}

/** The tokens that the server gave come first, and of these the ones with a failed check. */
export function listTokens(
  { request, response, checks }: ShownExchange,
  isToken = ({ jwt }: NamedValue): boolean => jwt !== undefined,
): readonly EntryToken[] {
  const find = ({ parameters, headers, body }: ShownMessage) =>
    [...parameters, ...headers, ...body].filter(isToken);
  const issued = find(response);
  const checked = issued.map((token) => ({
    ...token,
    carriedBy: "response" as const,
    checks: findChecks(token.name, issued, checks),
  }));
  return [
    ...checked.toSorted((left, right) => Number(isFailed(right)) - Number(isFailed(left))),
    ...find(request).map((token) => ({ ...token, carriedBy: "request" as const, checks: [] })),
  ];
}

function isFailed({ jwt, checks }: Pick<EntryToken, "jwt" | "checks">): boolean {
  return jwt !== undefined && checks.some(({ result }) => result === "failed");
}

export function EntryTokens({ tokens, prefix = "", now }: {
  readonly tokens: readonly EntryToken[];
  readonly prefix?: string;
  /** The time by the server's clock, in seconds. Absent in a file. */
  readonly now?: number;
}): VNode {
  return (
    <>
      {tokens.map(({ compare, checks, facts, ended, ...token }, at) => (
        <section key={at}>
          <h3>
            {quote(token.name)} <span class="aside">{words.carriedBy[token.carriedBy]}</span>{" "}
            {compare !== undefined && (
              <EntryLink href={compare.href}>
                {compare.hasBefore ? words.compare.before : words.compare.any}
              </EntryLink>
            )}
          </h3>
          {ended !== undefined && (
            <p class="notice">
              <strong>{words.ended}</strong> {quote(ended)}
            </p>
          )}
          <TokenView
            id={`${prefix}token-${at + 1}`}
            name={quote(token.name)}
            token={token}
            checks={checks}
            carriedBy={token.name}
            {...present({ now, facts })}
          />
        </section>
      ))}
    </>
  );
}

// Without an ID token, the client compares the times of the access token.
const ofAccessTokenAlone: readonly (typeof ofIdToken)[number][] = ["exp", "iat"];

function findChecks(
  token: string,
  tokens: readonly NamedValue[],
  checks: readonly ClientCheck[],
): readonly EntryCheck[] {
  const hasIdToken = tokens.some(({ name }) => name === "id_token");
  const isAccessToken = token === "access_token";
  const own = token === "id_token" ? ofIdToken : isAccessToken && !hasIdToken ? ofAccessTokenAlone : [];
  return checks.flatMap(({ name, isMet, expected, received, rule }) => {
    const shown = isAccessToken && name === "access_token_aud" ? "aud" : own.find((each) => each === name);
    if (shown === undefined) return [];
    const result = isMet === undefined ? "open" as const : isMet ? "passed" as const : "failed" as const;
    const sent = write(received);
    const isHidden = received !== undefined && sent === undefined || undefined;
    return [{
      name: shown,
      result,
      rule,
      ...present({ expected: write(expected), received: sent, isHidden }),
    }];
  });
}

/** Returns `undefined` for a value that the page does not show. */
function write(value: ShownValue | undefined): string | undefined {
  return value?.time === undefined ? value?.text : describeMoment(value.time);
}
