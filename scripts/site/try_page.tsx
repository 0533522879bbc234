/** The page on which people try a server that runs in their browser. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import { writeDocument } from "./document.tsx";

export function writeTryPage(): string {
  return writeDocument({
    path: "try.html",
    title: "Try it here",
    description: "An authorization server in this page, and a client that signs alice in.",
    here: "try.html",
    scripts: ["try.js"],
    sheets: ["try.css"],
    framed: ["postern.css", "gate.css", "sheet.css", "parts.css"],
    main: (
      <>
        <h1>Try it here</h1>
        <p class="lead">
          An authorization server runs in this page, and so does its client, a shop. Sign alice in, follow the
          code, and see what each of them knows. Nothing leaves your browser.
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
        <p class="notice problem" id="not-started" hidden>
          The server could not be started. This page needs a browser of 2024 or later, on https or on
          localhost.
        </p>
        <p>
          <button type="button" class="button primary" id="start-server" hidden>
            Start the server in this page
          </button>
        </p>
        <div id="try">
          <ol class="plan">
            <li>Sign in, and see what travels through the browser.</li>
            <li>Exchange the code for tokens.</li>
            <li>Refresh the tokens.</li>
            <li>Send the code again: why does a code work once?</li>
            <li>Turn the clock until a token expires.</li>
            <li>Let the server be wrong, and compare a naive client with a careful one.</li>
          </ol>
          <p class="aside">
            Beside each step you see what the server saw. The server is a script of about 0.9 MB.
          </p>
        </div>
      </>
    ),
  });
}
