/** What was wrong on purpose, what happened and what to change, in an entry and in a file. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { formatDuration } from "../../ground/schema/duration.ts";
import { describeClock, describeTurn, type LinkTo } from "./exchange_line.tsx";
import type { ShownExchange } from "./exchange_props.ts";
import { EntryLink } from "./entry_link.tsx";
import { listTokens } from "./entry_tokens.tsx";
import { RemarkText } from "./remarks.tsx";
import { Value } from "../../server/pages/value.tsx";
import { quote } from "../../ground/values/visible.ts";
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
  return (
    <>
      {shown.altered.length > 0 && <OnPurpose shown={shown} prefix={prefix} />}
      {told === undefined
        ? <p>{describeGiven(shown)}</p>
        : (
          <p class={`notice ${refusal === undefined || follows !== undefined ? "caution" : "problem"}`}>
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

/** What was changed, what a client expects instead, and where it stands in a token. */
function OnPurpose({ shown, prefix }: { readonly shown: ShownExchange; readonly prefix: string }): VNode {
  const { altered, isWrong, remarks, checks } = shown;
  // A misbehaviour may change an answer at several places.
  const named = altered.filter(({ by }, at) =>
    !isWrong || altered.findIndex((each) => each.by === by) === at
  );
  const failed = listTokens(shown).flatMap((token, at) =>
    token.checks.filter(({ result }) => result === "failed")
      .map(({ name }) => ({ name, of: token.name, href: `#${prefix}token-${at + 1}-${name}` }))
  );
  return (
    <p class={`notice ${isWrong ? "problem" : "caution"}`}>
      <strong>
        {isWrong ? words.line.wrongBy : words.line.alteredBy} {named.map(({ seam, by }, at) => (
          <span key={at}>
            {at > 0 && ", "}
            <code>{quote(by)}</code>
            {seam !== by && !isWrong && ` ${words.exchange.alteredAt(seam)}`}
          </span>
        ))}
      </strong>
      {remarks.filter(({ check }) => check === undefined).map((remark) => (
        <span key={remark.name}>
          {" "}
          <RemarkText remark={remark} />
        </span>
      ))}
      {checks.filter(({ isMet }) => isMet === false).map(({ name, expected, received }) => (
        <span key={name}>
          {" "}
          {words.failedChecks[name]}. {expected !== undefined && (
            <>
              {words.exchange.expected}: <Value value={expected} />.{" "}
            </>
          )}
          {words.exchange.sent}:{" "}
          {received === undefined ? words.exchange.nothing : <Value value={received} />}
        </span>
      ))}
      {failed.map(({ name, of, href }) => (
        <span key={href}>
          {" "}
          <a href={href}>{words.exchange.failedClaim(name, quote(of))}</a>
        </span>
      ))}
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
