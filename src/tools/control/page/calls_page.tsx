/** The page of the control plane: all its calls. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { Page, PageFile } from "../../../server/pages/document.tsx";
import { CopyableBlock } from "../../../server/pages/parts.tsx";
import type { PagesByHand } from "../../guard/control_dashboard.ts";
import { Head } from "../../guard/table.tsx";
import { englishControl as words, type ValueTypeName } from "./control_english.ts";
import { fill } from "../../../server/pages/words/fill.ts";

/** A type that a value may have: a JSON type, a list of values of a JSON type, or one of some values. */
export type ValueType =
  | { readonly kind: "one" | "list"; readonly type: ValueTypeName }
  | { readonly kind: "values"; readonly values: readonly string[] };

export interface CallMember {
  readonly name: string;
  readonly types: readonly ValueType[];
  readonly required: boolean;
  readonly description?: string;
}

export interface CallSummary {
  /** It is the id of its place on the page. */
  readonly name: string;
  readonly method: string;
  /** The path below `/_postern`. */
  readonly path: string;
  readonly summary: string;
  readonly only?: "server" | "tenant";
  readonly query: readonly CallMember[];
  readonly body: readonly CallMember[];
  readonly answer: { readonly status: number; readonly members: readonly string[] };
  readonly example: string;
}

export interface CallGroup {
  readonly name: string;
  readonly heading: string;
  readonly calls: readonly CallSummary[];
}

interface ControlProps {
  readonly groups: readonly CallGroup[];
  /** The group whose calls are explained. Absent: the page lists all calls. */
  readonly chosen?: string;
  readonly unfolded?: string;
  readonly path: string;
  readonly url: string;
  readonly documentPath: string;
  readonly byHand?: PagesByHand;
  readonly homeUrl: string;
}

/** The list of all calls, or the explanation of a group. One page with all explanations would be too large. */
export function controlPage(props: ControlProps): Page<PageFile> {
  const group = props.groups.find(({ name }) => name === props.chosen);
  return group === undefined ? overviewPage(props) : groupPage(group, props);
}

function groupPage(
  { heading: title, calls }: CallGroup,
  { path, homeUrl, unfolded }: ControlProps,
): Page<PageFile> {
  return {
    title,
    shape: "sheet",
    here: "control",
    homeUrl,
    scripts: ["copy.js"],
    styles: ["parts.css", "panels.css"],
    main: (
      <>
        <p class="aside">
          <a id="all-calls" href={path}>← {words.allCalls}</a>
        </p>
        <h1>{title}</h1>
        <div class="calls">
          {calls.map((call) => <Call key={call.name} {...call} isOpen={call.name === unfolded} />)}
        </div>
      </>
    ),
  };
}

function overviewPage({ groups, path, url, documentPath, byHand, homeUrl }: ControlProps): Page<PageFile> {
  return {
    title: words.title,
    shape: "sheet",
    here: "control",
    homeUrl,
    styles: ["parts.css", "panels.css"],
    main: (
      <>
        <h1>{words.heading}</h1>
        <div class="beside">
          <p>{words.about} {words.safety}</p>
          {byHand === undefined ? <p id="no-dashboard">{words.noDashboard}</p> : <ByHand pages={byHand} />}
        </div>
        <nav aria-labelledby="calls-heading">
          <h2 id="calls-heading">{words.calls}</h2>
          <p>
            {fill(words.address, {
              url: <code class="value">{url}</code>,
              document: <a id="document" href={documentPath}>{words.document}</a>,
            })}
          </p>
          <div class="call-groups">
            {groups.map((group) => <GroupTable key={group.name} {...group} path={path} />)}
          </div>
        </nav>
        <details class="rule">
          <summary>
            <h2>{words.rule}</h2>
          </summary>
          <p>{words.ruleNote}</p>
          <table class="rows" id="rule">
            <Head columns={[words.inTypeScript, words.overHttp]} />
            <tbody>
              {rulePairs.map(([kit, call]) => (
                <tr key={kit}>
                  <td>
                    <code>{kit}</code>
                  </td>
                  <td>
                    <code>{call}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <p>{words.answers}</p>
          <p>{fill(words.tenants, { path: <code>{words.tenantPath}</code> })}</p>
        </details>
      </>
    ),
  };
}

const byHandNames = Object.keys(words.byHand) as (keyof PagesByHand)[];

function ByHand({ pages }: { readonly pages: PagesByHand }): VNode {
  return (
    <nav id="by-hand" aria-labelledby="by-hand-heading">
      <p id="by-hand-heading">{words.byHandHeading}</p>
      <ul class="links">
        {byHandNames.map((name) => (
          <li key={name}>
            <a id={name} href={pages[name]}>{words.byHand[name]}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const rulePairs: readonly (readonly [kit: string, call: string])[] = [
  ['as.login("bob", { scope: "openid" })', 'POST /login {"username": "bob", "scope": "openid"}'],
  ['as.nextSignIn("bob")', 'POST /next_sign_in {"username": "bob"}'],
  ["as.refresh(tokens)", 'POST /refresh {"refresh_token": "…"}'],
  ['as.clock.advance("2h")', 'POST /clock {"advance": "2h"}'],
  ['as.people.add({ username: "carol" })', 'POST /people {"username": "carol"}'],
  ['as.resource("/orders", { scope: "orders" })', 'POST /resources {"url": "/orders", "scope": "orders"}'],
  ['as.hold("token", { count: 2 })', 'POST /gates {"endpoint": "token", "kind": "hold", "count": 2}'],
  ['as.on("id_token", (claims) => …)', 'POST /hooks {"name": "id_token", "patch": {"role": "admin"}}'],
  ['as.misbehave("id_token.aud_wrong")', 'POST /misbehaviours {"name": "id_token.aud_wrong"}'],
  ['as.lookLike("github")', 'POST /look_alikes {"name": "github"}'],
  ['as.requests.next("token")', "GET /requests?endpoint=token&wait=10"],
];

function describeAddress({ method, path }: Pick<CallSummary, "method" | "path">): string {
  return `${method} ${path === "" ? "/" : path}`;
}

function GroupTable({ name, heading, calls, path }: CallGroup & Pick<ControlProps, "path">): VNode {
  return (
    <table class="rows">
      <caption>
        <a href={`${path}?calls=${name}`}>{heading}</a>
      </caption>
      <tbody>
        {calls.map((call) => (
          <tr key={call.name}>
            <th scope="row">
              <a href={`${path}?calls=${name}&call=${call.name}#${call.name}`}>
                <code>{describeAddress(call)}</code>
              </a>
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

function Call({ isOpen, ...call }: CallSummary & { readonly isOpen: boolean }): VNode {
  const { name, summary, only, query, body, answer, example } = call;
  const address = describeAddress(call);
  return (
    <details class="call" id={name} open={isOpen}>
      <summary>
        <h2>
          <code>{address}</code>
        </h2>{" "}
        {summary} {only !== undefined && words.only[only]}
      </summary>
      <CopyableBlock id={`${name}-example`} kind={words.example} what={words.copy(address)}>
        {example}
      </CopyableBlock>
      {query.length > 0 && <Members title={words.query} members={query} />}
      {body.length > 0 && <Members title={words.body} members={body} />}
      <p class="aside">{words.answer(answer.status, answer.members.join(", "))}</p>
    </details>
  );
}

function Members(
  { title, members }: { readonly title: string; readonly members: readonly CallMember[] },
): VNode {
  return (
    <>
      <h3>{title}</h3>
      <table class="rows">
        <Head columns={[words.member, words.type, words.meaning]} />
        <tbody>
          {members.map(({ name, types, required, description }) => (
            <tr key={name}>
              <td>
                <code>{name}</code> {required && <span class="tag">{words.required}</span>}
              </td>
              <td>{words.anyOf(types.map(describeType))}</td>
              <td>{description}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function describeType(type: ValueType): string {
  switch (type.kind) {
    case "one":
      return words.types[type.type][0];
    case "list":
      return words.listOf(words.types[type.type][1]);
    case "values":
      return type.values.join(", ");
  }
}
