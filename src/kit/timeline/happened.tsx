/** What was wrong on purpose, what happened and what to change, in an entry and in a file. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { formatDuration } from "../../ground/schema/duration.ts";
import { describeClock, describeTurn, type LinkTo } from "./exchange_line.tsx";
import type { ShownExchange } from "./exchange_props.ts";
import { EntryLink } from "./entry_link.tsx";
import { listTokens } from "./entry_tokens.tsx";
import { RemarkText } from "./remarks.tsx";
import { markOf } from "./request_outcome.ts";
import { quote, visible } from "../../ground/values/visible.ts";
import { englishTimeline as words } from "./timeline_english.ts";
import { findChange, nameFault } from "./why.tsx";

/** `prefix`: what the ids of the tokens begin with. */
export function Happened({ shown, link, prefix = "" }: {
  readonly shown: ShownExchange;
  readonly link: LinkTo;
  readonly prefix?: string;
}): VNode {
  const { refusal, advice, follows, hints, isLost, turned, clockAhead } = shown;
  const told = refusal ?? advice;
  const change = told && findChange(told, hints);
  const mark = markOf(shown);
  const isFault = refusal && follows === undefined && (mark === "refused" || mark === "failed");
  return (
    <>
      {shown.altered.length > 0 && <OnPurpose shown={shown} prefix={prefix} />}
      {told === undefined
        ? <p>{describeGiven(shown)}</p>
        : (
          <p class={`notice ${isFault ? "problem" : "caution"}`}>
            <strong>{nameFault(told)}</strong>
            {change !== undefined && <span>{words.line.oneChange} {change}</span>}
            {follows !== undefined && (
              <span>
                {words.line.follows} <EntryLink href={link(follows)}>{words.line.followed}</EntryLink>.
              </span>
            )}
          </p>
        )}
      {isLost && <p class="notice caution">{words.line.lost}</p>}
      {turned !== undefined && <p class="aside">{describeTurn(turned)}</p>}
      {turned === undefined && clockAhead !== undefined && <p class="aside">{describeClock(clockAhead)}</p>}
    </>
  );
}

/** What was changed, and what a client expects instead, with a link to the claim. */
function OnPurpose({ shown, prefix }: { readonly shown: ShownExchange; readonly prefix: string }): VNode {
  const { altered, isWrong, remarks } = shown;
  return (
    <p class={`notice ${isWrong ? "problem" : "caution"}`}>
      <strong>
        {isWrong ? words.line.wrongBy : words.line.alteredBy}{" "}
        <code>{quote([...new Set(altered.map(({ by }) => by))].join(", "))}</code>
      </strong>
      {remarks.map((remark) =>
        remark.check === undefined && (
          <span key={remark.name}>
            {" "}
            <RemarkText remark={remark} />
          </span>
        )
      )}
      {listTokens(shown).map((token, at) =>
        token.checks.map(({ name, result, expected, received, isHidden }) =>
          result === "failed" && (
            <span key={name}>
              {" "}
              <a href={`#${prefix}token-${at + 1}-${name}`}>{name} · {token.name}</a>
              {!isHidden && words.line.sent(expected && visible(expected), received && visible(received))}
            </span>
          )
        )
      )}
    </p>
  );
}

function describeGiven({ endpoint, result, status, response: { body } }: ShownExchange): string {
  if (status === undefined) return words.passedOn;
  if (result !== undefined) return words.results[result];
  if (endpoint !== "token") return words.given.get(endpoint) ?? words.answered(status);
  const read = (wanted: string) => body.find(({ name }) => name === wanted)?.text;
  const life = Number(read("expires_in") ?? NaN);
  // RFC 8693 §2.2.1: the member has this name also if the token is no access token.
  const ownName = read("token_type") === "N_A" ? "other_token" : "access_token";
  return words.tokens(
    body.map(({ name }) => name === "access_token" ? ownName : name),
    Number.isFinite(life) ? formatDuration(life) : undefined,
    read("scope") && quote(read("scope")!),
  );
}
