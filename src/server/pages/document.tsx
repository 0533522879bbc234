/** The HTML document around every page. */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { AssetName } from "./asset_names.ts";
import type { PagesOptions, ScriptFile, StyleFile } from "./pages_options.ts";
import { english, type Words } from "./words/english.ts";
import { fillText } from "../../ground/values/fill.ts";
import { langOfEnglish, WordsContext } from "./words/use_words.ts";
import { present } from "../../ground/values/present.ts";

/** The names of sheets and scripts below `/static/`. */
export type PageFile = ScriptFile | StyleFile;

export type ServerFile = Extract<AssetName, PageFile>;

/** The parts of a page that differ from other pages. `File` names the files that it may load. */
export interface Page<File extends PageFile = ServerFile> {
  /** Browsers keep titles in their history, so a title must not contain a code, a token or a state. */
  readonly title: string;
  /** `gate`: a narrow page with one question. `sheet`, the default: a wide page of information. */
  readonly shape?: "gate" | "sheet";
  readonly homeUrl?: string;
  /** The place of this page in the frame: the name of the link that leads here, or its own name. Absent: it has no keys. */
  readonly here?: string;
  readonly scripts?: readonly Extract<File, ScriptFile>[];
  /** The sheets of this page besides the ones of every page, and those of the frame. */
  readonly styles?: readonly Extract<File, StyleFile>[];
  readonly main: ComponentChildren;
}

export interface DocumentOptions extends PagesOptions {
  /** A script that completes the page, and starts its other scripts then. */
  readonly firstScript?: ScriptFile;
  /** Attributes of the body, which scripts read. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** What stands after the footer. */
  readonly end?: VNode;
}

/** Lets a browser draw the page when all of it has arrived. Otherwise parts that it has drawn would move. */
const drawnWhole = { rel: "expect", href: "#end", blocking: "render" };

export function createDocument(
  { assetUrl, misbehaviours, lookAlikes, frame: findFrame, firstScript, attributes = {}, end }:
    DocumentOptions,
): (page: Page<PageFile>, words?: Words) => string {
  const linkStyle = (name: StyleFile) => <link key={name} rel="stylesheet" href={assetUrl(name)} />;
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
  return (page, words = english) => {
    const { title, shape = "sheet", homeUrl, here, scripts: scriptNames = [], styles = [], main } = page;
    const frame = shape === "sheet" ? findFrame?.() : undefined;
    // A script may insert a part with copy buttons into a page of the dashboard.
    const copies = frame !== undefined || scriptNames.includes("copy.js");
    // The element is empty at first, because screen readers announce only its changes (WCAG 2.2 §4.1.3).
    const copyStatus = (
      <p
        class="status"
        id="copy-status"
        role="status"
        lang={langOfEnglish(words)}
        data-done={words.copy.done}
        data-failed={words.copy.failed}
      />
    );
    const Brand = homeUrl === undefined ? "p" : "a";
    return "<!doctype html>" + withPlainQuotes(renderToString(
      <html lang={words.language}>
        <head>
          {head}
          <title>{[title, frame?.label, "Postern"].filter((part) => part !== undefined).join(" · ")}</title>
          {shape === "gate" && linkStyle("gate.css")}
          {frame?.styles.map(linkStyle)}
          {styles.map(linkStyle)}
          {firstScript !== undefined && <script type="module" src={assetUrl(firstScript)} />}
          {[...scriptNames, ...here === undefined ? [] : frame?.scripts ?? []].map((name) =>
            firstScript === undefined
              ? <script key={name} type="module" src={assetUrl(name)} />
              : <link key={name} rel="modulepreload" href={assetUrl(name)} />
          )}
        </head>
        <WordsContext.Provider value={words}>
          <body
            class={frame === undefined ? shape : `${shape} framed`}
            {...attributes}
          >
            <a class="skip" href="#main">{words.document.skip}</a>
            <header>
              <Brand class="brand" {...present({ href: homeUrl !== undefined ? homeUrl : undefined })}>
                {mark}
                <span>Postern</span>
              </Brand>
              {frame?.bar(here)}
            </header>
            {frame?.conditions()}
            <main id="main" tabIndex={-1}>
              {frame === undefined && describeMisbehaviours(misbehaviours?.() ?? [], words)}
              {frame === undefined && describeLookAlikes(lookAlikes?.() ?? [], words)}
              {main}
              {copies && copyStatus}
            </main>
            <footer id="end">
              {here !== undefined && frame?.keys()}
              <p>{words.document.footer}</p>
            </footer>
            {end}
          </body>
        </WordsContext.Provider>
      </html>,
    ));
  };
}

/** Writes `"` in texts, because `&quot;` takes much room in JSON. All attributes are in double quotes. */
function withPlainQuotes(html: string): string {
  if (!html.includes("&quot;")) return html;
  return html.replace(/(<[^<>"]*(?:"[^"]*"[^<>"]*)*>)|&quot;/g, (_, tag?: string) => tag ?? '"');
}

function describeMisbehaviours(names: readonly string[], words: Words): VNode | false {
  return names.length > 0 && (
    <p class="notice problem" id="misbehaving">
      {words.document.misbehaving} {names.map((name, at) => [at > 0 && ", ", <code key={name}>{name}</code>])}
    </p>
  );
}

function describeLookAlikes(titles: readonly string[], words: Words): VNode | false {
  return titles.length > 0 && (
    <p class="notice" id="look-alike">
      {fillText(words.document.looksLike, { providers: titles.join("; ") })}
    </p>
  );
}
