/** The page that shows one step of a walk: the request, the response, the tokens, and what can be done next. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { JudgedToken, WalkProps, WalkStepName } from "../../oauth/pages.ts";
import type { Page } from "../document.tsx";
import type { Frame } from "../pages_terms.ts";
import { DecodedTokens } from "./decoded_tokens.tsx";
import { ErrorExplanation } from "./error_explanation.tsx";
import { ClientName, Fact, Gate, Section, SentenceWithFlags } from "../parts.tsx";
import { RuleLinks } from "../rule_link.tsx";
import { SecretField } from "./exchange_form.tsx";
import { WalkCalls, WalkMessages } from "./walk_messages.tsx";
import { english as words } from "../words/english.ts";
import { fill } from "../words/fill.ts";

/** The frame of the page, if the server has a dashboard. */
type FramedWalk = WalkProps & { readonly frame?: Frame | undefined };

export function walkPage(props: FramedWalk): Page {
  return {
    title: words.walk.title,
    shape: "sheet",
    homeUrl: props.homeUrl,
    scripts: ["copy.js", "form.js"],
    main: (
      <>
        <Outcome {...props} />
        <WalkMessages call={props.step.call} prefix="act" />
        <EntryLink url={props.frame?.entryUrl(props.step.call.id)} />
        <Refusal {...props} />
        <Consequence {...props} />
        <DecodedTokens decoded={props.decoded} />
        {props.step.keys !== undefined && (
          <WalkCalls id="keys" heading={words.walk.keys} calls={[props.step.keys]} />
        )}
        <Tokens tokens={props.tokens} />
        <StepList {...props} />
        <Choices {...props} />
        <nav class="onward" aria-label={words.callback.onward}>
          {props.codeUrl !== undefined && (
            <a class="button" id="retry" href={props.codeUrl}>{words.walk.tryAgain}</a>
          )}
          {props.startUrl !== undefined && (
            <a class="button" id="start" href={props.startUrl}>{words.callback.start}</a>
          )}
          <a class="button" id="home" href={props.homeUrl}>{words.callback.home}</a>
        </nav>
      </>
    ),
  };
}

/** Leads to the request in the inspector. */
function EntryLink({ url }: { readonly url: string | undefined }): VNode | null {
  return url === undefined ? null : (
    <p>
      <a id="entry" href={url}>{words.walk.entry}</a>
    </p>
  );
}

/** The rules that each step shows. */
const rules: Readonly<Record<WalkStepName, string>> = {
  exchange: "OAuth 2.1 §4.1.3, RFC 7636 §4.5",
  userinfo: "OpenID Connect Core §5.3",
  refresh: "OAuth 2.1 §4.3.1, OpenID Connect Core §12",
  introspect: "RFC 7662 §2",
  revoke: "RFC 7009 §2",
  call_api: "RFC 6750 §2.1, RFC 9068 §4",
  replay_code: "OAuth 2.1 §4.1.3, RFC 6749 §4.1.2",
  tamper_verifier: "RFC 7636 §4.6",
  reuse_refresh_token: "OAuth 2.1 §4.3.1, RFC 9700 §4.14.2",
};

/** The steps whose purpose is a refusal. */
const rulesToSee: ReadonlySet<WalkStepName> = new Set([
  "replay_code",
  "tamper_verifier",
  "reuse_refresh_token",
]);

function isDone(status: number): boolean {
  return status < 400;
}

/** Whether a step that should show a rule was refused for another reason, for example without the client's secret. */
function isRefusedOtherwise({ name, call: { response } }: WalkProps["step"]): boolean {
  return rulesToSee.has(name) && !isDone(response.status) && findErrorCode(response.body) !== "invalid_grant";
}

function Outcome({ step, client }: WalkProps): VNode {
  const { name, call } = step;
  const done = isDone(call.response.status);
  const [heading, text] = isRefusedOtherwise(step)
    ? words.walk.refusedOtherwise
    : words.walk.steps[name][done ? "done" : "refused"];
  return (
    <div class="outcome">
      <Gate open={done} />
      <div>
        <h1>{heading}</h1>
        <p class="lead" id="explanation">{text}</p>
        <p class="aside" id="client">
          {words.walk.client}: <ClientName client={client} />{" "}
          {client.name !== undefined && <code>{client.id}</code>}
        </p>
        <p class="aside" id="rule">
          {words.walk.rule}: <RuleLinks rules={rules[name]} />
        </p>
        <p id="to-next">
          <a href="#next-heading">{words.walk.next}</a>
        </p>
      </div>
    </div>
  );
}

/** Explains the error code of a refused step. The explanation of a rule is at the top of its page. */
function Refusal({ step }: WalkProps): VNode | null {
  const { name, call: { response } } = step;
  const code = findErrorCode(response.body);
  const showsRule = rulesToSee.has(name) && !isRefusedOtherwise(step);
  if (isDone(response.status) || code === undefined || showsRule) return null;
  return <ErrorExplanation code={code} />;
}

function findErrorCode(body: string): string | undefined {
  try {
    const { error } = JSON.parse(body) as { readonly error?: unknown };
    return typeof error === "string" ? error : undefined;
  } catch {
    return undefined;
  }
}

/** The order of the steps so far, if there are several. Each is a link to its page. */
function StepList({ steps, number }: WalkProps): VNode | null {
  return steps.length === 1 ? null : (
    <nav aria-labelledby="so-far-heading">
      <h2 id="so-far-heading">{words.walk.soFar}</h2>
      <ol class="steps" id="so-far">
        {steps.map(({ name, url, status }, at) => (
          <li key={at}>
            <a href={url} aria-current={at + 1 === number ? "step" : undefined}>
              {words.walk.steps[name].button}
            </a>{" "}
            <span class="tag">{status}</span>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** What the step ended, and the requests that prove it. Steps that use a token end nothing. */
function Consequence({ step: { name, ended, proofs }, tokens }: WalkProps): VNode | null {
  if (ended.length === 0 && !rulesToSee.has(name) && name !== "revoke") return null;
  return (
    <section aria-labelledby="ended-heading" id="ended">
      <h2 id="ended-heading">{words.walk.ended}</h2>
      {ended.length === 0 ? <p>{words.walk.endedNothing}</p> : (
        <>
          <p>{words.walk.endedTokens}</p>
          <ul id="ended-tokens">
            {ended.map((at) => {
              const token = tokens[at];
              return token && <li key={at}>{words.walk.tokenOf(token.kind, token.step)}</li>;
            })}
          </ul>
        </>
      )}
      {proofs.length > 0 && (
        <>
          <p id="proof">
            {words.walk.proof(proofs.length)}: <code>{proofs.map(describeProof).join(", ")}</code>
          </p>
          <WalkCalls id="proofs" heading={words.walk.proofRequests} calls={proofs} />
        </>
      )}
    </section>
  );
}

/** An introspection answers with 200 for an ended token, too, so its member `active` counts (RFC 7662 §2.2). */
function describeProof({ response: { status, body } }: WalkProps["step"]["call"]): string {
  const active = /"active":\s*(true|false)/.exec(body)?.[1];
  return active === undefined ? `HTTP ${status}` : `active: ${active}`;
}

function Tokens({ tokens }: { readonly tokens: readonly JudgedToken[] }): VNode | null {
  const shown = tokens.filter(({ state }) => state !== undefined);
  return shown.length === 0 ? null : (
    <Section id="tokens" heading={words.walk.tokens}>
      <p>{words.walk.tokensNote}</p>
      <dl class="facts" id="tokens">
        {shown.map(({ kind, step, state = "works" }, at) => (
          <Fact key={at} term={words.walk.tokenOf(kind, step)}>{words.walk.states[state]}</Fact>
        ))}
      </dl>
    </Section>
  );
}

/** One form with a button for each step. The buttons that cannot work say why. */
function Choices(props: WalkProps): VNode | null {
  if (props.choices.length === 0) return null;
  const groups = [
    [words.walk.use, props.choices.filter(({ name }) => !rulesToSee.has(name))],
    [words.walk.rules, props.choices.filter(({ name }) => rulesToSee.has(name))],
  ] as const;
  return (
    <Section id="next" heading={words.walk.next}>
      <form method="post" action={props.action} id="next">
        <input type="hidden" name="walk" value={props.ticket} />
        <SecretField need={props.secret} isRequired={false} />
        {groups.map(([heading, choices]) => (
          <fieldset key={heading}>
            <legend>{heading}</legend>
            <ul class="choices">
              {choices.map((choice) => <Choice key={choice.name} choice={choice} props={props} />)}
            </ul>
          </fieldset>
        ))}
      </form>
    </Section>
  );
}

function Choice(
  { choice: { name, obstacle }, props: { audience, api } }: {
    readonly choice: WalkProps["choices"][number];
    readonly props: WalkProps;
  },
): VNode {
  const { button, about } = words.walk.steps[name];
  return (
    <li>
      <button
        type="submit"
        class="button"
        id={name}
        name="step"
        value={name}
        disabled={obstacle !== undefined}
        aria-describedby={`${name}-about`}
      >
        {button}
      </button>
      <p class="aside" id={`${name}-about`}>
        <SentenceWithFlags text={obstacle === undefined ? about : words.walk.obstacles[obstacle]} />
        {obstacle === "not_for_api" && api !== undefined && (
          <>
            {" "}
            {fill(words.walk.apiAudience, {
              audience: <code>{audience.join(" ")}</code>,
              api: <code>{api.url}</code>,
            })} {api.startUrl !== undefined && <a href={api.startUrl}>{words.walk.apiStart}</a>}
          </>
        )}
      </p>
    </li>
  );
}
