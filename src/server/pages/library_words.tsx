/** The change in the words of libraries, on the page of a refusal. A web page has no such part. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { RefusalProps } from "../oauth/contracts/pages.ts";
import { CopyableBlock, Fact, MarkedText, Section } from "./parts.tsx";
import { fill } from "../../ground/values/fill.ts";
import { langOfEnglish, useWords } from "./words/use_words.ts";

const english = {
  whose:
    "The application sent this request, so its code or settings must change. There is no danger: the server issued nothing.",
  library: "What to write",
  looksLike: "The request looks like one of {library}. If it is, write this there:",
  looksUnable:
    "The request looks like one of {library}, which has no setting for it. Use another library, or see below what the server could be told.",
  noSetting: "It has no setting for this.",
  print: "{command} prints all settings for it.",
  copyLine: " the line",
  otherLibrary: "It is another library",
  libraries: "What to write, by library",
  unlisted:
    "Your library is not here? Most take further parameters for the authorization request and for the token request: send what is missing as these.",
};

type Help = NonNullable<RefusalProps["libraries"]>;

/** `program`: what a person types before the name of a command. */
type LibraryWordsProps = Help & { readonly program: string };

/** The line for the library that the request looks like, and those of all libraries, folded by language. */
export function LibraryWords({ looksLike, languages, program }: LibraryWordsProps): VNode {
  const lang = langOfEnglish(useWords());
  if (looksLike === undefined) {
    return (
      <Section id="library" heading={english.libraries} lang={lang}>
        <Languages languages={languages} />
      </Section>
    );
  }
  const { title, version, name, line, note } = looksLike;
  return (
    <Section id="library" heading={english.library} lang={lang}>
      <p>
        {fill(line === undefined ? english.looksUnable : english.looksLike, {
          library: <strong>{title} {version}</strong>,
        })}
      </p>
      {line !== undefined && (
        <CopyableBlock id="line" kind={title} what={english.copyLine}>{line}</CopyableBlock>
      )}
      <p class="aside">
        {note !== undefined && <MarkedText text={`${note} `} />}
        {fill(english.print, { command: <code>{program} print {name}</code> })}
      </p>
      <details>
        <summary>{english.otherLibrary}</summary>
        <Languages languages={languages} />
      </details>
    </Section>
  );
}

function Languages({ languages }: Pick<Help, "languages">): VNode {
  return (
    <>
      {languages.map(({ language, libraries }) => (
        <details key={language}>
          <summary>
            <strong>{language}</strong> {[...new Set(libraries.map(({ title }) => title))].join(", ")}
          </summary>
          <dl class="facts">
            {libraries.map(({ name, title, version, line, note }) => (
              <Fact key={name} term={`${title} ${version}`}>
                {line === undefined ? english.noSetting : <code>{line}</code>}
                {note !== undefined && (
                  <span class="aside">
                    <MarkedText text={note} />
                  </span>
                )}
              </Fact>
            ))}
          </dl>
        </details>
      ))}
      <p>{english.unlisted}</p>
    </>
  );
}

/** Says where the change belongs, and that nothing has happened. */
export function WhoseChange(): VNode {
  return <p class="aside" id="whose" lang={langOfEnglish(useWords())}>{english.whose}</p>;
}
