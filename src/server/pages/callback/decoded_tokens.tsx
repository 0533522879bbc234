/** The tokens that a step got: each with its claims in words, and its checks. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { DecodedToken } from "../../oauth/pages.ts";
import { showJson, showsAll } from "../token/token_props.ts";
import { countResults, TokenView } from "../token/token.tsx";
import { english as words } from "../words/english.ts";
import { englishToken } from "../words/token_english.ts";

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
              <>
                <Fold checks={checks} />
                <TokenView
                  id={`${id}-view`}
                  name={words.walk.kinds[kind]}
                  token={{ text, length: text.length, jwt: showParts(jwt) }}
                  checks={checks}
                  now={now}
                />
              </>
            )}
          </section>
        );
      })}
    </div>
  );
}

/** A narrow window shows the token below only while this is open. A wide one has no such line. */
function Fold({ checks }: Pick<DecodedToken, "checks">): VNode {
  const { passed, failed } = countResults(checks);
  return (
    <details class="fold" open={failed > 0}>
      <summary>{englishToken.claims(englishToken.checked(passed, failed))}</summary>
    </details>
  );
}

function showParts({ header, payload }: NonNullable<DecodedToken["jwt"]>) {
  return { header: showJson(header, showsAll), payload: showJson(payload, showsAll) };
}
