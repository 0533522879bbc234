/** A table of requests: a row for each, and a line that folds for each login. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { formatDuration } from "../../../ground/schema/duration.ts";
import { type ShownMark, shownMarks } from "../../../kit/timeline/request_outcome.ts";
import type { ExchangeLine } from "../../../kit/timeline/exchange_props.ts";
import { describeTurn } from "../../../kit/timeline/exchange_line.tsx";
import { PageLink } from "./pass.tsx";
import { describeInstant } from "../../../kit/timeline/time_text.ts";
import { quote } from "../../../ground/values/visible.ts";
import { englishRequests as words } from "./requests_english.ts";
import {
  type Fold,
  isGroup,
  type LinkToValue,
  type ListOrder,
  type LoginGroup,
  type LookupCounts,
  type RequestRow,
  type RequestTableProps,
} from "./list_props.ts";
import { describeRow } from "./row_texts.ts";

export function RequestTable(props: RequestTableProps): VNode {
  return (
    <table class="rows requests" id="requests">
      <thead>
        <tr>
          <OrderHeading column="time" id="turn" sorts={timeSorts} usual="newest" {...props} />
          <th>
            <span class="unseen">{words.columns.outcome}</span>
          </th>
          <th>{words.columns.client}</th>
          <th>{words.columns.person}</th>
          <th>{words.columns.request}</th>
          <th>{words.columns.status}</th>
          <th>{words.columns.result}</th>
          <OrderHeading column="duration" id="slowest" sorts={durationSorts} usual="slowest" {...props} />
        </tr>
      </thead>
      {props.items.map((item) =>
        isGroup(item)
          ? <GroupRows key={item.flow} group={item} {...props} />
          : (
            <tbody key={item.line.id} id={`r-${item.line.id}`}>
              {item.fold?.lookups === undefined
                ? <Row row={item} {...props} />
                : <LookupRow line={item.line} fold={item.fold} lookups={item.fold.lookups} {...props} />}
            </tbody>
          )
      )}
    </table>
  );
}

/** How the rows are sorted in the orders of a column, and the order to which its heading leads from there. */
type Sorts = Partial<Record<ListOrder, readonly [sort: "ascending" | "descending", to: ListOrder]>>;

const timeSorts: Sorts = { newest: ["descending", "oldest"], oldest: ["ascending", "newest"] };
const durationSorts: Sorts = { slowest: ["descending", "newest"] };

/** `usual`: the order to which the heading leads from the orders of other columns. */
function OrderHeading({ column, id, sorts, usual, order }: Pick<RequestTableProps, "order"> & {
  readonly column: "time" | "duration";
  readonly id: string;
  readonly sorts: Sorts;
  readonly usual: ListOrder;
}): VNode {
  if (order === undefined) return <th>{words.columns[column]}</th>;
  const [sort, to] = sorts[order.shown] ?? [undefined, usual];
  return (
    <th aria-sort={sort}>
      <PageLink href={order.linkTo(to)} id={id}>
        {words.columns[column]}
        <span class="unseen">: {words.first[to]}</span>
      </PageLink>
    </th>
  );
}

type RowOptions = Omit<RequestTableProps, "items">;

function GroupRows({ group, ...terms }: RowOptions & { readonly group: LoginGroup }): VNode {
  const { flow, client, person, first, last, span, count, all, refused, failed, trouble, isOpen, hidden } =
    group;
  const { path, query = "", linkTo } = terms;
  // Tokens say more of a login than its last request. Their page begins with what is in them.
  const told = trouble ??
    group.rows.findLast(({ line }) => line.endpoint === "token" && line.refusal === undefined)?.line;
  const { mark, name, reason } = describeRow(told ?? last, group.isUnfinished);
  const worst = failed > 0 ? "failed" : mark;
  const text = trouble === undefined || trouble.id === last.id ? reason : `${name}: ${reason}`;
  const bad = words.bad(refused, failed);
  return (
    <tbody class="band" id={`f-${flow}`}>
      <tr class={classOf(worst)}>
        <Time at={last.at} now={terms.now} />
        <Mark mark={worst} />
        <Value linkTo={linkTo} name="client" value={client} />
        <Value linkTo={linkTo} name="person" value={person} />
        <td>
          <details open={isOpen}>
            <summary>
              <span class="unseen">
                {[client ?? words.anonymous, person, ""].filter((each) => each !== undefined).map(quote)
                  .join(" · ")}
              </span>
              <span class="name">{words.login(first)}</span> · {words.steps(count, all)}{" "}
              {bad !== "" && (
                <span class="bad">
                  <span aria-hidden="true">{shownMarks[mark]}</span> {bad}
                </span>
              )}
            </summary>
          </details>
          <span class="diagram">
            <PageLink href={`${path}/diagram?q=flow:${flow}`}>{words.diagram}</PageLink>
          </span>
        </td>
        <td class={trouble && trouble.id !== last.id ? "later" : undefined}>{describeRow(last).status}</td>
        <td>{told ? <PageLink href={`${path}/${told.id}${query}`}>{text}</PageLink> : reason}</td>
        <td>{formatDuration(span)}</td>
      </tr>
      {hidden > 0 && (
        <tr class="earlier">
          <td colSpan={8}>
            <PageLink href={linkTo("flow", flow)}>{words.earlier(hidden)}</PageLink>
          </td>
        </tr>
      )}
      {group.rows.map((row) => <Row key={row.line.id} row={row} group={group} {...terms} />)}
    </tbody>
  );
}

function Row(
  { row, group, path, query = "", now, toggle, linkTo }: RowOptions & {
    readonly row: RequestRow;
    /** The login of the request, whose line names the client and the person. */
    readonly group?: LoginGroup;
  },
): VNode {
  const { line, fold, step } = row;
  const { mark, client, person, name, call, status, reason } = describeRow(line, row.isUnfinished);
  const href = `${path}/${line.id}${query}`;
  return (
    <>
      {line.turned !== undefined && (
        <tr class="turned">
          <td colSpan={8}>{describeTurn(line.turned)}</td>
        </tr>
      )}
      <tr class={classOf(mark)}>
        <Time at={line.at} now={now} since={line.since} />
        <Mark mark={mark} />
        <Value linkTo={linkTo} name="client" value={client === group?.client ? undefined : client} />
        <Value linkTo={linkTo} name="person" value={person === group?.person ? undefined : person} />
        <td>
          {step !== undefined && <span class="step">{step}</span>}
          {fold && (
            <>
              <Times fold={fold} toggle={toggle} text={words.times(fold.times)} />
              {" "}
            </>
          )}
          <PageLink href={href} data-others={toggle && fold?.others.join(" ")}>
            {name}
          </PageLink>{" "}
          <code>{call}</code>
        </td>
        <td>{status}</td>
        <td>{line.refusal === undefined ? reason : <PageLink href={href}>{reason}</PageLink>}</td>
        <td>{formatDuration(line.duration)}</td>
      </tr>
    </>
  );
}

/** Requests for keys and metadata, which unfold to a row each. */
function LookupRow(
  { line, fold, lookups, path, now, toggle }: Pick<RowOptions, "path" | "now" | "toggle"> & {
    readonly line: ExchangeLine;
    readonly fold: Fold;
    readonly lookups: LookupCounts;
  },
): VNode {
  const text = words.lookups(lookups);
  return (
    <tr>
      <Time at={line.at} now={now} />
      <Mark mark="ok" />
      <td />
      <td />
      <td colSpan={3}>
        {toggle === undefined
          ? <PageLink href={`${path}/${line.id}`}>{text}</PageLink>
          : <Times fold={fold} toggle={toggle} text={text} others={[line.id, ...fold.others].join(" ")} />}
      </td>
      <td />
    </tr>
  );
}

function Time(
  { at, now, since }: { readonly at: number; readonly now: number; readonly since?: number | undefined },
): VNode {
  const title = since === undefined ? undefined : words.step(formatDuration(since));
  return <td title={title}>{describeInstant(at, now)}</td>;
}

/** The sheet draws a shape and a colour for each outcome. */
function classOf(mark: ShownMark): string | undefined {
  return mark === "ok" ? undefined : mark;
}

/** The place of the shape, and a word for those who do not see it. */
function Mark({ mark }: { readonly mark: ShownMark }): VNode {
  return <td>{mark !== "ok" && <span class="unseen">{mark === "wrong" ? words.wrong : mark}</span>}</td>;
}

function Value(
  { linkTo, name, value }: {
    readonly linkTo: LinkToValue;
    readonly name: "client" | "person";
    readonly value: string | undefined;
  },
): VNode {
  return <td>{value !== undefined && <PageLink href={linkTo(name, value)}>{quote(value)}</PageLink>}</td>;
}

/** How many requests the row stands for, with the link that unfolds them or folds them again. */
function Times(
  { fold, toggle, text, others }: {
    readonly fold: Fold;
    readonly toggle: RequestTableProps["toggle"] | undefined;
    readonly text: string;
    /** The ids of the requests, if no other link of the row has them. */
    readonly others?: string;
  },
): VNode {
  const { key, times, isOpen } = fold;
  if (toggle === undefined) return <>{text}</>;
  return (
    <PageLink href={toggle(key)} class="times" data-key={key} data-others={others}>
      {isOpen ? words.fold(times) : text}
      {!isOpen && <span class="unseen">. {words.unfold}</span>}
    </PageLink>
  );
}

/** Where a text goes that belongs to no login of this server. */
export function ReaderLink({ href }: { readonly href: string }): VNode {
  return <PageLink href={href} id="take-apart">{words.takeApart}</PageLink>;
}
