/** The change in the words of libraries, on the page of a refusal. A web page has no such part. */
/** @jsxImportSource preact */

import { type ComponentChildren, Fragment, type VNode } from "preact";
import type { RefusalProps } from "../oauth/contracts/pages.ts";
import { CopyableBlock, Fact, MarkedText, Section } from "./parts.tsx";
import { fill } from "../../ground/values/fill.ts";
import { langOfEnglish, useWords } from "./words/use_words.ts";

const english = {
  whose: "Whose fault is it?",
  ofRequest: "The application's: its code or its settings must change.",
  ofUnregistered:
    "The application and the configuration of the server do not fit together: correct the one that is wrong.",
  danger: "Is it dangerous?",
  noDanger: "No. The server issued nothing.",
  library: "What to write",
  looksLike: "The request looks like one of {library}, or of a program that is built on it. If it is, {act}:",
  write: "write this there",
  add: "add this to {into}",
  addTo: "Add {line} to {into}.",
  looksUnable:
    "The request looks like one of {library}. Use another library, or see the exception at the end of this page.",
  unable: ", which has no setting for it",
  noSetting: "It has no setting.",
  print: "{command} prints all settings for it.",
  copyLine: " the line",
  otherLibrary: "It is another library",
  libraries: "The line of each library, by language",
  unlisted:
    "Most libraries take further parameters in these calls, or have a setting, which their documentation names.",
};

type Help = NonNullable<RefusalProps["libraries"]>;

/** `children`: what helps with a library of no list. */
interface LibraryWordsProps extends Help {
  readonly printCommand: ((name: string) => string) | undefined;
  readonly children: ComponentChildren;
}

/** The line for the library that the request looks like, and those of all libraries, folded by language. */
export function LibraryWords(props: LibraryWordsProps): VNode {
  const { looksLike, parameters, languages, issuer, children } = props;
  const lang = langOfEnglish(useWords());
  if (looksLike === undefined) {
    return (
      <Section id="library" heading={english.library} lang={lang}>
        <dl class="facts">
          {parameters.map(({ request, names }) => (
            <Fact key={request} term={request}>
              <MarkedText text={names} />
            </Fact>
          ))}
        </dl>
        <p>{english.unlisted}</p>
        <Languages summary={english.libraries} languages={languages} />
      </Section>
    );
  }
  const { title, version, name, line, isMember, into, alternative, note } = looksLike;
  return (
    <Section id="library" heading={english.library} lang={lang}>
      <p>
        {fill(line === undefined ? english.looksUnable : english.looksLike, {
          library: (
            <span id="looks-like">
              <strong>{title} {version}</strong>
              {line === undefined && english.unable}
            </span>
          ),
          act: (
            <>
              {into === undefined
                ? english.write
                : fill(english.add, { into: <code id="into">{into}</code> })}
            </>
          ),
        })}
      </p>
      {line !== undefined && (
        <CopyableBlock id="line" kind={alternative?.insteadOf ?? title} what={english.copyLine}>
          {isMember ? `${line},` : line}
        </CopyableBlock>
      )}
      {alternative !== undefined && (
        <CopyableBlock id="alternative" kind={alternative.file} what={english.copyLine}>
          {alternative.line}
        </CopyableBlock>
      )}
      <p class="aside">
        {note !== undefined && <MarkedText text={`${note} `} />}
        {fill(english.print, {
          command: (
            <code>{props.printCommand?.(name) ?? `npx postern print ${name} --issuer ${issuer}`}</code>
          ),
        })}
      </p>
      <Languages summary={english.otherLibrary} languages={languages}>{children}</Languages>
    </Section>
  );
}

function Languages(
  { summary, languages, children }: Pick<Help, "languages"> & {
    readonly summary: string;
    readonly children?: ComponentChildren;
  },
): VNode {
  const { copy } = useWords();
  return (
    <details data-each={copy.action}>
      <summary>{summary}</summary>
      {children}
      {languages.map(({ language, libraries }) => (
        <details key={language}>
          <summary>
            <strong>{language}</strong> {listBriefly([...new Set(libraries.map(({ title }) => title))])}
          </summary>
          <dl class="facts">
            {/* Without further elements, as the page may have a hundred rows. */}
            {libraries.map(({ name, title, version, line, isMember, into, note }) => (
              <Fragment key={name}>
                <dt>{title} {version}</dt>
                <dd>
                  {line === undefined
                    ? <span>{english.noSetting}</span>
                    : into === undefined
                    ? <code>{line}</code>
                    : fill(english.addTo, {
                      line: <code>{line}{isMember && ","}</code>,
                      into: <code>{into}</code>,
                    })}
                  {note !== undefined && <MarkedText text={` ${note}`} />}
                </dd>
              </Fragment>
            ))}
          </dl>
        </details>
      ))}
    </details>
  );
}

const mostListed = 8;

function listBriefly(titles: readonly string[]): string {
  const others = titles.length - mostListed;
  return titles.slice(0, mostListed).join(", ") + (others > 0 ? ` and ${others} more` : "");
}

const faults: { readonly [kind: string]: string } = {
  request: english.ofRequest,
  unregistered: english.ofUnregistered,
};

/** Says where the change belongs, and that nothing has happened. */
export function WhoseChange({ kind }: { readonly kind: string }): VNode {
  return (
    <p class="aside">
      <span id="whose">
        {english.whose} {faults[kind]}
      </span>{" "}
      <span id="danger">
        {english.danger} {english.noDanger}
      </span>
    </p>
  );
}
