/** The tokens of a request and of its response. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { NamedValue, ShownExchange, ShownMessage } from "./exchange_props.ts";
import { TokenView } from "../token/token.tsx";
import { quote } from "../visible.ts";
import { englishEntry as words } from "../words/entry_english.ts";

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

export function EntryTokens({ tokens, prefix = "" }: {
  readonly tokens: readonly FoundToken[];
  readonly prefix?: string;
}): VNode {
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
            checks={[]}
            carriedBy={token.name}
          />
        </section>
      ))}
    </>
  );
}
