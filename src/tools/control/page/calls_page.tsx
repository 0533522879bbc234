/** The page of the control plane: all its calls. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { EntryLink } from "../../../kit/timeline/entry_link.tsx";
import { CopyableBlock, Table } from "../../../server/pages/parts.tsx";
import type { ControlPage, ControlVisit } from "../../guard/control_dashboard.ts";
import { visible, visibleLines } from "../../../ground/values/visible.ts";
import { hidden } from "../../../server/oauth/secrets/redaction.ts";
import type { ControlRoute } from "../route.ts";
import { englishControl as words } from "./control_english.ts";
import { fill } from "../../../ground/values/fill.ts";

export interface CallMember {
  readonly name: string;
  /** The values that it may have, in words. */
  readonly values: string;
  /** What a person fills in: a text, JSON, or one of some values. */
  readonly input: "text" | "json" | readonly string[];
  readonly required: boolean;
  readonly description?: string;
}

export interface CallSummary extends Pick<ControlRoute, "name" | "method" | "path" | "summary" | "only"> {
  readonly members: Readonly<Record<"path" | "query" | "body", readonly CallMember[]>>;
  readonly answer: { readonly status: number; readonly members: readonly string[] };
  readonly example: string;
}

export interface CallGroup {
  readonly heading: string;
  readonly calls: readonly CallSummary[];
}

/** A call that the person has sent, or the question that comes before a deletion. */
export interface SentCall {
  /** The fields that the page may show again. */
  readonly typed: ReadonlyMap<string, string>;
  readonly asks?: string;
  readonly answer?: string;
}

interface ControlProps {
  readonly groups: readonly CallGroup[];
  /** The call that is explained. Absent: the page lists all calls. */
  readonly chosen?: CallSummary;
  /** Absent: the page has no forms. */
  readonly visit?: ControlVisit;
  readonly sent?: SentCall;
  readonly path: string;
  readonly url: string;
  readonly documentPath: string;
  readonly homeUrl: string;
}

/** The list of all calls, or one call. One page with all explanations would be too large. */
export function controlPage({ homeUrl, ...props }: ControlProps): ControlPage {
  const { chosen } = props;
  return {
    title: chosen === undefined ? words.title : describeAddress(chosen),
    here: "control",
    homeUrl,
    scripts: chosen === undefined ? [] : ["copy.js", "calls.js"],
    styles: ["parts.css", "panels.css", "playground.css"],
    main: chosen === undefined ? <Overview {...props} /> : <Call {...props} call={chosen} />,
  };
}

type PartProps = Omit<ControlProps, "homeUrl">;

function Overview({ groups, path, url, documentPath, visit }: PartProps): VNode {
  return (
    <>
      <h1>{words.heading}</h1>
      <p>{words.about} {words.safety}</p>
      {visit === undefined ? <p id="no-dashboard">{words.noDashboard}</p> : visit.readOnly}
      <nav aria-labelledby="calls-heading">
        <h2 id="calls-heading">{words.calls}</h2>
        <p>
          {fill(words.address, {
            url: <code class="value">{url}</code>,
            document: <a id="document" href={documentPath}>{words.document}</a>,
          })}
        </p>
        <div class="call-groups">
          {groups.map((group) => <GroupTable key={group.heading} {...group} path={path} />)}
        </div>
      </nav>
      <details class="rule" id="rule">
        <summary>
          <h2>{words.rule}</h2>
        </summary>
        <p>{words.ruleNote}</p>
        <p>{words.answers}</p>
        <p>{fill(words.tenants, { path: <code>{words.tenantPath}</code> })}</p>
      </details>
    </>
  );
}

function describeAddress({ method, path }: Pick<CallSummary, "method" | "path">): string {
  return `${method} ${path === "" ? "/" : path}`;
}

function GroupTable({ heading, calls, path }: CallGroup & Pick<ControlProps, "path">): VNode {
  return (
    <table class="rows">
      <caption>{heading}</caption>
      <tbody>
        {calls.map((call) => (
          <tr key={call.name}>
            <th scope="row">
              <EntryLink href={`${path}?call=${call.name}`}>
                <code>{describeAddress(call)}</code>
              </EntryLink>
            </th>
            <td>{firstSentence(call.summary)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function firstSentence(text: string): string {
  return /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
}

/** A call with its form, and with the others of its group. */
function Call({ call, groups, path, visit, sent }: PartProps & { readonly call: CallSummary }): VNode {
  const { name, summary, only, answer, example } = call;
  const address = describeAddress(call);
  return (
    <>
      <p class="aside">
        <EntryLink id="all-calls" href={path}>← {words.allCalls}</EntryLink>
      </p>
      <h1>
        <code>{address}</code>
      </h1>
      <p>{summary} {only !== undefined && words.only[only]}</p>
      {visit?.readOnly}
      {visit === undefined || visit.readOnly !== undefined
        ? <Members call={call} typed={undefined} />
        : (
          <form method="post" action={`${path}?call=${name}`} id="send">
            {visit.hiddenFields(name)}
            <Members call={call} typed={sent?.typed ?? new Map()} />
            <button type="submit" class="button primary">{words.send}</button>
            <div id="answer" role="status">{sent !== undefined && <Answered {...sent} visit={visit} />}</div>
          </form>
        )}
      <p class="aside">{words.answer(answer.status, answer.members.join(", "))}</p>
      <CopyableBlock id="example" kind={words.example} what={words.copy(address)}>{example}</CopyableBlock>
      <nav class="call-groups" aria-label={words.calls}>
        {groups.filter(({ calls }) => calls.includes(call)).map((group) => (
          <GroupTable key={name} {...group} path={path} />
        ))}
      </nav>
    </>
  );
}

function Answered({ asks, answer = "", visit }: SentCall & { readonly visit: ControlVisit }): VNode {
  if (asks === undefined) {
    return (
      <>
        <pre tabIndex={0}>{visibleLines(answer)}</pre>
        {!visit.seesSecrets && answer.includes(hidden) && (
          <EntryLink href={visit.keyUrl}>{words.showSecrets}</EntryLink>
        )}
      </>
    );
  }
  return (
    <p class="notice problem">
      {words.asks(visible(asks))}{" "}
      <button type="submit" class="button" name="confirmed" value="yes">{words.confirm}</button>
    </p>
  );
}

/** `typed`: what the fields have. Absent: there are none. */
function Members(
  { call, typed }: { readonly call: CallSummary; readonly typed: SentCall["typed"] | undefined },
): VNode {
  const parts = (["path", "query", "body"] as const).filter((part) => call.members[part].length > 0);
  return (
    <>
      {parts.map((part) => (
        <Table
          key={part}
          rows={call.members[part]}
          columns={[
            [words[part], ({ name, required }) => (
              <>
                <label for={typed && `${part}.${name}`}>
                  <code>{name}</code>
                </label>{" "}
                {required && <span class="tag">{words.required}</span>}
              </>
            )],
            typed === undefined
              ? [words.type, ({ values }) => values]
              : [words.value, (member) => showField(member, `${part}.${member.name}`, typed)],
            [words.meaning, ({ description }) => description],
          ]}
        />
      ))}
    </>
  );
}

function showField(member: CallMember, id: string, typed: SentCall["typed"]): VNode {
  const { input, values: placeholder, required } = member;
  const attributes = { id, name: id, required };
  const value = typed.get(id);
  if (input === "text") return <input {...{ ...attributes, placeholder }} autocomplete="off" value={value} />;
  if (input === "json") return <textarea {...{ ...attributes, placeholder }} rows={2}>{value}</textarea>;
  return (
    <select {...attributes}>
      {["", ...input].map((each) => <option key={each} selected={each === value}>{each}</option>)}
    </select>
  );
}
