/** A step of a walk: a line that unfolds into the request, the response, what the step ended and the tokens it got. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { DecodedToken, ShownStep, WalkCall, WalkProps } from "../../oauth/contracts/pages.ts";
import { english as words } from "../words/english.ts";
import { ErrorExplanation } from "./error_explanation.tsx";
import { WalkCalls, WalkMessages } from "./walk_messages.tsx";
import { classOfMark, describeOutcome, refusalSteps } from "./walk_outcome.ts";
import { showJson, showsAll } from "../token/token_props.ts";
import { countResults, TokenView } from "../token/token.tsx";
import { englishToken } from "../words/token_english.ts";

interface StepProps extends Pick<WalkProps, "tokens" | "now"> {
  readonly step: ShownStep;
  readonly number: number;
  /** The page of the inspector about the request, if the visitor may see it. */
  readonly entryUrl: string | undefined;
  /** The page is about another step. */
  readonly isFolded: boolean;
  /** The row only leads to the page of the step. */
  readonly isBrief: boolean;
}

export function WalkStepRow({ step, number, entryUrl, tokens, now, isFolded, isBrief }: StepProps): VNode {
  // The sentence at the top explains what was refused on purpose.
  const { unexplained } = describeOutcome(step);
  return (
    <li id={`step-${number}`} aria-current={isFolded ? undefined : "step"}>
      {entryUrl !== undefined && (
        <a class="entry" id={isFolded ? undefined : "entry"} href={entryUrl}>
          {words.walk.entry}
          <span class="unseen">{words.walk.entryOf(number)}</span>
        </a>
      )}
      {isBrief
        ? (
          <p class="line">
            <a href={step.url}>
              <StepLine number={number} step={step} />
            </a>
          </p>
        )
        : (
          <details open={!isFolded}>
            <summary>
              <StepLine number={number} step={step} />
            </summary>
            <div class="opened">
              <WalkMessages
                call={step.call}
                keys={isFolded ? undefined : step.keys}
                prefix={isFolded ? `step-${number}` : "act"}
              />
              {isFolded
                ? (
                  <p>
                    <a href={step.url}>{words.walk.openStep}</a>
                  </p>
                )
                : <Consequence step={step} tokens={tokens} />}
              {unexplained !== undefined && !isFolded && <ErrorExplanation code={unexplained} />}
              {step.decoded !== undefined && (
                <DecodedTokens
                  decoded={step.decoded}
                  prefix={isFolded ? `step-${number}` : "decoded"}
                  now={now}
                />
              )}
            </div>
          </details>
        )}
    </li>
  );
}

function StepLine({ number, step }: Pick<StepProps, "number" | "step">): VNode {
  const { heading, isDone } = describeOutcome(step);
  return (
    <>
      <span class="number">{number}</span> <span class={classOfMark(isDone)} />{" "}
      <strong>{words.walk.steps[step.name].button}:</strong> <span class="what">{heading}</span>{" "}
      <span class="answer">{step.call.response.status}</span>
    </>
  );
}

/** What the step ended, and the requests that prove it. Steps that use a token end nothing. */
function Consequence(
  { step: { name, ended, proofs }, tokens }: Pick<StepProps, "step" | "tokens">,
): VNode | null {
  if (ended.length === 0 && !refusalSteps.has(name) && name !== "revoke") return null;
  return (
    <section aria-labelledby="ended-heading" id="ended">
      <h3 id="ended-heading">{words.walk.ended}</h3>
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
function describeProof({ response: { status, body } }: WalkCall): string {
  const active = /"active":\s*(true|false)/.exec(body)?.[1];
  return active === undefined ? `HTTP ${status}` : `active: ${active}`;
}

function DecodedTokens({ decoded, prefix, now }: {
  readonly decoded: readonly DecodedToken[];
  readonly prefix: string;
  readonly now: number;
}): VNode {
  return (
    <div class="decoded">
      {decoded.map(({ kind, text, jwt, checks }) => {
        const id = `${prefix}-${kind}`;
        return (
          <section key={kind} aria-labelledby={`${id}-heading`} id={id}>
            <h3 id={`${id}-heading`}>{words.walk.kinds[kind]}</h3>
            {jwt === undefined ? <p class="aside">{words.walk.opaque[kind]}</p> : (
              <>
                <Fold checks={checks} />
                <TokenView
                  id={`${id}-view`}
                  name={words.walk.kinds[kind]}
                  token={{ text, length: text.length, jwt: showParts(jwt) }}
                  checks={checks}
                  now={now}
                />
              </>
            )}
          </section>
        );
      })}
    </div>
  );
}

/** A narrow window shows the token below only while this is open. A wide one has no such line. */
function Fold({ checks }: Pick<DecodedToken, "checks">): VNode {
  const { passed, failed } = countResults(checks);
  return (
    <details class="fold" open={failed > 0}>
      <summary>{englishToken.claims(englishToken.checked(passed, failed))}</summary>
    </details>
  );
}

function showParts({ header, payload }: NonNullable<DecodedToken["jwt"]>) {
  return { header: showJson(header, showsAll), payload: showJson(payload, showsAll) };
}
