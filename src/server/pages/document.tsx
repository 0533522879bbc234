/** The HTML document around every page. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { FrameLinkName, PagesTerms } from "./pages_terms.ts";
import type { AssetName, DashboardAssetName } from "./asset_names.ts";
import { Conditions, type EndedCondition } from "./conditions.tsx";
import { FrameBar } from "./frame.tsx";
import { Carrier, type PagePass, PassContext } from "./pass.tsx";
import type { Words } from "./words/english.ts";
import { fillText } from "./words/fill.ts";
import { WordsContext } from "./words/use_words.ts";

/** The parts of a page that differ from other pages. */
export interface Page {
  /** Browsers keep titles in their history, so a title must not contain a code, a token or a state. */
  readonly title: string;
  /** `gate`: a narrow page with one question. `sheet`: a wide page of information. */
  readonly shape: "gate" | "sheet";
  readonly homeUrl?: string;
  /** The link of the frame that leads to this page. */
  readonly here?: FrameLinkName;
  /** The condition of the server that a form of this page ends. */
  readonly ends?: EndedCondition | undefined;
  readonly scripts?: readonly ScriptName[];
  /** The sheets of this page besides the ones of every page. */
  readonly styles?: readonly StyleName[];
  readonly main: ComponentChildren;
}

export type ScriptName = Extract<AssetName | DashboardAssetName, `${string}.js`>;

export type StyleName = Extract<AssetName | DashboardAssetName, `${string}.css`>;

export interface DocumentTerms extends PagesTerms {
  /** The pass of a page of the dashboard. */
  readonly pass?: PagePass;
}

/** Lets a browser draw the page when all of it has arrived. Otherwise parts that it has drawn would move. */
const drawnWhole = { rel: "expect", href: "#end", blocking: "render" };

export function createDocument(
  { assetUrl, misbehaviours, lookAlikes, frame: findFrame, pass }: DocumentTerms,
): (page: Page, words: Words) => string {
  const linkStyle = (name: StyleName) => <link key={name} rel="stylesheet" href={assetUrl(name)} />;
  const head = [
    <meta key="charset" charset="utf-8" />,
    <meta key="viewport" name="viewport" content="width=device-width, initial-scale=1" />,
    <meta key="scheme" name="color-scheme" content="light dark" />,
    <meta key="robots" name="robots" content="noindex" />,
    <meta key="light" name="theme-color" media="(prefers-color-scheme: light)" content="#e8ebeb" />,
    <meta key="dark" name="theme-color" media="(prefers-color-scheme: dark)" content="#14191d" />,
    <link key="icon" rel="icon" type="image/svg+xml" href={assetUrl("postern.svg")} />,
    linkStyle("postern.css"),
    <link key="whole" {...drawnWhole} />,
  ];
  const mark = <img src={assetUrl("postern.svg")} width="32" height="32" alt="" />;
  // The element is empty at first, because screen readers announce only its changes (WCAG 2.2 §4.1.3).
  const copyStatus = <p class="status" id="copy-status" role="status" />;

  // Where the script of the pass completes the page, it starts the other scripts.
  const isCompleted = pass?.kind === "missing" || pass?.kind === "carried";
  const passScript = isCompleted && <script type="module" src={assetUrl("pass.js")} />;

  return ({ title, shape, homeUrl, here, ends, scripts: scriptNames = [], styles = [], main }, words) => {
    const frame = shape === "sheet" ? findFrame?.() : undefined;
    const brand = (
      <>
        {mark}
        <span>Postern</span>
      </>
    );
    return "<!doctype html>" + withPlainQuotes(renderToString(
      <html lang={words.language}>
        <head>
          {head}
          <title>{[title, frame?.label, "Postern"].filter((part) => part !== undefined).join(" · ")}</title>
          {shape === "gate" && linkStyle("gate.css")}
          {frame && linkStyle("dashboard.css")}
          {styles.map(linkStyle)}
          {passScript}
          {scriptNames.map((name) =>
            isCompleted
              ? <link key={name} rel="modulepreload" href={assetUrl(name)} />
              : <script key={name} type="module" src={assetUrl(name)} />
          )}
        </head>
        <PassContext.Provider value={pass}>
          <body class={frame === undefined ? shape : `${shape} framed`} {...passAttributes(pass)}>
            <a class="skip" href="#main">{words.document.skip}</a>
            <header>
              {homeUrl === undefined ? <p class="brand">{brand}</p> : (
                <p>
                  <a class="brand" href={homeUrl}>{brand}</a>
                </p>
              )}
              {frame && <FrameBar frame={frame} here={here} words={words} />}
            </header>
            {frame && <Conditions frame={frame} ends={ends} words={words} />}
            <main id="main" tabIndex={-1}>
              {frame === undefined && describeMisbehaviours(misbehaviours?.() ?? [], words)}
              {frame === undefined && describeLookAlikes(lookAlikes?.() ?? [], words)}
              <WordsContext.Provider value={words}>{main}</WordsContext.Provider>
              {scriptNames.includes("copy.js") && copyStatus}
            </main>
            <footer id="end">
              <p>{words.document.footer}</p>
            </footer>
            <Carrier />
          </body>
        </PassContext.Provider>
      </html>,
    ));
  };
}

/**
 * Writes `"` in texts, where the renderer writes `&quot;`, which takes much room in a page full of JSON. The values of
 * attributes keep it. The renderer writes each attribute in double quotes, so the pattern finds the ends of all tags.
 */
function withPlainQuotes(html: string): string {
  if (!html.includes("&quot;")) return html;
  return html.replace(/(<[^<>"]*(?:"[^"]*"[^<>"]*)*>)|&quot;/g, (_, tag?: string) => tag ?? '"');
}

/** What the script `pass.js` reads. */
function passAttributes(pass: PagePass | undefined): Readonly<Record<string, string>> {
  return {
    ...(pass === undefined ? {} : { "data-pass": pass.kind }),
    ...(pass?.kind === "carried" ? { "data-address": pass.address } : {}),
  };
}

/** Says on a page without a frame that the server is wrong on purpose. */
function describeMisbehaviours(names: readonly string[], words: Words): VNode | false {
  return names.length > 0 && (
    <p class="notice problem" id="misbehaving">
      {words.document.misbehaving} {names.map((name, at) => [at > 0 && ", ", <code key={name}>{name}</code>])}
    </p>
  );
}

/** Says on a page without a frame that the server answers as a provider does. */
function describeLookAlikes(titles: readonly string[], words: Words): VNode | false {
  return titles.length > 0 && (
    <p class="notice" id="look-alike">
      {fillText(words.document.looksLike, { providers: titles.join("; ") })}
    </p>
  );
}
