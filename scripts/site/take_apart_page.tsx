/** The page that takes a pasted token, callback, key set or metadata apart. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { writeDocument } from "./document.tsx";
import { type Example, writeExamples } from "./take_apart/examples.ts";

export async function writeTakeApartPage(): Promise<string> {
  const examples = await writeExamples();
  return writeDocument({
    path: "take_apart.html",
    title: "Take a token or a callback apart",
    description:
      "Paste a token, a callback, a key set or metadata: this page judges it, and sends it nowhere.",
    here: "take_apart.html",
    scripts: ["take_apart.js"],
    sheets: ["token.css", "take_apart.css"],
    main: (
      <>
        <h1>Take a token or a callback apart</h1>
        <p class="lead">
          Paste a token, the address of a callback, a key set or metadata. This page says what each part
          means, and judges it by the rules. It sends the text nowhere, and keeps it nowhere.
        </p>
        <details>
          <summary>What are these?</summary>
          <dl class="cast">
            <dt>a token</dt>
            <dd>A text that says who a person is, or that opens an API. Many begin with eyJ.</dd>
            <dt>a callback</dt>
            <dd>The address at which the browser comes back from a server, with a code or an error in it.</dd>
            <dt>a key set (JWKS)</dt>
            <dd>The public keys of a server. They show whether the server has made a token.</dd>
            <dt>metadata</dt>
            <dd>
              What a server says about itself, at <code>/.well-known/openid-configuration</code>{" "}
              below its address.
            </dd>
          </dl>
        </details>
        <noscript>
          <p class="notice">This page needs scripts, because it judges the text in your browser.</p>
        </noscript>
        <form id="take-apart">
          <p class="examples">
            Examples: {examples.map((example) => <ExampleButton key={example.name} {...example} />)}
          </p>
          <label for="pasted">Token, callback address, key set (JWKS) or metadata</label>
          <textarea id="pasted" name="pasted" rows={6} autocomplete="off" spellcheck={false} />
          <details>
            <summary>What it is compared with: issuer, client, nonce, state, keys</summary>
            <p class="aside">
              A client knows these values, and compares them. If a field is empty, the check that needs it is
              left out.
            </p>
            <div class="known">
              <Known name="issuer" label="Issuer">The address of the server, exactly.</Known>
              <Known name="audience" label="Client ID or API">For whom the token must be (aud).</Known>
              <Known name="nonce" label="nonce">What the client has sent with the login.</Known>
              <Known name="state" label="state">What the client has sent with the login.</Known>
            </div>
            <label for="keys">Keys of the server (JWKS)</label>
            <textarea id="keys" name="keys" rows={4} autocomplete="off" spellcheck={false} />
            <p class="aside">A key set or metadata that you take apart fills these fields.</p>
          </details>
          <p class="onward">
            <button type="submit" class="button primary">Take it apart</button>
            <button type="reset" class="button">Empty the form</button>
          </p>
        </form>
        <p class="notice problem" id="not-loaded" hidden>
          The judge could not be loaded. Load the page again.
        </p>
        <div id="taken-apart" aria-live="polite" />
      </>
    ),
  });
}

function ExampleButton({ name, fields }: Example): VNode {
  return (
    <button type="button" class="plain" data-example={JSON.stringify(fields)}>
      {name}
    </button>
  );
}

function Known(
  { name, label, children }: { readonly name: string; readonly label: string; readonly children: string },
): VNode {
  return (
    <div>
      <label for={name}>{label}</label>
      <input id={name} name={name} autocomplete="off" spellcheck={false} aria-describedby={`${name}-about`} />
      <p class="aside" id={`${name}-about`}>{children}</p>
    </div>
  );
}
