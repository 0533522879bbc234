/** The page `/playground`: a form that builds a request, and what the server would answer to it. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { Page } from "../frame/dashboard_document.tsx";
import { findChange, Why } from "../../../kit/timeline/why.tsx";
import { CopyableBlock, Section } from "../../../server/pages/parts.tsx";
import { type FormTarget, FormToken, TokenForm } from "../parts/pass.tsx";
import { Arithmetic, type PkcePair, RequestText, Send, type SendProps } from "./playground_request.tsx";
import type { Field, RequestKind } from "./request_kinds.ts";
import { linkSections, type PlaygroundSections } from "./playground_reader.tsx";
import { SectionLinks } from "../parts/section_links.tsx";
import { visible } from "../../../ground/values/visible.ts";
import { englishTimeline } from "../../../kit/timeline/timeline_english.ts";
import { englishPlayground as words } from "./playground_english.ts";
import { fillText } from "../../../ground/values/fill.ts";
import type { ShownRefusal } from "../../../kit/timeline/exchange_props.ts";

export type CheckProps =
  /** The request cannot be sent, for example because its address is too long. */
  | { readonly outcome: "unreadable" }
  /** The server would call other servers first. */
  | { readonly outcome: "calls"; readonly calls: readonly string[] }
  | {
    readonly outcome: "accepted" | "refused";
    readonly status: number;
    readonly isRedirect: boolean;
    /** The refusal, or the advice about an accepted request. */
    readonly refusal?: ShownRefusal;
  };

export interface FieldProps extends Field {
  readonly value: string;
  /** The values that the server or the client knows. Unless it is a choice, any other value can be typed. */
  readonly known: readonly string[];
  /** The server accepts other values as well. */
  readonly takesOthers: boolean;
}

export interface PlaygroundProps extends SendProps {
  readonly kinds: readonly (RequestKind & { readonly href: string })[];
  readonly form: FormTarget;
  readonly authorizePath: string;
  readonly fields: readonly FieldProps[];
  readonly check: CheckProps;
  readonly pair?: PkcePair;
  /** The address that shows this form, without secrets. */
  readonly shareUrl: string;
  readonly sections: PlaygroundSections;
  /** The form that takes a response apart, which the script fills in. */
  readonly read: FormTarget;
  readonly inspectorUrl: string;
}

export function playgroundPage(props: PlaygroundProps): Page {
  return {
    title: words.heading,
    here: "playground",
    styles: ["parts.css", "playground.css"],
    scripts: ["copy.js", "playground.js"],
    main: (
      <>
        <SectionLinks {...linkSections("build", props.sections)} />
        <h1>{words.heading}</h1>
        <p>{words.lead}</p>
        <nav aria-label={words.kinds}>
          <ul class="request-kinds">
            {groupKinds(props.kinds).map(([group, kinds]) => (
              <li key={group}>
                <span>{group}</span>
                <ul>
                  {kinds.map((kind) => (
                    <li key={kind.id}>
                      <a href={kind.href} aria-current={kind.id === props.kind.id ? "page" : undefined}>
                        {englishTimeline.endpoint(kind)}
                      </a>
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ul>
        </nav>
        <div class="workbench">
          <Build {...props} />
          <div id="outcome">
            <div id="answer" data-live>
              <Outcome {...props} />
            </div>
            <div
              id="response"
              aria-live="polite"
              data-words={JSON.stringify(words.response)}
              data-authorize={props.authorizePath}
            />
            <TokenForm form={props.read} hidden>
              <textarea id="pasted" name="pasted" />
            </TokenForm>
            <div id="belongings" data-live>
              <Belongings {...props} />
            </div>
          </div>
        </div>
      </>
    ),
  };
}

type Kinds = PlaygroundProps["kinds"];

/** A group without names has all others. */
function groupKinds(kinds: Kinds): readonly (readonly [group: string, kinds: Kinds])[] {
  const nameOf = ({ endpoint, grantType = "" }: Kinds[number]) =>
    grantType.endsWith(":device_code") ? grantType : endpoint;
  const groups: readonly (readonly [string, readonly string[]])[] = Object.entries(words.groups);
  const named = new Set(groups.flatMap(([, names]) => names));
  return groups.map(([group, names]) => {
    const own = names.flatMap((name) => kinds.filter((kind) => nameOf(kind) === name));
    return [group, names.length > 0 ? own : kinds.filter((kind) => !named.has(nameOf(kind)))] as const;
  }).filter(([, own]) => own.length > 0);
}

function Build(props: PlaygroundProps): VNode {
  const { kind, fields, form } = props;
  const isUsual = (field: FieldProps) =>
    field.isUsual || usualFields.has(field.name) || fields.length <= mostUnfolded;
  const wrong = findWrong(props);
  const usual = fields.filter(isUsual);
  const others = fields.filter((field) => !isUsual(field));
  return (
    <form
      id="build"
      method="post"
      action={form.action}
      aria-labelledby="build-heading"
      autocomplete="off"
      spellcheck={false}
    >
      <h2 id="build-heading">{englishTimeline.endpoint(kind)}</h2>
      <p>
        <code class="value">{`${kind.method} ${kind.url}`}</code>
      </p>
      <FormToken token={form.token} />
      <input type="hidden" name="kind" value={kind.id} />
      {fields.length === 0 && <p>{words.noFields}</p>}
      {usual.map((field) => <FieldRow key={field.name} {...field} isWrong={field === wrong} />)}
      {others.length > 0 && (
        <details open={others.some(({ name, value }) => value !== "" && name !== "response_type")}>
          <summary>{words.moreFields}</summary>
          {others.map((field) => <FieldRow key={field.name} {...field} isWrong={field === wrong} />)}
        </details>
      )}
      <p class="onward">
        <button type="submit" class="button" id="show">{words.show}</button>
      </p>
    </form>
  );
}

/** Returns the field that a refusal is about: its reason begins with the name, its text has it, or a part of the name is there. */
function findWrong({ fields, check }: PlaygroundProps): FieldProps | undefined {
  if (check.outcome !== "refused" || check.refusal === undefined) return undefined;
  const { reason, description } = check.refusal;
  const said = description.toLowerCase().split(/[^a-z_]+/);
  const [subject = ""] = reason.split("_");
  return fields.find(({ name }) => reason.startsWith(name)) ??
    fields.find(({ name }) => said.includes(name)) ??
    fields.find(({ name }) => name.split("_").includes(subject));
}

// A form with so few fields shows all of them.
const mostUnfolded = 7;

/** The other fields that most requests need. */
const usualFields: ReadonlySet<string> = new Set([
  ...["client_id", "redirect_uri", "scope", "resource", "state", "prompt", "nonce", "pkce"],
  ...["client_authentication", "client_secret"],
]);

function FieldRow(
  { name, role, value, isSecret, isLong, known, takesOthers, isWrong }:
    & FieldProps
    & { readonly isWrong: boolean },
): VNode {
  const { explanations: { parameters } } = englishTimeline;
  const id = `field-${name}`;
  const about = words.fields.get(name) ?? parameters.get(name) ?? words.unknownField;
  const common = { id, name, "aria-describedby": `${name}-about`, "aria-invalid": isWrong || undefined };
  return (
    <div class="field">
      <label for={id}>{words.labels.get(name) ?? name}</label>
      {role === "choice" && known.length > 0
        ? (
          <select {...common}>
            {known.map((each) => (
              <option key={each} value={each} selected={each === value}>
                {words.choices.get(each) ?? each}
              </option>
            ))}
          </select>
        )
        : isLong
        ? <textarea {...common} rows={name === "metadata" ? 6 : undefined}>{value}</textarea>
        : (
          <>
            <input {...common} value={value} list={known.length > 0 ? `${name}-known` : undefined} />
            {known.length > 0 && (
              // Those of the client change with the field of the client.
              <datalist id={`${name}-known`} data-live={name === "redirect_uri" || undefined}>
                {known.map((each) => <option key={each} value={each} />)}
              </datalist>
            )}
          </>
        )}
      <p class="aside" id={`${name}-about`}>
        {about} {isSecret && words.secretField}
        {name === "scope" && known.length > 0 && words.knownScopes(known.join(", "), takesOthers)}
      </p>
    </div>
  );
}

function Outcome(props: PlaygroundProps): VNode {
  const { check, request, kind, inspectorUrl } = props;
  const mark = check.outcome === "accepted" ? "good mark" : "problem mark outcome-refused";
  return (
    <>
      <h2 id="check-heading">{words.check.heading}</h2>
      <div id="verdict">
        <p class={`notice ${mark}`} id="check" data-outcome={check.outcome}>
          {describeCheck(check, kind)}
        </p>
        <Send {...props} isRefused={check.outcome === "refused"} />
      </div>
      {"refusal" in check && check.refusal !== undefined && (
        <Why refusal={check.refusal} change={findChange(check.refusal)} />
      )}
      {check.outcome === "calls" && (
        <ul>
          {check.calls.map((call) => (
            <li key={call}>
              <code class="value">{visible(call)}</code>
            </li>
          ))}
        </ul>
      )}
      <Section id="request" heading={words.request.heading}>
        <RequestText request={request} />
        <p>
          <a id="inspector" href={inspectorUrl}>{words.request.inspector}</a>
        </p>
      </Section>
    </>
  );
}

/** What belongs to the request and does not depend on its answer. */
function Belongings({ pair, shareUrl }: PlaygroundProps): VNode {
  return (
    <>
      {pair !== undefined && <Arithmetic {...pair} />}
      <Section id="share" heading={words.share.heading}>
        <p>{words.share.about}</p>
        <CopyableBlock id="share" kind={words.share.kind} what={words.share.copyWhat}>
          {shareUrl}
        </CopyableBlock>
      </Section>
    </>
  );
}

function describeCheck(check: CheckProps, { isOpenedByBrowser }: RequestKind): string {
  switch (check.outcome) {
    case "unreadable":
      return words.check.unreadable;
    case "calls":
      return words.check.calls;
    case "accepted":
      if (!isOpenedByBrowser) return words.check.accepted(check.status);
      return check.isRedirect ? words.check.answersAtOnce : words.check.asks;
    case "refused": {
      const values = { description: visible(check.refusal?.description ?? ""), status: check.status };
      if (!isOpenedByBrowser) return fillText(words.check.refused, values);
      return fillText(check.isRedirect ? words.check.refusedToClient : words.check.refusedOnPage, values);
    }
  }
}
