/** The components that explain a refusal: the fault, the change that would help, the values, and the rule. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { formatDuration } from "../../ground/schema/duration.ts";
import type { RefusalHint, ShownRefusal } from "./exchange_props.ts";
import { Compared, ExpectedUris, Fact, findNearest } from "../../server/pages/parts.tsx";
import { EntryLink } from "./entry_link.tsx";
import { RuleLinks } from "../../server/pages/rule_link.tsx";
import { quote, visible, visibleLines } from "../../ground/values/visible.ts";
import { englishTimeline as words, type TimelineWords } from "./timeline_english.ts";
import { describeMoment } from "../../server/pages/value.tsx";

export function Why(
  { refusal, change, hints = [], clock }: {
    readonly refusal: ShownRefusal;
    /** Absent if the page has it elsewhere. */
    readonly change?: string | undefined;
    readonly hints?: readonly RefusalHint[];
    readonly clock?: string | undefined;
  },
): VNode {
  const { error, reason, spec, expected, redirectUris, received, looksLike, instead, remedy } = refusal;
  return (
    <>
      <dl class="facts why">
        {change !== undefined && <Fact term={words.exchange.oneChange}>{change}</Fact>}
        {looksLike !== undefined && (
          <Fact term={words.exchange.looksLike}>
            <code>{visible(looksLike)}</code>
          </Fact>
        )}
        {hints.map((hint) =>
          words.hints[hint.kind] !== undefined && (
            <Fact key={hint.kind} term={words.exchange.hint}>
              <Hint hint={hint} clock={clock} />
            </Fact>
          )
        )}
        {received !== undefined && (
          <Fact term={words.exchange.received}>
            <Told text={received} other={findNearest(received, redirectUris) ?? expected} />
          </Fact>
        )}
        {expected !== undefined && (
          <Fact term={words.exchange.expected}>
            {redirectUris === undefined ? <Told text={expected} other={received} /> : (
              <span class="told">
                <ExpectedUris text={expected} uris={redirectUris} received={received} />
              </span>
            )}
          </Fact>
        )}
        {spec !== undefined && (
          <Fact term={words.exchange.rule}>
            <RuleLinks rules={visible(spec)} />
          </Fact>
        )}
        <Fact term={words.exchange.error}>
          <code>{visible(error === undefined ? reason : `${error} (${reason})`)}</code>
        </Fact>
      </dl>
      {(instead ?? remedy) !== undefined && (
        <details>
          <summary>{words.exchange.remedy}</summary>
          {instead !== undefined && <p>{visible(instead)}</p>}
          {remedy !== undefined && <pre><code>{visibleLines(remedy)}</code></pre>}
        </details>
      )}
    </>
  );
}

/** Names the fault in a sentence, or without its `end`. The response may say less than the server knows. */
export function nameFault({ reason, description }: ShownRefusal, end = "."): string {
  const headline = words.headlines.get(reason);
  return (headline === undefined || description.startsWith(headline) ? quote(description) : headline) + end;
}

/** Returns the change that would help: the one that other requests call for, or the general one. */
export function findChange({ change }: ShownRefusal, hints: readonly RefusalHint[] = []): string | undefined {
  const [known] = hints.flatMap((hint) => describeHint(hint, words.hintChanges) ?? []);
  return known ?? (change === undefined ? undefined : visible(change));
}

function describeHint(
  { kind, times = [], text }: RefusalHint,
  texts: TimelineWords["hints"],
): string | undefined {
  const [first = text ?? "", second = ""] = times.map((time) => formatDuration(time));
  return texts[kind]?.(visible(first), second);
}

function Hint(
  { hint, clock }: { readonly hint: RefusalHint; readonly clock?: string | undefined },
): VNode {
  return (
    <>
      {describeHint(hint, words.hints)}
      {clock !== undefined && hint.kind.startsWith("clock_") && (
        <>
          {" "}
          <EntryLink href={clock}>{words.line.setClock}</EntryLink>
        </>
      )}
    </>
  );
}

/** What the server recorded. The names of causes are put into words. */
function Told(
  { text, other = "" }: { readonly text: string; readonly other?: string | undefined },
): VNode {
  const cause = words.losses.get(text);
  if (cause !== undefined) return <span class="told">{cause}</span>;
  return (
    <code class="told">
      <Compared text={addDate(text)} other={addDate(other)} />
    </code>
  );
}

/** Writes the date before a time in seconds. */
function addDate(recorded: string): string {
  return recorded.replace(
    /\b(exp|iat|nbf|auth_time|after) (\d{10})\b/g,
    (_, name, time) => `${name} ${describeMoment(Number(time))} (${time})`,
  );
}
