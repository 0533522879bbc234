/** The tokens of a request and of its response. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { present } from "../../present.ts";
import type {
  CheckName,
  ClientCheck,
  NamedValue,
  ShownExchange,
  ShownMessage,
  ShownValue,
} from "./exchange_props.ts";
import { PageLink } from "../pass.tsx";
import { describeMoment } from "../time_text.ts";
import type { ShownCheck, ShownCheckName } from "../token/token_props.ts";
import { TokenView } from "../token/token.tsx";
import { quote } from "../visible.ts";
import { englishEntry as words } from "../words/entry_english.ts";
import { englishToken } from "../words/token_english.ts";

interface FoundToken extends NamedValue {
  readonly carriedBy: "request" | "response";
}

/** Returns the JWTs of both messages. */
export function listTokens({ request, response }: ShownExchange): readonly FoundToken[] {
  const find = ({ parameters, headers, body }: ShownMessage, carriedBy: FoundToken["carriedBy"]) =>
    [...parameters, ...headers, ...body].flatMap((value) =>
      value.jwt === undefined ? [] : [{ ...value, carriedBy }]
    );
  return [...find(request, "request"), ...find(response, "response")];
}

export interface EntryTokensProps {
  readonly tokens: readonly FoundToken[];
  /** The comparisons of the client. */
  readonly checks: readonly ClientCheck[];
  readonly prefix?: string;
  /** The time by the server's clock, in seconds. Absent in a file. */
  readonly now?: number;
  /** Returns the address at which a token is compared with the one before. Absent in a file. */
  readonly compare?: (token: string) => string;
}

export function EntryTokens({ tokens, checks, prefix = "", now, compare }: EntryTokensProps): VNode {
  return (
    <>
      {tokens.map((token, at) => (
        <section key={at}>
          <h3>
            {quote(token.name)} <span class="aside">{words.carriedBy[token.carriedBy]}</span>
          </h3>
          <TokenView
            id={`${prefix}token-${at + 1}`}
            name={quote(token.name)}
            token={token}
            checks={token.carriedBy === "response" ? findChecks(token.name, tokens, checks) : []}
            carriedBy={token.name}
            {...present({ now })}
          />
          {compare !== undefined && token.carriedBy === "response" && (
            <p>
              <PageLink href={compare(token.name)}>{englishToken.compare.before}</PageLink>
            </p>
          )}
        </section>
      ))}
    </>
  );
}

/** The claims that the client compares, by the names of its comparisons. */
const ofIdToken: Readonly<Partial<Record<CheckName, ShownCheckName>>> = {
  iss: "iss",
  aud: "aud",
  nonce: "nonce",
  exp: "exp",
  iat: "iat",
  at_hash: "at_hash",
  algorithm: "alg",
};
const ofAccessToken: Readonly<Partial<Record<CheckName, ShownCheckName>>> = { access_token_aud: "aud" };
// Without an ID token, the client compares the times of the access token.
const ofAccessTokenAlone = { ...ofAccessToken, exp: "exp", iat: "iat" } as const;

function findChecks(
  token: string,
  tokens: readonly FoundToken[],
  checks: readonly ClientCheck[],
): readonly ShownCheck[] {
  const hasIdToken = tokens.some(({ name }) => name === "id_token");
  const names: Readonly<Partial<Record<CheckName, ShownCheckName>>> = token === "id_token"
    ? ofIdToken
    : token !== "access_token"
    ? {}
    : hasIdToken
    ? ofAccessToken
    : ofAccessTokenAlone;
  return checks.flatMap(({ name, isMet, expected, received, rule }) => {
    const shown = names[name];
    if (shown === undefined) return [];
    const result = isMet === undefined ? "open" as const : isMet ? "passed" as const : "failed" as const;
    return [{
      name: shown,
      result,
      rule,
      ...present({ expected: write(expected), received: write(received) }),
    }];
  });
}

/** Returns `undefined` for a value that the page does not show. */
function write(value: ShownValue | undefined): string | undefined {
  return value?.time === undefined ? value?.text : describeMoment(value.time);
}
