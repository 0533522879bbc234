/** The components that show what a client or an API compares itself, and the arithmetic of PKCE. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { ClientCheck, PkceSum } from "./exchange_props.ts";
import type { ShownValue } from "../../server/pages/token/token_props.ts";
import type { LinkTo } from "./exchange_line.tsx";
import { Value } from "../../server/pages/value.tsx";
import { Fact, ValueFact } from "../../server/pages/parts.tsx";
import { EntryLink } from "./entry_link.tsx";
import { visible } from "../../ground/values/visible.ts";
import { englishTimeline as words } from "./timeline_english.ts";

export function Pkce({ sum: { verifier, hash, challenge, challengeId }, link }: {
  readonly sum: PkceSum;
  readonly link: LinkTo;
}): VNode {
  return (
    <>
      <dl class="facts">
        {verifier !== undefined && (
          <Fact term={words.exchange.verifier}>
            <Value value={verifier} />
          </Fact>
        )}
        <ValueFact term={words.exchange.hash} value={hash} />
        <Fact
          term={challengeId === undefined
            ? words.exchange.challenge
            : <EntryLink href={link(challengeId)}>{words.exchange.challenge}</EntryLink>}
        >
          {challenge === undefined
            ? words.exchange.noChallenge
            : <code class="value">{visible(challenge)}</code>}
        </Fact>
      </dl>
      {hash !== undefined && challenge !== undefined && (
        <p class={hash === challenge ? "holds" : "fails"}>
          {hash === challenge ? words.exchange.matches : words.exchange.differs}
        </p>
      )}
    </>
  );
}

/** The comparisons that are true are a line each, after the others. */
export function Checks({ checks }: { readonly checks: readonly ClientCheck[] }): VNode {
  const passed = checks.filter(({ isMet }) => isMet === true);
  const others = checks.filter(({ isMet }) => isMet !== true);
  return (
    <>
      {others.length > 0 && (
        <dl class="facts">{others.map((check) => <Check key={check.name} {...check} />)}</dl>
      )}
      {passed.length > 0 && (
        <>
          <p>{words.exchange.hold}</p>
          <ul>
            {passed.map(({ name, received }) => (
              <li key={name} class="mark">
                {words.checks[name]} <Received value={received} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Check({ name, isMet, expected, received }: ClientCheck): VNode {
  const [face, sign, result] = isMet === undefined
    ? ["aside", "–", words.exchange.open]
    : ["fails", "✗", words.exchange.fails];
  const term = (
    <>
      <span class={face} aria-hidden="true">{sign}</span> <span class="unseen">{`${result}: `}</span>
      {words.checks[name]}
    </>
  );
  return (
    <Fact term={term}>
      {isMet === undefined && (
        <span class="note">
          {name === "access_token_aud" ? words.exchange.noResource : words.exchange.noRequest}
        </span>
      )}
      {isMet !== false ? <Received value={received} /> : (
        <>
          <span class="aside">{words.exchange.expected}:</span>{" "}
          {expected === undefined ? words.exchange.noExpectation : <Value value={expected} />}
          <br />
          <span class="aside">{words.exchange.received}:</span> <Received value={received} />
        </>
      )}
    </Fact>
  );
}

function Received({ value }: { readonly value: ShownValue | undefined }): VNode {
  return value === undefined ? <>{words.exchange.notReceived}</> : <Value value={value} />;
}
