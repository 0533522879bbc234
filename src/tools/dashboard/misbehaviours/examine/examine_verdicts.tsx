/** The table of the verdicts of an examination, which goes on. */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import { Outcome, type SeenRequest, type ShownVerdict } from "../misbehaviour_parts.tsx";
import { PageLink } from "../../parts/pass.tsx";
import { Head } from "../../../guard/table.tsx";
import { visible } from "../../../../ground/values/visible.ts";
import type { Grade } from "../../../../kit/examine/card/grade.ts";
import { englishMisbehaviours } from "../misbehaviours_english.ts";

const { examine: words } = englishMisbehaviours;

export interface VerdictRow extends ShownVerdict {
  readonly name: string;
  readonly grade: Grade;
  readonly href: string;
  /** The requests that show the verdict. */
  readonly requests: readonly SeenRequest[];
}

export function Verdicts({ id, verdicts, mayRepeat = false, isAdvised = false }: {
  readonly id: string;
  readonly verdicts: readonly VerdictRow[];
  readonly mayRepeat?: boolean;
  /** Whether the first one has an advice. */
  readonly isAdvised?: boolean;
}): VNode {
  const { name, client, verdict, requests } = words.columns;
  return (
    <table class="rows" id={id}>
      <Head
        columns={[name, verdict, [client, "under"], [requests, "under"]]}
        action={mayRepeat ? words.action : undefined}
      />
      <tbody>
        {verdicts.map((row, at) => (
          <tr key={row.name} id={row.name} data-outcome={row.outcome}>
            <th scope="row">
              <PageLink href={row.href}>{row.name}</PageLink>
            </th>
            <td class="short">
              <Outcome outcome={row.outcome} />
            </td>
            <td class="under">
              {visible(row.because)}
              {isAdvised && at === 0 && words.advice(row.outcome) !== undefined && (
                <p class="aside" id="advice">{words.advice(row.outcome)}</p>
              )}
            </td>
            <td class="under">
              <Evidence requests={row.requests} />
            </td>
            {mayRepeat && (
              <td class="end">
                <Again name={row.name}>{words.repeat}</Again>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

// More would take several lines of a row. The card has all.
const mostEvidence = 3;

/** Links to the requests that show a verdict. A reset removes the requests. */
function Evidence({ requests }: Pick<VerdictRow, "requests">): VNode {
  return (
    <>
      {requests.slice(0, mostEvidence).map(({ endpoint, href }, at) => (
        <span key={at}>
          {at > 0 && ", "}
          {href === undefined ? endpoint : <PageLink href={href}>{endpoint}</PageLink>}
        </span>
      ))}
    </>
  );
}

export function Again(
  { name, children }: { readonly name: string; readonly children: ComponentChildren },
): VNode {
  return (
    <button type="submit" class="plain" name="repeat" value={name}>
      {children}
      <span class="unseen">{` ${name}`}</span>
    </button>
  );
}
