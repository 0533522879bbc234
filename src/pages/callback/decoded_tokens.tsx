/** The tokens that a step got: each with its claims in words, and its checks. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { DecodedToken } from "../../oauth/pages.ts";
import { showJson, showsAll } from "../token/show_json.ts";
import { TokenView } from "../token/token.tsx";
import { english as words } from "../words/english.ts";

interface DecodedTokensProps {
  readonly decoded: readonly DecodedToken[];
  /** The ids of the parts begin with it. */
  readonly prefix: string;
  readonly now: number;
}

export function DecodedTokens({ decoded, prefix, now }: DecodedTokensProps): VNode {
  return (
    <div class="decoded">
      {decoded.map(({ kind, text, jwt, checks }) => {
        const id = `${prefix}-${kind}`;
        return (
          <section key={kind} aria-labelledby={`${id}-heading`} id={id}>
            <h3 id={`${id}-heading`}>{words.walk.kinds[kind]}</h3>
            {jwt === undefined ? <p class="aside">{words.walk.opaque[kind]}</p> : (
              <TokenView
                id={`${id}-view`}
                name={words.walk.kinds[kind]}
                token={{ text, length: text.length, jwt: showParts(jwt) }}
                checks={checks}
                now={now}
              />
            )}
          </section>
        );
      })}
    </div>
  );
}

function showParts({ header, payload }: NonNullable<DecodedToken["jwt"]>) {
  return { header: showJson(header, showsAll), payload: showJson(payload, showsAll) };
}
