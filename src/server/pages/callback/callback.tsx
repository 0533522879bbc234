/** The page `/authorized`: shows the outcome of step 1 of the flow, and instructions for step 2. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type {
  CallbackFailure,
  CallbackProps,
  CallbackSuccess,
  ExchangeForm as ExchangeFormProps,
  ShownResponseJwt,
} from "../../oauth/contracts/pages.ts";
import type { Page } from "../document.tsx";
import type { Cause, Frame } from "../pages_options.ts";
import { Change, ReceivedAndExpected } from "../refusal.tsx";
import { RuleLinks } from "../rule_link.tsx";
import { ErrorExplanation } from "./error_explanation.tsx";
import { ExchangeForm } from "./exchange_form.tsx";
import {
  ClientName,
  Copyable,
  Fact,
  Outcome,
  personDetail,
  PersonName,
  Section,
  ValueFact,
  WayOn,
} from "../parts.tsx";
import { showJson, showsAll } from "../token/token_props.ts";
import { TokenView } from "../token/token.tsx";
import { TokenRequestExamples } from "./token_request_examples.tsx";
import { visible } from "../../../ground/values/visible.ts";
import { english as words } from "../words/english.ts";
import { fill } from "../../../ground/values/fill.ts";

type Framed = { readonly frame?: Frame | undefined };
/** `refusal`: why this server answered with the error, unless a person said no. */
type Caused = { readonly cause?: Cause | undefined; readonly refusal?: Cause["refusal"] | undefined };

export function callbackPage(props: CallbackProps & Framed): Page {
  const cause = props.hasError && props.own ? props.frame?.findCause(props.own) : undefined;
  const { error, reason } = cause?.refusal ?? {};
  const isTold = props.hasError && error === props.error && reason !== "user_denied";
  const caused = { cause, refusal: isTold ? cause?.refusal : undefined };
  const isShown = hasJwt(props.responseJwt);
  return {
    title: props.hasError ? headingOfFailure({ ...props, ...caused }) : headingOf(props),
    homeUrl: props.homeUrl,
    styles: ["parts.css", ...(isShown ? ["token.css"] as const : []), "sheet.css"],
    scripts: [
      ...(props.hasError && !isShown ? [] : ["copy.js"] as const),
      ...(props.hasError ? [] : ["countdown.js"] as const),
    ],
    main: (
      <>
        {props.hasError
          ? <Failure {...props} {...caused} />
          : props.foreignIssuer === undefined
          ? <OwnCode {...props} />
          : <ForeignCode {...props} />}
        <ResponseJwt jwt={props.responseJwt} />
      </>
    ),
  };
}

function Onward({ cause, refusal, ...props }: CallbackProps & Caused): VNode {
  return (
    <nav class="onward" aria-label={words.callback.onward}>
      <WayOn id="entry" href={cause?.href} isMain={refusal !== undefined}>{words.callback.entry}</WayOn>
      <WayOn id="start" href={props.startUrl} isMain={isLastWay(props) && !refusal}>{words.home.start}</WayOn>
      <WayOn id="home" href={props.homeUrl}>{words.callback.home}</WayOn>
    </nav>
  );
}

type ShownJwt = Extract<ShownResponseJwt, { readonly isEncrypted: false }>;

function hasJwt(response: ShownResponseJwt | undefined): response is ShownJwt {
  return response?.isEncrypted === false;
}

function ResponseJwt({ jwt }: { readonly jwt: ShownResponseJwt | undefined }): VNode | null {
  if (!hasJwt(jwt)) return null;
  const { text, jwt: { header, payload }, checks, now, isRefused } = jwt;
  const parts = { header: showJson(header, showsAll), payload: showJson(payload, showsAll) };
  return (
    <details id="response-jwt" open={isRefused}>
      <summary>{words.callback.responseJwt}</summary>
      <TokenView
        id="response-jwt-view"
        name={words.callback.jwtOfResponse}
        token={{ text, length: text.length, jwt: parts }}
        checks={checks}
        now={now}
      />
    </details>
  );
}

function headingOf({ foreignIssuer }: CallbackSuccess): string {
  return foreignIssuer === undefined ? words.callback.success : words.callback.foreignHeading;
}

/** Whether a new authorization is the only way on, because the page offers no other step. */
function isLastWay(props: CallbackProps): boolean {
  return props.hasError || props.foreignIssuer !== undefined ||
    !hasForm(props.exchange) && props.walkUrl === undefined;
}

function Failure(props: CallbackFailure & Caused): VNode {
  const { error, errorDescription, state, responseIssuer, foreignIssuer, accepted, refusal } = props;
  return (
    <>
      <Outcome heading={headingOfFailure(props)}>
        <p>{leadOfFailure(props)}</p>
      </Outcome>
      <ForeignIssuer issuer={foreignIssuer} />
      {refusal !== undefined && (
        <div class={refusal.change && "notice mend"}>
          <ReceivedAndExpected {...refusal} />
          <Change {...refusal} term={words.refused.change} />
        </div>
      )}
      <Onward {...props} />
      {(error ?? errorDescription ?? state ?? responseIssuer) !== undefined && (
        <dl class="facts">
          <ValueFact term={words.callback.error} id="error" value={error} />
          {refusal?.spec !== undefined && (
            <Fact term={words.refused.spec}>
              <span id="spec">
                <RuleLinks rules={visible(refusal.spec)} />
              </span>
            </Fact>
          )}
          {errorDescription !== undefined && refusal === undefined && (
            <Fact term={words.callback.errorDescription}>
              <span id="error-description">{visible(errorDescription)}</span>
            </Fact>
          )}
          <ValueFact term={words.callback.state} id="returned-state" value={state} />
          <ResponseIssuer issuer={responseIssuer} isForeign={foreignIssuer !== undefined} />
        </dl>
      )}
      {refusal === undefined && (error !== undefined || props.responseJwt === undefined) && (
        <ErrorExplanation code={error} isDescribed={errorDescription !== undefined} accepted={accepted} />
      )}
    </>
  );
}

/** An encrypted response may be a success. */
function headingOfFailure({ responseJwt, refusal }: CallbackFailure & Caused): string {
  if (refusal !== undefined) return visible(refusal.description);
  return responseJwt?.isEncrypted === true ? words.callback.encrypted : words.callback.failure;
}

function leadOfFailure({ error, responseJwt }: CallbackFailure): string {
  if (responseJwt?.isEncrypted === true) return words.callback.encryptedLead;
  if (responseJwt?.isRefused === true) return words.callback.refusedJwtLead;
  return error === undefined ? words.callback.noResponseLead : words.callback.failureLead;
}

/** Returns why the token endpoint would refuse the code, or `undefined` if it would not. */
function findFault({ codeUnknown, codeUsed, codeExpiresAt, now }: CallbackSuccess) {
  if (codeUnknown) return "unknown";
  if (codeUsed) return "used";
  return codeExpiresAt !== undefined && now !== undefined && codeExpiresAt <= now ? "expired" : undefined;
}

/** A client that gets such a response must stop (RFC 9207 §2.4), so the page offers no step with the code. */
function ForeignCode(props: CallbackSuccess): VNode {
  return (
    <>
      <Outcome heading={headingOf(props)}>
        <p>{words.callback.foreignCodeLead}</p>
      </Outcome>
      <ForeignIssuer issuer={props.foreignIssuer} />
      <Result {...props} />
      <Onward {...props} />
    </>
  );
}

function OwnCode(props: CallbackSuccess): VNode {
  const fault = findFault(props);
  return (
    <>
      <Outcome isOpen={fault === undefined} heading={headingOf(props)}>
        {fault === undefined
          ? <p data-over={words.callback.expiredLead}>{words.callback.successLead}</p>
          : <p>{words.callback[`${fault}Lead`]}</p>}
      </Outcome>
      <div class="columns">
        <div>
          <CodeLife {...props} />
          <Exchange {...props} />
          <Steps {...props} />
        </div>
        <div id="by-hand">
          <TokenRequestExamples {...props} />
          <Notes />
        </div>
        <div>
          <Result {...props} />
          <Onward {...props} />
        </div>
      </div>
    </>
  );
}

function hasForm(exchange: CallbackSuccess["exchange"]): exchange is ExchangeFormProps {
  return exchange !== undefined && !("blocker" in exchange);
}

/** The form that exchanges the code, or why there is none. A used code leads to the steps that were taken with it. */
function Exchange({ exchange, walkUrl }: CallbackSuccess): VNode | null {
  if (hasForm(exchange)) return <ExchangeForm form={exchange} />;
  if (walkUrl !== undefined) {
    return (
      <p>
        <a class="button primary" id="see-steps" href={walkUrl}>{words.walk.seeSteps}</a>
      </p>
    );
  }
  // The notice above says that a code has expired or has been used.
  const isSaid = exchange === undefined || exchange.blocker === "code_used" ||
    exchange.blocker === "code_expired";
  return isSaid ? null : <p class="notice" id="no-exchange">{words.walk.blockers[exchange.blocker]}</p>;
}

function ForeignIssuer({ issuer }: { readonly issuer: string | undefined }): VNode | null {
  if (issuer === undefined) return null;
  return (
    <p class="notice problem" id="foreign-issuer" role="alert">
      {fill(words.callback.foreignIssuer, { issuer: <code class="value">{visible(issuer)}</code> })}
    </p>
  );
}

function CodeLife({ codeUsed, codeExpiresAt, now }: CallbackSuccess): VNode | null {
  if (codeUsed) return <p class="notice problem" id="code-life">{words.callback.used}</p>;
  if (codeExpiresAt === undefined || now === undefined) return null;
  const iso = new Date(codeExpiresAt * 1000).toISOString();
  const time = <time dateTime={iso}>{`${iso.slice(11, 19)} UTC`}</time>;
  const seconds = Math.floor(codeExpiresAt - now);
  if (seconds <= 0) {
    return <p class="notice problem" id="code-life">{fill(words.callback.ended, { time })}</p>;
  }
  return (
    <p class="notice" id="code-life">
      {fill(words.callback.ends, {
        time,
        left: (
          <span data-seconds={seconds} data-left={words.callback.endsIn} data-over={words.callback.endsNow}>
            {words.callback.endsAbout(seconds)}
          </span>
        ),
      })}
    </p>
  );
}

function Result(props: CallbackSuccess): VNode {
  const { client, person, scope, code, state, responseIssuer, foreignIssuer, redirectUri, tokenEndpoint } =
    props;
  return (
    <dl class="facts">
      {client !== undefined && (
        <Fact term={words.walk.client}>
          <span id="client">
            <ClientName client={client} /> {client.name !== undefined && <code>{client.id}</code>}
          </span>
        </Fact>
      )}
      {person !== undefined && (
        <Fact term={words.walk.person}>
          <span id="person">
            <PersonName person={person} /> <span class="aside">{personDetail(person)}</span>
          </span>
        </Fact>
      )}
      {scope !== undefined && (
        <Fact term={words.walk.scope}>
          <code id="scope">{scope.join(" ")}</code>
        </Fact>
      )}
      <ResponseIssuer issuer={responseIssuer} isForeign={foreignIssuer !== undefined} />
      {foreignIssuer !== undefined && (
        <Fact term={words.callback.code}>
          <Copyable id="code" value={code} what={words.callback.copyCode} />
        </Fact>
      )}
      {state !== undefined && (
        <Fact term={words.callback.state}>
          <Copyable id="state" value={state} what={words.callback.copyState} />
        </Fact>
      )}
      {foreignIssuer === undefined && (
        <>
          <Fact term={words.callback.redirectUri}>
            <Copyable id="redirect-uri" value={redirectUri} what={words.callback.copyRedirectUri} />
          </Fact>
          <Fact term={words.callback.tokenEndpoint}>
            <Copyable id="token-endpoint" value={tokenEndpoint} what={words.callback.copyTokenEndpoint} />
          </Fact>
        </>
      )}
    </dl>
  );
}

function ResponseIssuer(
  { issuer, isForeign }: { readonly issuer: string | undefined; readonly isForeign: boolean },
): VNode | null {
  return issuer === undefined ? null : (
    <Fact term={words.walk.responseIssuer}>
      <code class="value" id="iss">{visible(issuer)}</code>
      {!isForeign && <span class="aside">{words.walk.issuerMatches}</span>}
    </Fact>
  );
}

function Steps({ code, codeVerifier, tokenEndpoint }: CallbackSuccess): VNode {
  return (
    <Section id="steps" heading={words.callback.steps}>
      <ol class="steps" id="steps">
        <li>
          {words.callback.stepCopy}
          <Copyable id="code" value={code} what={words.callback.copyCode} />
        </li>
        <li>
          {codeVerifier === undefined ? words.callback.stepVerifier : fill(words.callback.stepVerifierKnown, {
            verifier: <Copyable id="code-verifier" value={codeVerifier} what={words.callback.copyVerifier} />,
          })}
        </li>
        <li>{fill(words.callback.stepPost, { endpoint: <code class="value">{tokenEndpoint}</code> })}</li>
      </ol>
    </Section>
  );
}

function Notes(): VNode {
  return (
    <Section id="notes" heading={words.callback.notes}>
      <ul id="notes">
        <li>{words.callback.noteOnce}</li>
        <li>{words.callback.noteQuick}</li>
        <li>{fill(words.callback.noteRedirect, { parameter: <code>redirect_uri</code> })}</li>
        <li>{fill(words.callback.noteVerifier, { parameter: <code>code_verifier</code> })}</li>
      </ul>
    </Section>
  );
}
