/** Shows two tokens side by side, with their difference. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { DecodedJwt, TokenLine } from "../../../server/pages/token/token_props.ts";
import { Head } from "../../../server/pages/parts.tsx";
import { describeMoment, listNotes } from "../../../server/pages/value.tsx";
import { describeStep } from "../../../kit/timeline/time_text.ts";
import type { ByName } from "../../../ground/values/fill.ts";
import { claims, jwtHeader } from "../../../server/pages/words/explanations_english.ts";
import { visible } from "../../../ground/values/visible.ts";
import { englishToken as words } from "../../../server/pages/words/token_english.ts";
import { englishComparison as comparison } from "./comparison_english.ts";
import { type ComparedLine, compareLines } from "./compare_lines.ts";

export interface ComparisonProps {
  readonly left: ComparedToken;
  readonly right: ComparedToken;
}

export interface ComparedToken {
  /** Whose it is, when it was issued, and what it is. */
  readonly name: string;
  readonly jwt: DecodedJwt;
}

export function TokenComparison({ left, right }: ComparisonProps): VNode {
  const parts = (["payload", "header"] as const).map((kind) =>
    [kind, compareLines(left.jwt[kind].lines, right.jwt[kind].lines)] as const
  );
  const show = (kind: "payload" | "header", lines: readonly ComparedLine[]) =>
    lines.map((line, at) => (
      <Compared key={at} line={line} explain={kind === "header" ? jwtHeader : claims} />
    ));
  // The brackets around the whole are always equal.
  const equal = parts.flatMap(([kind, lines]) =>
    show(kind, lines.filter(({ kind, left }) => kind === "same" && left!.depth > 0))
  );
  const omitted = [left, right].flatMap(({ jwt }) => [jwt.payload, jwt.header])
    .reduce((sum, { omitted = 0 }) => sum + omitted, 0);
  return (
    <div class="token compared" id="comparison">
      <p id="differences">{comparison.differences(countKinds(parts.flatMap(([, lines]) => lines)))}</p>
      {omitted > 0 && <p>{words.omitted(omitted)}</p>}
      <table>
        <caption class="unseen">{comparison.heading}</caption>
        <Head columns={[[visible(left.name)], [visible(right.name)], [words.meaning]]} />
        {parts.map(([kind, lines]) => {
          const rows = show(kind, lines.filter((line) => line.kind !== "same"));
          return rows.length > 0 && (
            <tbody key={kind} class={kind}>
              <tr>
                <th colSpan={3}>{words[kind]}</th>
              </tr>
              {rows}
            </tbody>
          );
        })}
      </table>
      {equal.length > 0 && (
        <details>
          <summary>{comparison.equal(equal.length)}</summary>
          <table>
            <tbody>{equal}</tbody>
          </table>
        </details>
      )}
    </div>
  );
}

function countKinds(lines: readonly ComparedLine[]): Parameters<typeof comparison["differences"]>[0] {
  const count = (wanted: ComparedLine["kind"]) => lines.filter(({ kind }) => kind === wanted).length;
  return { changed: count("changed"), removed: count("removed"), added: count("added") };
}

function Compared(
  { line: { kind, left, right }, explain }: { readonly line: ComparedLine; readonly explain: ByName },
): VNode {
  const isSame = kind === "same";
  return (
    <tr data-difference={isSame ? undefined : kind}>
      {([["del", left], ["ins", right]] as const).map(([Change, side]) => (
        <td key={Change}>
          {side !== undefined && (isSame ? <Side line={side} /> : (
            <Change>
              <Side line={side} />
            </Change>
          ))}
        </td>
      ))}
      <td>
        {!isSame && <b>{comparison.kinds[kind]}{describeChange(left?.time, right?.time)}.</b>}{" "}
        {explain.get(right?.path ?? left?.path ?? "")}
      </td>
    </tr>
  );
}

function Side({ line: { depth, text, value } }: { readonly line: TokenLine }): VNode {
  const notes = value === undefined ? [] : listNotes(value);
  return (
    <>
      <code>{"  ".repeat(depth) + text}</code>
      {notes.length > 0 && <span class="note">{notes.join(", ")}</span>}
    </>
  );
}

/** Says by how much a point in time moved. */
function describeChange(left: number | undefined, right: number | undefined): string {
  if (right === undefined) return left === undefined ? "" : `: ${describeMoment(left)}`;
  return left === undefined
    ? `: ${describeMoment(right)}`
    : ` ${describeStep(right - left)}: ${describeMoment(left)} → ${describeMoment(right)}`;
}
