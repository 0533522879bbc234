/** The form that sends a recorded request again, unchanged or edited. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { type FormTarget, PageLink, TokenForm } from "../pass.tsx";
import { type Change, ReadOnly } from "../read_only.tsx";
import { quote } from "../visible.ts";
import { englishInspector as words } from "../words/inspector_english.ts";

export interface AgainProps {
  readonly change: Change;
  readonly form: FormTarget;
  /** Absent for a request to an API of the test. */
  readonly request?: EditableRequest;
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

export function Again({ change, form, request }: AgainProps): VNode {
  return (
    <section aria-labelledby="again">
      <h3 id="again">{words.again.heading}</h3>
      {request === undefined ? <p>{words.again.elsewhere}</p> : "href" in change
        ? (
          <p>
            {words.again.needsSecret[change.may]}{" "}
            <PageLink href={change.href}>{words.again.giveSecret[change.may]}</PageLink>
          </p>
        )
        : change.may !== "yes"
        ? (
          <p>
            <ReadOnly why={change.may} />
          </p>
        )
        : (
          <TokenForm form={form} autocomplete="off" spellcheck={false}>
            <p>{words.again.about}</p>
            <details>
              <summary>{words.again.change}</summary>
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
            </details>
            <button type="submit" class="button" id="send-again">{words.again.send}</button>
          </TokenForm>
        )}
    </section>
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
          <div key={id} class="edit">
            <label for={id}>{quote(name)}</label>
            <input
              id={id}
              name={id}
              value={text}
              {...(text === undefined ? { placeholder: words.again.asBefore } : {})}
            />
            {text === undefined && kind !== "header" && (
              <input type="hidden" name={`${id}.hidden`} value="1" />
            )}
            <label class="option">
              <input
                type="checkbox"
                name={`${id}.without`}
                aria-label={`${words.again.leaveOut} ${quote(name)}`}
              />{" "}
              {words.again.leaveOut}
            </label>
          </div>
        );
      })}
      {canAdd && (
        <div class="edit">
          <label for={`${kind}.name`}>{words.again.addName}</label>
          <input id={`${kind}.name`} name={`${kind}.name`} />
          <label for={`${kind}.value`}>{words.again.addValue}</label>
          <input id={`${kind}.value`} name={`${kind}.value`} />
        </div>
      )}
    </fieldset>
  );
}
