/** The table of the verdicts of an examination, which goes on. */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import { Outcome, type SeenRequest, type ShownVerdict } from "../misbehaviour_parts.tsx";
import { PageLink } from "../../parts/pass.tsx";
import { Table } from "../../../../server/pages/parts.tsx";
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
    <Table
      id={id}
      rows={verdicts}
      attributesOf={(row) => ({ id: row.name, "data-outcome": row.outcome })}
      columns={[
        [name, (row) => <PageLink href={row.href}>{row.name}</PageLink>, "name"],
        [verdict, ({ outcome }) => <Outcome outcome={outcome} />, "short"],
        [client, (row) => (
          <>
            {visible(row.because)}
            {isAdvised && row === verdicts[0] && words.advice(row.outcome) !== undefined && (
              <p class="aside" id="advice">{words.advice(row.outcome)}</p>
            )}
          </>
        ), "under"],
        [requests, (row) => <Evidence requests={row.requests} />, "under"],
      ]}
      action={mayRepeat && [words.repeat, (row) => <Again name={row.name}>{words.repeat}</Again>, "end"]}
    />
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
