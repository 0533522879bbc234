/** A page of the documentation: its text, what is on it, the way to the page before and after, and all other pages. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { writeDocument } from "./document.tsx";
import { relativePath, type SitePage } from "./read_pages.ts";

export interface ReadingProps {
  readonly page: SitePage;
  /** All pages with a link in the navigation, in their order. */
  readonly pages: readonly SitePage[];
  readonly before: SitePage | undefined;
  readonly after: SitePage | undefined;
}

export function writeReadingPage(props: ReadingProps): string {
  const { page } = props;
  const { path, title, part, summary, blocks } = page;
  const html = blocks.map((block) => block.html).join("");
  return writeDocument({
    path,
    title: part === undefined ? title : `${part} · ${title}`,
    description: summary,
    here: hereOf(page),
    shape: "reading",
    scripts: [
      ...(html.includes("data-matrix") ? ["matrix.js"] : []),
      ...(html.includes("data-program") ? ["run.js"] : []),
    ],
    main: (
      <>
        {part !== undefined && <PartHead page={page} />}
        <article dangerouslySetInnerHTML={{ __html: letNamesBreak(html) }} />
        {page.parts.length > 0 && <Parts page={page} />}
        <Onward {...props} />
      </>
    ),
    above: <Pages {...props} />,
    beside: <Contents page={page} />,
  });
}

/** A narrow column of a table breaks a name such as `id_token.aud_empty` between its words only, also in a link or a text. */
function letNamesBreak(html: string): string {
  return html.replace(
    /<td>.*?<\/td>/gs,
    (cell) =>
      cell.replace(
        /(<[^>]*>)([^<]*)/g,
        (_all, tag: string, text: string) =>
          tag + (/^<(?:code>|a )/.test(tag)
            ? text.replace(/(?<=\w[_.])(?=[a-z])/g, "<wbr>")
            : text.replace(/[\w.]{30,}/g, (name) => name.replace(/(?<=\w\.)(?=\w)/g, "<wbr>"))),
      ),
  );
}

function hereOf({ section, path }: SitePage): string {
  if (/^(examined|cards)/.test(path)) return "examined_clients.html";
  return section === "Reference" ? "reference.html" : "documentation.html";
}

/** The name of a page, as links show it. */
export function nameOf({ title, part }: SitePage): string {
  return part === undefined ? title : `${title}: ${part}`;
}

function PartHead({ page: { path, title, part, parts } }: { readonly page: SitePage }): VNode {
  const at = parts.findIndex((each) => each.path === path) + 1;
  return (
    <hgroup>
      <h1>{title}: {part}</h1>
      <p class="aside">
        Page {at} of {parts.length} of <a href={relativePath(path, parts[0]!.path)}>{title}</a>
      </p>
    </hgroup>
  );
}

function Parts({ page: { path, title, parts } }: { readonly page: SitePage }): VNode {
  return (
    <nav class="parts" aria-label={`The pages of ${title}`}>
      <h2>All of {title}</h2>
      <ol>
        {parts.map((each) => (
          <li key={each.path}>
            {each.path === path
              ? <b aria-current="page">{each.part ?? "Beginning"}</b>
              : <a href={relativePath(path, each.path)}>{each.part ?? "Beginning"}</a>}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Onward({ page: { path }, before, after }: ReadingProps): VNode {
  return (
    <nav class="turn" aria-label="Next and previous page">
      {before && (
        <a rel="prev" href={relativePath(path, before.path)}>
          <small>Previous</small> {nameOf(before)}
        </a>
      )}
      {after && (
        <a rel="next" href={relativePath(path, after.path)}>
          <small>Next</small> {nameOf(after)}
        </a>
      )}
    </nav>
  );
}

/** In headings. More would be a page of their own. */
const mostContents = 24;

function Contents({ page: { blocks } }: { readonly page: SitePage }): VNode | null {
  const sections = blocks.filter(({ level }) => level === 2);
  return sections.length < 2 || sections.length > mostContents
    ? null
    : (
      <nav class="contents" aria-label="On this page">
        <h2>On this page</h2>
        <ul>
          {sections.map(({ title, anchors: [anchor] }) => (
            <li key={anchor}>
              <a href={`#${anchor}`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
    );
}

/** A narrow screen has a button for them, which works without scripts. */
function Pages({ page, pages }: ReadingProps): VNode {
  const here = page.parts[0] ?? page;
  return (
    <>
      <button type="button" class="button to-pages" popovertarget="all-pages">All pages</button>
      <nav id="all-pages" class="pages" popover="auto" aria-label="All pages">
        {[...Map.groupBy(pages, ({ section }) => section)].map(([section, own]) => (
          <details key={section} open={section === page.section}>
            <summary>{section}</summary>
            <ul>
              {own.map(({ path, title }) => (
                <li key={path}>
                  <a
                    href={relativePath(page.path, path)}
                    aria-current={path === page.path ? "page" : path === here.path ? "true" : undefined}
                  >
                    {title}
                  </a>
                </li>
              ))}
            </ul>
          </details>
        ))}
      </nav>
    </>
  );
}
