/** The first page of the site: what Postern is, the command that starts it, and its three uses. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import { writeDocument } from "./document.tsx";
import { darkPicture, readPictureSize } from "./picture_size.ts";

export function writeHomePage(): string {
  return writeDocument({
    path: "index.html",
    title: "Postern",
    description: "A pocket OAuth 2.1 and OpenID Connect server for people who write clients and APIs.",
    shape: "home",
    sheets: ["home.css"],
    main: (
      <>
        <section class="opening">
          <div>
            <h1>A pocket OAuth 2.1 and OpenID&nbsp;Connect server</h1>
            <p class="lead">
              For people who write clients and APIs. It is strict, and each refusal names the broken rule. It
              can make hundreds of named mistakes on purpose, and says which ones your client missed.
            </p>
            <div class="starts">
              <Command id="start-command" kind="In a checkout, with Deno" what="the command for Deno">
                deno task start
              </Command>
              <Command id="start-with-node" kind="With nothing but Node" what="the command for Node">
                npx -y deno task start
              </Command>
            </div>
            <p class="onward">
              <a class="button primary" href="try.html">Try it here</a>
              <a class="button" href="start.html">Start and install</a>
            </p>
          </div>
        </section>
        <section class="seen" aria-label="What you see">
          <Picture
            name="refused"
            alt="An entry of the inspector: a refused login, with what to change, what was expected, and the rule."
          >
            Each refused request says what to change, what was expected, and which rule says so.
          </Picture>
          <Picture
            name="exchanged"
            alt="After a login: an ID token, with the meaning of each claim, and the checks that it passed."
          >
            A login without a client: exchange the code, and read each token.
          </Picture>
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

function Command({ id, kind, what, children }: {
  readonly id: string;
  readonly kind: string;
  readonly what: string;
  readonly children: string;
}): VNode {
  return (
    <div class="block">
      <p class="bar">
        <span>{kind}</span>
        <button type="button" class="copy" hidden data-copy={id}>
          Copy<span class="unseen">{what}</span>
        </button>
      </p>
      <pre id={id} tabIndex={0}><code>{children}</code></pre>
    </div>
  );
}

interface PictureProps {
  readonly name: string;
  readonly alt: string;
  readonly children: ComponentChildren;
}

/** A picture of the documentation. It leads to itself, because a small screen shows it too small to read. */
function Picture({ name, alt, children }: PictureProps): VNode {
  const file = `pictures/${name}.webp`;
  return (
    <figure>
      <a href={file}>
        <picture>
          <source media="(prefers-color-scheme: dark)" srcset={darkPicture(file)} />
          <img src={file} alt={alt} {...readPictureSize(`docs/${file}`)} />
        </picture>
      </a>
      <figcaption>{children}</figcaption>
    </figure>
  );
}
