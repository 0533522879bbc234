/** The page on which people try a server that runs in their browser. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import { writeDocument } from "./document.tsx";

export function writeTryPage(): string {
  return writeDocument({
    path: "try.html",
    title: "Try it here",
    description: "A server in this page, and a client that signs in to it.",
    here: "try.html",
    main: (
      <article>
        <h1>Try it here</h1>
        <p>
          This version of the site has no server in the page. On your machine, one command starts it, with the
          same pages:
        </p>
        <div class="block">
          <p class="bar">
            <span>terminal</span>
            <button type="button" class="copy" hidden data-copy="start-command">
              Copy<span class="unseen">the command</span>
            </button>
          </p>
          <pre id="start-command" tabIndex={0}><code>deno task start</code></pre>
        </div>
        <p>
          Then{" "}
          <a href="try_a_flow.html">try a flow</a>: sign in as alice, exchange the code, refresh, and replay
          the code to see why it works once.
        </p>
      </article>
    ),
  });
}
