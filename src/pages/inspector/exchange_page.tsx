/** The page of one exchange, below `/inspector`: why it was answered so, and a form that sends it again. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { Page } from "../document.tsx";
import type { KnownClient } from "./client_settings.tsx";
import { Copies, Explanation, Messages } from "./exchange.tsx";
import { nameExchange, Sentences, Tags } from "./exchange_line.tsx";
import type { ShownExchange } from "./exchange_props.ts";
import { linkTo } from "./inspector.tsx";
import { KeyForm, type KeyFormProps } from "../session.tsx";
import { type FormTarget, PageLink, TokenForm } from "../pass.tsx";
import { Tabs } from "../tabs.tsx";
import { type Change, ReadOnly } from "../read_only.tsx";
import { quote } from "../visible.ts";
import { englishInspector as words } from "../words/inspector_english.ts";

export interface ExchangePageProps {
  readonly shown: ShownExchange;
  /** Absent if the server does not know the client. */
  readonly client?: KnownClient;
  /** The exchanges before and after this one in the same flow. */
  readonly earlier?: string;
  readonly later?: string;
  /** The path of the list. */
  readonly path: string;
  /** The address of the page that sets the clock. */
  readonly clock: string;
  readonly seesSecrets: boolean;
  readonly keyForm: KeyFormProps;
  readonly again: AgainProps;
}

/** The form that sends the request again. */
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

export function exchangePage(props: ExchangePageProps): Page {
  const { shown, client, path, clock, seesSecrets, keyForm } = props;
  const name = nameExchange(shown);
  const link = (id: string) => `${path}/${id}`;
  const explained = { shown, link, clock, ...(client === undefined ? {} : { client }) };
  return {
    title: name,
    shape: "sheet",
    here: "inspector",
    styles: ["inspector.css", "tabs.css", "token.css"],
    scripts: seesSecrets ? ["copy.js", "tabs.js"] : ["copy.js", "tabs.js", "key.js"],
    main: (
      <div class="exchange-page">
        <Position {...props} />
        <h1>{name}</h1>
        <Sentences line={shown} link={link} />
        <Tabs
          id="entry"
          label={words.tabs.label}
          sections={[
            { id: "explained", name: words.tabs.explained, content: <Explanation {...explained} /> },
            { id: "messages", name: words.tabs.messages, content: <Messages shown={shown} /> },
            { id: "copies", name: words.tabs.copies, content: <Copies shown={shown} prefix="" /> },
          ]}
        />
        <Tags tags={shown.tags} link={(tag) => linkTo(path, tag)} />
        {seesSecrets
          ? <p class="notice" id="secrets-shown">{words.page.secretsShown}</p>
          : (
            <details id="key-details">
              <summary>{words.page.showSecrets}</summary>
              <KeyForm {...keyForm} />
            </details>
          )}
        <Again {...props.again} />
      </div>
    ),
  };
}

/** Says that the journal no longer has the exchange. */
export function goneExchangePage({ path }: Pick<ExchangePageProps, "path">): Page {
  return {
    title: words.page.gone,
    shape: "sheet",
    here: "inspector",
    styles: ["inspector.css"],
    main: (
      <>
        <h1>{words.page.gone}</h1>
        <p>{words.page.goneNote}</p>
        <p class="onward">
          <PageLink class="button" href={path}>{words.page.back}</PageLink>
        </p>
      </>
    ),
  };
}

function Position({ shown: { id, flow }, earlier, later, path }: ExchangePageProps): VNode {
  const filter = `flow:${flow}`;
  return (
    <nav aria-label={words.page.position}>
      <ul class="links">
        <li>
          <PageLink href={`${path}#exchange-${id}`}>← {words.page.back}</PageLink>
        </li>
        {flow !== undefined && (
          <>
            <li>
              <PageLink href={linkTo(path, filter)}>{words.page.wholeLogin}</PageLink>
            </li>
            <li>
              <PageLink href={linkTo(`${path}/diagram`, filter)}>{words.page.diagram}</PageLink>
            </li>
          </>
        )}
        {earlier !== undefined && (
          <li>
            <PageLink rel="prev" href={`${path}/${earlier}`}>← {words.page.earlier}</PageLink>
          </li>
        )}
        {later !== undefined && (
          <li>
            <PageLink rel="next" href={`${path}/${later}`}>{words.page.later} →</PageLink>
          </li>
        )}
      </ul>
    </nav>
  );
}

function Again({ change, form, request }: AgainProps): VNode {
  return (
    <section aria-labelledby="again">
      <h2 id="again">{words.again.heading}</h2>
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
          <TokenForm form={form}>
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
              value={text ?? ""}
              autocomplete="off"
              spellcheck={false}
              {...(text === undefined ? { placeholder: words.again.asBefore } : {})}
            />
            {text === undefined && <input type="hidden" name={`${id}.hidden`} value="1" />}
            <label class="option">
              <input type="checkbox" name={`${id}.without`} /> {words.again.leaveOut}{" "}
              <span class="unseen">{quote(name)}</span>
            </label>
          </div>
        );
      })}
      {canAdd && (
        <div class="edit">
          <label for={`${kind}.name`}>{words.again.addName}</label>
          <input id={`${kind}.name`} name={`${kind}.name`} autocomplete="off" spellcheck={false} />
          <label for={`${kind}.value`}>{words.again.addValue}</label>
          <input id={`${kind}.value`} name={`${kind}.value`} autocomplete="off" spellcheck={false} />
        </div>
      )}
    </fieldset>
  );
}
