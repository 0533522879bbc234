/** The two example token requests of the callback page: of a public client and of a confidential client. */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import type { CallbackSuccess, Command, TokenExample } from "../../oauth/contracts/pages.ts";
import { CopyableBlock, Section } from "../parts.tsx";
import { english as words } from "../words/english.ts";
import { fill } from "../../../ground/values/fill.ts";

/** Whether the client of this code would send this request. */
type Fit = "yours" | "others" | "perhaps";

export function TokenRequestExamples({ authentication, examples }: CallbackSuccess): VNode {
  const { open, confidential } = examples;
  const isKnown = [open, confidential].some(({ method }) => method === authentication);
  const fit = ({ method }: TokenExample): Fit =>
    method === authentication ? "yours" : isKnown ? "others" : "perhaps";
  const shown = [
    <Example key="public" kind="public" fit={fit(open)} command={open.command}>
      {fill(words.callback.publicNote, { id: <code>client_id</code>, verifier: <code>code_verifier</code> })}
    </Example>,
    <Example key="confidential" kind="confidential" fit={fit(confidential)} command={confidential.command}>
      {confidentialNote(confidential)}
    </Example>,
  ];
  return (
    <Section id="examples" heading={words.callback.examples}>
      <ExamplesNote />
      {authentication !== undefined && !isKnown && (
        <p>{fill(words.callback.neither, { method: <code>{authentication}</code> })}</p>
      )}
      {fit(confidential) === "yours" ? shown.reverse() : shown}
    </Section>
  );
}

/** Says what to replace in a command. */
export function ExamplesNote(): VNode {
  const { examplesNote, sample } = words.callback;
  return <p>{fill(examplesNote, { sample: <mark class="placeholder">{sample}</mark> })}</p>;
}

function confidentialNote({ method, authorization }: TokenExample): ComponentChildren {
  if (method === "client_secret_post") {
    return fill(words.callback.postNote, { id: <code>client_id</code>, secret: <code>client_secret</code> });
  }
  if (method !== "client_secret_basic") {
    return fill(words.callback.assertionNote, { assertion: <code>client_assertion</code> });
  }
  return fill(words.callback.basicNote, {
    option: <code>--user</code>,
    header: (
      <code class="value" id="basic-header">
        {authorization === undefined ? words.callback.basicHeader : `Authorization: ${authorization}`}
      </code>
    ),
  });
}

function Example({ kind, fit, command, children }: {
  readonly kind: keyof typeof words.callback.clients;
  readonly fit: Fit;
  readonly command: Command;
  readonly children: ComponentChildren;
}): VNode {
  const { heading, copy } = words.callback.clients[kind];
  const id = `example-${kind}`;
  return (
    <article class={fit} aria-labelledby={`${id}-heading`}>
      <h3 id={`${id}-heading`}>
        {heading}
        {fit !== "perhaps" && (
          <>
            {" "}
            <span class="tag">{words.callback[fit]}</span>
          </>
        )}
      </h3>
      <p>
        {fit !== "perhaps" && words.callback[`${fit}Note`]}
        {children}
      </p>
      <CopyableBlock id={id} kind={words.callback.shell} what={copy}>{showCommand(command)}</CopyableBlock>
    </article>
  );
}

export function showCommand(command: Command): ComponentChildren {
  return command.map((piece, at) =>
    typeof piece === "string" ? piece : <mark class="placeholder" key={at}>{piece.placeholder}</mark>
  );
}
