/** The forms that send a recorded request again: unchanged in its entry, edited on a page of its own. */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import type { Page } from "../frame/dashboard_document.tsx";
import { nameExchange } from "../../../kit/timeline/exchange_line.tsx";
import type { ShownExchange } from "../../../kit/timeline/exchange_props.ts";
import { Copies } from "../../../kit/timeline/request_copies.tsx";
import { Field, Option } from "../parts/field.tsx";
import { type FormTarget, PageLink, TokenForm } from "../parts/pass.tsx";
import { type Change, ReadOnly } from "../parts/read_only.tsx";
import { quote } from "../../../ground/values/visible.ts";
import { englishInspector as words } from "./inspector_english.ts";

export interface AgainProps {
  readonly change: Change;
  readonly form: FormTarget;
  /** The address of the page with its parameters. Absent for a request to an API of the test. */
  readonly editUrl?: string;
}

interface EditProps extends AgainProps {
  readonly shown: ShownExchange;
  readonly request: EditableRequest;
  readonly entryUrl: string;
}

export interface EditableRequest {
  readonly query: readonly EditableField[];
  readonly form: readonly EditableField[];
  readonly headers: readonly EditableField[];
  readonly body: "form" | "text" | "none";
}

/** A value that is not shown has no text, and stays as it was. */
export interface EditableField {
  readonly name: string;
  readonly text?: string;
}

export function Again({ change, form, editUrl }: AgainProps): VNode {
  return (
    <section aria-labelledby="again">
      <h3 id="again">{words.again.heading}</h3>
      {editUrl === undefined ? <p>{words.again.elsewhere}</p> : (
        <>
          <AgainForm change={change} form={form}>
            <p>{words.again.about}</p>
          </AgainForm>
          <p>
            <PageLink id="edit" href={editUrl}>{words.again.change}</PageLink>
          </p>
        </>
      )}
    </section>
  );
}

/** The page on which a person changes the request first, or copies it into a program. */
export function editPage({ shown, change, form, request, entryUrl }: EditProps): Page {
  return {
    title: words.again.change,
    here: "inspector",
    scripts: ["copy.js"],
    styles: ["parts.css", "panels.css"],
    main: (
      <>
        <p>
          <PageLink href={entryUrl}>← {nameExchange(shown)}</PageLink>
        </p>
        <h1>{words.again.change}</h1>
        <AgainForm change={change} form={form}>
          <p>{words.again.hidden}</p>
          <Fields kind="query" fields={request.query} canAdd />
          {request.body !== "none" && (
            request.body === "form" ? <Fields kind="form" fields={request.form} canAdd /> : (
              <>
                <label for="body">{words.again.body}</label>
                <textarea id="body" name="body" rows={6} placeholder={words.again.asBefore} />
              </>
            )
          )}
          <Fields kind="header" fields={request.headers} />
        </AgainForm>
        <section aria-labelledby="programs">
          <h2 id="programs">{words.again.programs}</h2>
          <Copies copies={shown.copies.filter(({ kind }) => kind !== "curl")} prefix="" />
        </section>
      </>
    ),
  };
}

/** The form, or what a person needs for it. */
function AgainForm({ change, form, children }: AgainProps & { readonly children: ComponentChildren }): VNode {
  if ("href" in change) {
    return (
      <p>
        {words.again.needsSecret[change.may]}{" "}
        <PageLink href={change.href}>{words.again.giveSecret[change.may]}</PageLink>
      </p>
    );
  }
  return change.may !== "yes"
    ? (
      <p>
        <ReadOnly why={change.may} />
      </p>
    )
    : (
      <TokenForm form={form} autocomplete="off" spellcheck={false}>
        {children}
        <button type="submit" class="button" id="send-again">{words.again.send}</button>
      </TokenForm>
    );
}

function Fields({ kind, fields, canAdd = false }: {
  readonly kind: "query" | "form" | "header";
  readonly fields: readonly EditableField[];
  readonly canAdd?: boolean;
}): VNode | null {
  if (fields.length === 0 && kind !== "form") return null;
  return (
    <fieldset>
      <legend>{words.again.parameters[kind]}</legend>
      {fields.map(({ name, text }, at) => {
        const id = `${kind}.${at}`;
        return (
          <div key={id} class="inline">
            <Field
              name={id}
              label={quote(name)}
              value={text}
              hint={text === undefined ? words.again.asBefore : undefined}
            />
            {text === undefined && kind !== "header" && (
              <input type="hidden" name={`${id}.hidden`} value="1" />
            )}
            <Option name={`${id}.without`} aria-label={`${words.again.leaveOut} ${quote(name)}`}>
              {words.again.leaveOut}
            </Option>
          </div>
        );
      })}
      {canAdd && (
        <div class="inline">
          {([["name", words.again.addName], ["value", words.again.addValue]] as const).map((
            [part, label],
          ) => <Field key={part} name={`${kind}.${part}`} label={label} />)}
        </div>
      )}
    </fieldset>
  );
}
