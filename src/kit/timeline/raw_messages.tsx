/** The request and the response line by line, as they were sent, beside what each line means. */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import type { ShownExchange, ShownMessage } from "./exchange_props.ts";
import type { NamedValue, TokenLine } from "../../server/pages/token/token_props.ts";
import { describeNotes } from "../../server/pages/value.tsx";
import { quote, visible } from "../../ground/values/visible.ts";
import { present } from "../../ground/values/present.ts";
import { englishTimeline as words } from "./timeline_english.ts";

type Explanations = ReadonlyMap<string, string>;

const { explanations: { claims, headers, parameters, responses } } = words;

/** A secret that the page does not show is described in its place. */
export function RawMessages({ shown }: { readonly shown: ShownExchange }): VNode {
  const { method, target, status, request, response } = shown;
  return (
    <table class="wire">
      <RawMessage name={words.exchange.request} message={request} explain={[parameters, claims]}>
        {visible(`${method} ${target}`)}
      </RawMessage>
      <RawMessage
        name={words.exchange.response}
        message={response}
        explain={[responses, parameters, claims]}
        isResponse
      >
        {status ?? words.exchange.noStatus}
      </RawMessage>
    </table>
  );
}

/** `children` is the first line. */
function RawMessage({ name, message, explain, isResponse = false, children }: {
  readonly name: string;
  readonly message: ShownMessage;
  readonly explain: readonly Explanations[];
  readonly isResponse?: boolean;
  readonly children: ComponentChildren;
}): VNode {
  const { parameters: query, body, json, headers: fields, hiddenBody } = message;
  const omitted = (message.omitted ?? 0) + (json?.omitted ?? 0);
  const notes = [
    ...(hiddenBody === undefined ? [] : [words.exchange.hiddenBody(hiddenBody)]),
    ...(omitted === 0 ? [] : [words.exchange.omitted(omitted)]),
  ];
  return (
    <tbody>
      <tr>
        <th scope="col">{name}</th>
        <th scope="col">{words.meaning}</th>
      </tr>
      <tr>
        <td colSpan={2}>
          <code>{children}</code>
        </td>
      </tr>
      {!isResponse && <Lines values={query} write={writeQuery} explain={explain} />}
      <Lines values={moveToEnd("location", fields)} write={writeHeader} explain={[headers, parameters]} />
      {/* The parameters of a response are those of its location. */}
      {isResponse && <Lines values={query} write={writeQuery} explain={explain} />}
      {json === undefined
        ? <Lines values={body} write={writeForm} explain={explain} />
        : json.lines.map((line, at) => (
          <JsonLine
            key={at}
            line={line}
            token={body.find(({ name, jwt }) => jwt !== undefined && name === line.path)}
            explain={explain}
          />
        ))}
      {notes.map((note) => (
        <tr key={note}>
          <td colSpan={2}>{note}</td>
        </tr>
      ))}
    </tbody>
  );
}

function moveToEnd(wanted: string, values: readonly NamedValue[]): readonly NamedValue[] {
  return [...values.filter(({ name }) => name !== wanted), ...values.filter(({ name }) => name === wanted)];
}

function Lines({ values, write, explain }: {
  readonly values: readonly NamedValue[];
  readonly write: WriteLine;
  readonly explain: readonly Explanations[];
}): VNode {
  return (
    <>
      {values.map((value, at) => {
        const notes = value.jwt === undefined ? describeNotes(value) : describeToken(value);
        return (
          <Line key={at} meaning={findMeaning(value.meaning ?? value.name, explain)} notes={notes}>
            <b>{quote(write(value.name, at))}</b>
            {showText(value)}
          </Line>
        );
      })}
    </>
  );
}

type WriteLine = (name: string, at: number) => string;

const writeQuery: WriteLine = (name, at) => `${at === 0 ? "?" : "&"}${name}=`;
const writeForm: WriteLine = (name, at) => `${at === 0 ? "" : "&"}${name}=`;

/** The name of a header may have the scheme of its credentials, or the name of a cookie. */
const writeHeader: WriteLine = (name) =>
  /cookie: /.test(name) ? `${name}=` : name.includes(": ") ? `${name} ` : `${name}: `;

// In characters. The tab with the tokens has the rest.
const startOfToken = 40;

function showText({ text, jwt }: NamedValue): string {
  if (text === undefined) return "…";
  return jwt === undefined ? visible(text) : `${visible(text.slice(0, startOfToken))}…`;
}

/** A line of JSON. `token` is the value in it, if this is a JWT. */
function JsonLine({ line: { depth, text, path = "", time, value }, token, explain }: {
  readonly line: TokenLine;
  readonly token: NamedValue | undefined;
  readonly explain: readonly Explanations[];
}): VNode {
  const known = { ...value, ...present({ time }) };
  const isLong = token?.text !== undefined;
  return (
    <Line
      meaning={findMeaning(path, explain)}
      notes={token === undefined ? describeNotes(known, value !== undefined) : describeToken(token)}
    >
      {"  ".repeat(depth)}
      {isLong ? `${text.slice(0, path.length + startOfToken)}…` : text}
    </Line>
  );
}

function Line({ meaning, notes, children }: {
  readonly meaning: string | undefined;
  readonly notes: string;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <tr>
      <td>
        <code>{children}</code>
      </td>
      {(meaning !== undefined || notes !== "") && (
        <td>
          {meaning}
          {notes !== "" && <span class="note">{notes}</span>}
        </td>
      )}
    </tr>
  );
}

function findMeaning(name: string, explain: readonly Explanations[]): string | undefined {
  return explain.find((each) => each.has(name))?.get(name);
}

function describeToken(value: NamedValue): string {
  return value.text === undefined ? describeNotes(value) : words.whole(value.text.length);
}
