/** The first page of the site: what Postern is, the command that starts it, and its three uses. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { writeDocument } from "./document.tsx";

export function writeHomePage(): string {
  return writeDocument({
    path: "index.html",
    title: "Postern",
    description: "A pocket OAuth 2.1 and OpenID Connect server for people who write clients and APIs.",
    shape: "home",
    main: (
      <>
        <section class="opening">
          <div>
            <h1>A pocket OAuth 2.1 and OpenID&nbsp;Connect server</h1>
            <p class="lead">
              For people who write clients and APIs. It is strict, and each refusal names the broken rule. It
              can make hundreds of named mistakes on purpose, and says which ones your client missed.
            </p>
            <div class="block">
              <p class="bar">
                <span>In a checkout, with Deno</span>
                <button type="button" class="copy" hidden data-copy="start-command">
                  Copy<span class="unseen">the command</span>
                </button>
              </p>
              <pre id="start-command" tabIndex={0}><code>deno task start</code></pre>
            </div>
            <p class="onward">
              <a class="button primary" href="try.html">Try it here</a>
              <a class="button" href="start.html">Start and install</a>
            </p>
          </div>
          <Refusal />
        </section>
        <section aria-labelledby="uses">
          <h2 id="uses">Three uses</h2>
          <ul class="uses">
            <li>
              <h3>
                <a href="start.html#try-your-client">Try a client</a>
              </h3>
              <p>
                One command, no configuration: any client on your machine can sign alice in. Look at each
                request, and at the reason why one was refused.
              </p>
            </li>
            <li>
              <h3>
                <a href="test_a_login.html">Test a login</a>
              </h3>
              <p>
                One function makes the server inside your test, in memory, with a clock that you turn. On
                Deno, Node and Bun, and from any language over HTTP.
              </p>
            </li>
            <li>
              <h3>
                <a href="examine_a_client.html">Examine a client</a>
              </h3>
              <p>
                Hundreds of ways in which a server can be wrong, each with its rule. A card says which ones
                your client notices, and what to mend.
              </p>
            </li>
          </ul>
        </section>
        <section aria-labelledby="more">
          <h2 id="more">Look around</h2>
          <ul class="uses">
            <li>
              <h3>
                <a href="take_apart.html">Take a token apart</a>
              </h3>
              <p>
                Paste a token, a callback, a key set or metadata. This page judges it, and sends it nowhere.
              </p>
            </li>
            <li>
              <h3>
                <a href="examined_clients.html">Examined clients</a>
              </h3>
              <p>What well-known libraries do when the server is wrong, with the requests that prove it.</p>
            </li>
            <li>
              <h3>
                <a href="documentation.html">Documentation</a>
              </h3>
              <p>
                One page for each task, and each program runs as it is written. Press <kbd>/</kbd> to search.
              </p>
            </li>
          </ul>
        </section>
      </>
    ),
  });
}

const example = {
  start: "12:03:46  ",
  request: "  POST  /oauth2/token  my-app\n  ",
  reason: [
    "\n  The code_verifier is missing",
    "",
    "  rule      RFC 7636 §4.5",
    "  expected  the code_verifier whose",
    "            hash was the code_challenge",
  ].join("\n"),
};

/** What a person sees first who makes a mistake. */
function Refusal(): VNode {
  return (
    <figure class="block">
      <figcaption class="bar">What your client did wrong, in the terminal</figcaption>
      <pre tabIndex={0}><code>
        {example.start}
        <b>400</b>
        {example.request}
        <em>✗ invalid_grant (verifier_missing)</em>
        {example.reason}
      </code></pre>
    </figure>
  );
}
