/** Shows a token: its text, its JSON with what each line means, and its checks. Readers look for the claims first. */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import type { NamedValue, ShownCheck, TokenLine, TokenPart, TokenProps } from "./token_props.ts";
import { describeDistance, describeMoment, listNotes, Value } from "../value.tsx";
import { BreakableAddress } from "../breakable_address.tsx";
import { CopyButton } from "../parts.tsx";
import { RuleLinks } from "../rule_link.tsx";
import { quote, visible } from "../../../ground/values/visible.ts";
import type { ByName } from "../../../ground/values/fill.ts";
import { claims, clientClaims, jwtHeader, parameters } from "../words/explanations_english.ts";
import { type CheckWords, englishToken as words } from "../words/token_english.ts";

export function TokenView(props: TokenProps): VNode {
  const { id, name, token: { jwt }, checks, facts = [], carriedBy } = props;
  const [ofHeader, ofPayload] = [findLines(jwt?.header, checks), findLines(jwt?.payload, checks)];
  const others = checks.filter((check) =>
    check.result !== "absent" && ![ofHeader, ofPayload].some((each) => [...each.values()].includes(check)) &&
    !facts.some((fact) => fact.name === check.name)
  );
  return (
    <div class="token" id={id}>
      <Summary {...props} />
      <table aria-label={name}>
        {jwt !== undefined && (
          <>
            <Part
              {...props}
              kind="payload"
              part={jwt.payload}
              checks={ofPayload}
              explain={tablesOf(carriedBy)}
            />
            <Part {...props} kind="header" part={jwt.header} checks={ofHeader} explain={[jwtHeader]} />
          </>
        )}
        {facts.length > 0 && <Facts {...props} facts={facts} />}
        {others.length > 0 && (
          <tbody>
            <Head>{words.others}</Head>
            {others.map((check) => <OtherCheck key={check.name} id={placeOf(id, check)} check={check} />)}
          </tbody>
        )}
      </table>
      <Raw {...props} />
    </div>
  );
}

function tablesOf(carriedBy = ""): readonly ByName[] {
  const ofClient = clientClaims.get(carriedBy);
  return ofClient === undefined ? [claims] : [ofClient, parameters, claims];
}

/** Names each section once, because a link in each row would make the page heavy. */
function Summary({ checks, token }: Pick<TokenProps, "checks" | "token">): VNode | null {
  const { passed, failed } = countResults(checks);
  const sections = new Set(checks.flatMap(({ rule }) => rule?.replace(/ \(\d+\)$/, "") ?? []));
  const isHidden = token.text === undefined && token.length !== undefined;
  const isChecked = passed + failed > 0;
  return !isChecked && !isHidden ? null : (
    <p class="checked">
      {isChecked && (
        <>
          <span data-result={failed > 0 ? "failed" : "passed"}>{words.checked(passed, failed)}</span>
          {[...sections].map((each) => [" · ", <RuleLinks key={each} rules={each} />])}
        </>
      )}
      {isChecked && isHidden && " · "}
      {isHidden && listNotes(token).join(", ")}
    </p>
  );
}

export function countResults(
  checks: readonly Pick<ShownCheck, "result">[],
): Readonly<Record<"passed" | "failed", number>> {
  const count = (wanted: ShownCheck["result"]) => checks.filter(({ result }) => result === wanted).length;
  return { passed: count("passed"), failed: count("failed") };
}

/** The text of the token. The style gives each part of a JWT its colour and its line. */
function Raw({ id, name, token }: Pick<TokenProps, "id" | "name" | "token">): VNode | null {
  const { text, jwt, cutFrom } = token;
  if (text === undefined) return null;
  const parts = jwt === undefined ? [text] : text.split(".");
  const key = id === undefined ? undefined : `${id}-raw`;
  return (
    <div class="raw">
      <code id={key}>
        {parts.map((part, at) => [at > 0 && ".", <span key={at}>{visible(part)}</span>])}
      </code>
      {key !== undefined && cutFrom === undefined
        ? <CopyButton target={key} what={words.copy.whole(nameInSentence(name))} />
        : <span class="note">{listNotes(token).join(", ")}</span>}
    </div>
  );
}

/** Returns "access token" for "Access token", and "ID token" as it is. */
function nameInSentence(name: string): string {
  return name.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}

/** The heading of a part. `of` names the columns beside the first one. */
function Head(
  { children, of = [] }: { readonly children: ComponentChildren; readonly of?: readonly string[] },
): VNode {
  return (
    <tr>
      <th colSpan={of.length === 0 ? 3 : undefined}>{children}</th>
      {of.map((each) => <th key={each}>{each}</th>)}
    </tr>
  );
}

/** Finds the lines of the claims that are checked. If a name occurs twice, readers take the last value. */
function findLines(
  part: TokenPart | undefined,
  checks: readonly ShownCheck[],
): ReadonlyMap<TokenLine, ShownCheck> {
  return new Map(checks.flatMap((check) => {
    const line = part?.lines.findLast(({ depth, path }) => depth === 1 && path === check.name);
    return line === undefined ? [] : [[line, check] as const];
  }));
}

interface PartProps extends Pick<TokenProps, "id" | "name" | "token" | "now"> {
  readonly kind: "header" | "payload";
  readonly part: TokenPart;
  readonly checks: ReadonlyMap<TokenLine, ShownCheck>;
  readonly explain: readonly ByName[];
}

function Part({ id, name, token, now, kind, part, checks, explain }: PartProps): VNode {
  const { lines, omitted, isWhole } = part;
  const key = id !== undefined && token.text !== undefined && isWhole ? `${id}-${kind}` : undefined;
  return (
    <tbody id={key} class={kind}>
      <Head of={kind === "payload" ? [words.meaning, words.check] : []}>
        {words[kind]}
        {key !== undefined && <CopyButton target={key} what={words.copy[kind](nameInSentence(name))} />}
      </Head>
      {lines.map((line, at) => (
        <Line
          key={at}
          id={placeOf(id, checks.get(line), kind)}
          line={line}
          check={checks.get(line)}
          now={now}
        >
          {explain.find((each) => each.has(line.path ?? ""))?.get(line.path ?? "")}
        </Line>
      ))}
      {omitted !== undefined && (
        <tr>
          <td colSpan={3}>{words.omitted(omitted)}</td>
        </tr>
      )}
    </tbody>
  );
}

/** Returns the id of the row of a check that failed, for links to it. Both parts may have the claim. */
function placeOf(id: string | undefined, check: ShownCheck | undefined, kind?: PartProps["kind"]) {
  const isElsewhere = kind !== undefined && (kind === "header") !== (check?.name === "alg");
  return id === undefined || check?.result !== "failed" || isElsewhere ? undefined : `${id}-${check.name}`;
}

/** A line of JSON. `children` is its meaning. */
function Line({ id, line: { depth, text, time, value }, check, now, children }: {
  readonly id: string | undefined;
  readonly line: TokenLine;
  readonly check: ShownCheck | undefined;
  readonly now: number | undefined;
  readonly children: string | undefined;
}): VNode {
  const notes = value === undefined ? [] : listNotes(value);
  const [, start = text, tail] = /^(.{36,})([ -~]{4})$/su.exec(text) ?? [];
  const isExplained = children !== undefined || time !== undefined || notes.length > 0;
  return (
    <tr id={id}>
      <td>
        <code>
          {"  ".repeat(depth)}
          <BreakableAddress text={start} />
          {tail && <span class="tail">{tail}</span>}
        </code>
      </td>
      {(isExplained || check !== undefined) && (
        <td>
          {time !== undefined && <b>{`${describeTime(time, now)}. `}</b>}
          {children}
          {notes.length > 0 && [" ", <span key="notes" class="note">{notes.join(", ")}</span>]}
        </td>
      )}
      {check !== undefined && <CheckCell check={check} isBesideValue />}
    </tr>
  );
}

/** Returns text such as "2026-11-22 20:51:07 UTC, in 42 min". */
function describeTime(time: number, now: number | undefined): string {
  const moment = describeMoment(time);
  return now === undefined ? moment : `${moment}, ${describeDistance(time - now)}`;
}

/** `isBesideValue`: the row has the received value. */
function CheckCell(
  { check: { name, result, expected, received, rule }, isBesideValue = false }: {
    readonly check: ShownCheck;
    readonly isBesideValue?: boolean;
  },
): VNode {
  // Unless a check failed, its cell does not repeat a value.
  const isSaid = result !== "failed" && (isBesideValue || received === expected);
  const shown = isSaid ? undefined : received;
  return (
    <td data-check={name} data-result={result}>
      {result === "open" && words.checks[name]?.open || words.results[result]}
      {expected !== undefined && (
        <>
          {result === "passed" ? ": " : `: ${words.expected} `}
          <code>{visible(expected)}</code>
        </>
      )}
      {shown !== undefined && (
        <>
          {expected === undefined ? ": " : `, ${words.received} `}
          <code>{visible(shown)}</code>
        </>
      )} {rule !== undefined && <i>{rule}</i>}
    </td>
  );
}

/** A check of something else than a claim of the token, or of a claim that the token does not have. */
function OtherCheck({ id, check }: { readonly id: string | undefined; readonly check: ShownCheck }): VNode {
  const { title = check.name, about }: CheckWords = words.checks[check.name] ?? {};
  return (
    <tr id={id}>
      <td>{title}</td>
      <td>{about ?? claims.get(title)}</td>
      <CheckCell check={check} />
    </tr>
  );
}

/** Values beside a token: what the server knows about it, or the parameters of a text. */
function Facts(
  { facts, checks, now }: Pick<TokenProps, "checks" | "now"> & { readonly facts: readonly NamedValue[] },
): VNode {
  return (
    <tbody>
      <Head of={checks.length === 0 ? [words.meaning] : [words.meaning, words.check]}>{words.values}</Head>
      {facts.map(({ time, ...fact }) => {
        const check = checks.find(({ name }) => name === fact.name);
        return (
          <tr key={fact.name}>
            <td>
              <code>{quote(fact.name)}:</code> <Value value={fact} />
            </td>
            <td>
              {time !== undefined && <b>{`${describeTime(time, now)}. `}</b>}
              {claims.get(fact.name) ?? parameters.get(fact.name)}
            </td>
            {check !== undefined && <CheckCell check={check} isBesideValue />}
          </tr>
        );
      })}
    </tbody>
  );
}
