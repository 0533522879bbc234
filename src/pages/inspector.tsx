/** The page `/inspector`: the recorded requests. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { RecentRequest } from "../oauth/pages.ts";
import type { Page } from "./document.tsx";
import { KeyForm, type KeyFormProps } from "./session.tsx";
import type { Words } from "./words/english.ts";

export interface InspectorProps {
  /** Newest first. */
  readonly requests: readonly RecentRequest[];
  /** Present until the person has shown the key. */
  readonly keyForm?: KeyFormProps;
  readonly homeUrl: string;
}

export function inspectorPage({ requests, keyForm, homeUrl }: InspectorProps, words: Words): Page {
  return {
    title: words.inspector.heading,
    shape: "sheet",
    here: "inspector",
    homeUrl,
    ...(keyForm === undefined ? {} : { scripts: ["key.js"] }),
    main: (
      <>
        <h1>{words.inspector.heading}</h1>
        {requests.length === 0 && <p>{words.inspector.none}</p>}
        <ol id="requests">
          {requests.map(({ id, sender, call, outcome }) => (
            <li key={id}>
              {sender} <code>{call}</code> {outcome}
            </li>
          ))}
        </ol>
        {keyForm && <KeyForm {...keyForm} />}
      </>
    ),
  };
}
