/** The HTML document around every page of the site. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { english } from "../../src/server/pages/words/english.ts";
import { relativePath } from "./read_pages.ts";

export interface DocumentProps {
  /** The address of the page below the root of the site. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** The link of the bar that is marked. */
  readonly here?: string;
  /** Scripts and sheets besides those of every page. */
  readonly scripts?: readonly string[];
  readonly sheets?: readonly string[];
  readonly shape?: string;
  /** What stands above the main part, or beside it where there is room. */
  readonly above?: ComponentChildren;
  readonly main: ComponentChildren;
  /** What stands beside the main part. */
  readonly beside?: ComponentChildren;
}

/** No inline script or style, and no other origin. */
const policy = [
  "default-src 'none'",
  ...["script-src", "style-src", "img-src", "connect-src", "frame-src", "worker-src"].map((name) =>
    `${name} 'self'`
  ),
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const links = [
  ["documentation.html", "Documentation"],
  ["reference.html", "Reference"],
  ["examined_clients.html", "Examined clients"],
  ["take_apart.html", "Take apart"],
  ["try.html", "Try it here"],
] as const;

export function writeDocument(props: DocumentProps): string {
  return `<!doctype html>\n${renderToString(<Document {...props} />)}\n`;
}

const drawnAfter = { blocking: "render" };

function Document(
  { path, title, description, here, scripts = [], sheets = [], shape = "", above, main, beside }:
    DocumentProps,
): VNode {
  const to = (target: string) => relativePath(path, target);
  return (
    <html lang="en" data-root={relativePath(path, ".") || "."}>
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policy} />
        <meta name="referrer" content="no-referrer" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="description" content={description} />
        <title>{title === "Postern" ? title : `${title} · Postern`}</title>
        <link rel="icon" type="image/svg+xml" href={to("assets/postern.svg")} />
        {["postern.css", "site.css", ...sheets].map((name) => (
          <link key={name} rel="stylesheet" href={to(`assets/${name}`)} />
        ))}
        {/* A row that comes late may change the widths of a table, so the page is drawn when its end is there. */}
        <link rel="expect" href="#copy-status" {...drawnAfter} />
        <script defer src={to("assets/site.js")} />
        {/* They change what the page has, so it is drawn afterwards. */}
        {scripts.map((name) => <script key={name} defer {...drawnAfter} src={to(`assets/${name}`)} />)}
      </head>
      <body class={`site ${shape}`.trim()}>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <a class="brand" href={to("index.html")}>
            <img src={to("assets/postern.svg")} width="32" height="32" alt="" />
            <span>Postern</span>
          </a>
          <nav id="site" popover="auto" aria-label="Site">
            {links.map(([target, text]) => (
              <a key={target} href={to(target)} aria-current={here === target ? "page" : undefined}>{text}</a>
            ))}
          </nav>
          <Search />
          <button type="button" class="button menu" popovertarget="site">Menu</button>
        </header>
        <div class="around">
          {above}
          <main id="main" tabIndex={-1}>{main}</main>
          {beside}
        </div>
        <footer>
          <p>
            Postern, a pocket OAuth 2.1 and OpenID Connect server. This site asks no other server and sets no
            cookie.
          </p>
        </footer>
        <p
          class="status"
          id="copy-status"
          role="status"
          data-done={english.copy.done}
          data-failed={english.copy.failed}
        />
      </body>
    </html>
  );
}

/** Shown where scripts run. */
function Search(): VNode {
  return (
    <form role="search" id="search">
      <input
        type="search"
        id="search-words"
        aria-label="Search"
        autoComplete="off"
        placeholder="Search  /"
      />
      <div id="search-found" role="listbox" aria-label="Found" hidden />
      <p id="search-count" class="unseen" role="status" />
    </form>
  );
}
