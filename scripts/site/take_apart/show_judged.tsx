/** Shows what a pasted text is and how it was judged. The page loads this script when a person has pasted the first text. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
/// <reference lib="dom" />

import { render, type VNode } from "preact";
import { ErrorExplanation } from "../../../src/server/pages/callback/error_explanation.tsx";
import { RuleLinks } from "../../../src/server/pages/rule_link.tsx";
import { visible } from "../../../src/ground/values/visible.ts";
import { parseJsonObject } from "../../../src/ground/schema/json_object.ts";
import { Pasted } from "../../../src/tools/dashboard/playground/playground_reader.tsx";
import { isKeySet, type JudgedKey } from "./judge_keys.ts";
import type { JudgedMember } from "./judge_metadata.ts";
import { judgePasted, type Known, type TakenApart } from "./judge_pasted.ts";

async function showJudged(form: HTMLFormElement, place: HTMLElement): Promise<void> {
  const known = readKnown(form);
  const judged = await judgePasted(fieldOf(form, "pasted").value, known);
  for (const [name, value] of Object.entries(judged.learned ?? {})) {
    const field = fieldOf(form, name);
    if (field.value === "") field.value = value;
  }
  render(<Judged {...judged} now={known.now} />, place);
  document.dispatchEvent(new Event("postern:changed"));
}

Object.assign(globalThis, { posternJudge: showJudged });

function fieldOf(form: HTMLFormElement, name: string): HTMLInputElement | HTMLTextAreaElement {
  return form.elements.namedItem(name) as HTMLInputElement | HTMLTextAreaElement;
}

function readKnown(form: HTMLFormElement): Known {
  const read = (name: string) => fieldOf(form, name).value.trim() || undefined;
  const keys = parseJsonObject(read("keys") ?? "") ?? {};
  return {
    issuer: read("issuer"),
    audience: read("audience"),
    nonce: read("nonce"),
    state: read("state"),
    keys: isKeySet(keys) ? keys.keys as unknown as Known["keys"] : [],
    now: Math.floor(Date.now() / 1000),
  };
}

function Judged({ pasted, keys, metadata, now }: TakenApart & { readonly now: number }): VNode {
  return (
    <>
      {keys !== undefined && <Keys keys={keys} />}
      {metadata !== undefined && <Metadata members={metadata} />}
      {pasted !== undefined && <Pasted {...pasted} now={now} />}
      {pasted?.error !== undefined && <ErrorExplanation code={pasted.error} />}
      {pasted?.inner.map((inner) => <Pasted key={inner.name} {...inner} now={now} />)}
    </>
  );
}

const results = { passed: "right", failed: "wrong", open: "left out", absent: "–" } as const;

function Keys({ keys }: { readonly keys: readonly JudgedKey[] }): VNode {
  return (
    <section aria-labelledby="judged" data-kind="keys">
      <h2 id="judged">Key set</h2>
      <p>A client verifies the tokens of the server with these keys. Paste a token of the server next.</p>
      <div class="wide" tabIndex={0} role="group" aria-label="Keys">
        <table class="judged">
          <thead>
            <tr>
              <th>verdict</th>
              <th>type</th>
              <th>kid</th>
            </tr>
          </thead>
          <tbody>
            {keys.map(({ kid, kty, result, says, rule }, at) => (
              <tr key={at}>
                <td data-result={result}>
                  {says} {rule !== undefined && <RuleLinks rules={rule} />}
                </td>
                <td>
                  <code>{visible(kty)}</code>
                </td>
                <td>
                  <code>{visible(kid ?? "–")}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Metadata({ members }: { readonly members: readonly JudgedMember[] }): VNode {
  return (
    <section aria-labelledby="judged" data-kind="metadata">
      <h2 id="judged">Metadata</h2>
      <p>
        What a client that uses OAuth 2.1 or OpenID Connect looks for. Other members are not judged. A
        standard demands what is marked with “must”, and recommends what is marked with “should”.
      </p>
      <div class="wide" tabIndex={0} role="group" aria-label="Members">
        <table class="judged">
          <thead>
            <tr>
              <th>member</th>
              <th>verdict</th>
              <th>expected</th>
              <th>received</th>
            </tr>
          </thead>
          <tbody>
            {members.map(({ name, result, level, says, received, rule }, at) => (
              <tr key={at}>
                <td>
                  <code>{name}</code>
                </td>
                <td data-result={result}>{results[result]}{result === "failed" && ` (${level})`}</td>
                <td>
                  {says} <RuleLinks rules={rule} />
                </td>
                <td>
                  <code>{visible(received)}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
