/** The page on which people try a server that runs in their browser. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import { writeDocument } from "./document.tsx";
import { plan } from "./try/plan.ts";

export function writeTryPage(): string {
  return writeDocument({
    path: "try.html",
    title: "Try it here",
    description: "Sign alice in to a shop, step by step, at a server that runs in your browser.",
    here: "try.html",
    scripts: ["try.js"],
    sheets: ["try.css"],
    main: (
      <>
        <h1>Try it here</h1>
        <p class="lead">
          A shop wants to know who you are, and may not see your password. So it asks a server that knows you.
          Here you play it through: sign alice in to the shop, and look at everything that passes between the
          two. Both run in your browser, and nothing leaves it.
        </p>
        <noscript>
          <p class="notice">This page needs scripts: the server is one.</p>
        </noscript>
        <p class="notice" id="as-file" hidden>
          A page that is opened as a file cannot start a server. Serve the folder of the site by any file
          server, for example with <code>npx serve</code>, and open this page there. Or run{" "}
          <code>deno task start</code>, which starts the real server, and{" "}
          <a href="try_a_flow.html">try a flow</a>.
        </p>
        <div class="notice problem" id="not-started" role="alert" hidden>
          <p>
            <b>The server could not be started.</b> <span class="reason" />
          </p>
          <p>
            It is a service worker of this site. It needs a browser of 2024 or later, a usual window and not a
            private one, and a page on https or on localhost.
          </p>
        </div>
        <p>
          <button type="button" class="button primary" id="start-server" hidden>
            Start the server in this browser
          </button>
        </p>
        <details id="words" open>
          <summary>The words</summary>
          <dl class="cast">
            <dt>alice</dt>
            <dd>A person. You play her.</dd>
            <dt>the shop</dt>
            <dd>
              An application that asks who she is, here this page. OAuth calls it the <i>client</i>.
            </dd>
            <dt>the server</dt>
            <dd>
              It knows alice, and asks her whether the shop may know her, too. OAuth calls it the{" "}
              <i>authorization server</i>.
            </dd>
            <dt>a code</dt>
            <dd>A short text that the browser carries from the server to the shop.</dd>
            <dt>a token</dt>
            <dd>
              A text that the shop gets for the code. It says who alice is, or opens something in her name.
            </dd>
          </dl>
        </details>
        <div id="try">
          <ol class="plan">
            {plan.map((step) => <li key={step}>{step}</li>)}
          </ol>
          <p class="aside">Beside the steps, a page of the server shows each request that it got.</p>
        </div>
      </>
    ),
  });
}
