/** The page that asks for the key of the inspector, or for the control token. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { Page } from "../frame/dashboard_document.tsx";
import { PageLink, PassFields } from "../parts/pass.tsx";
import { englishSession as words } from "./session_english.ts";

export interface KeyFormProps {
  readonly purpose: "inspector" | "control";
  readonly action: string;
  readonly next: string;
  /** The person has sent another key. */
  readonly isWrong: boolean;
}

export function sessionPage(props: KeyFormProps): Page {
  const { heading } = words[props.purpose];
  return {
    title: heading,
    shape: "gate",
    scripts: ["key.js"],
    main: (
      <>
        <h1>{heading}</h1>
        <KeyForm {...props} />
      </>
    ),
  };
}

/** Leads on after the key to a page that is not one of the dashboard. */
export function openedPage(nextUrl: string): Page {
  return {
    title: words.opened,
    shape: "gate",
    main: (
      <>
        <h1>{words.opened}</h1>
        <p class="onward">
          <PageLink class="button primary" id="go-on" href={nextUrl}>{words.goOn}</PageLink>
        </p>
      </>
    ),
  };
}

/** The form, folded, on a page that shows less without the key. */
export function KeyDetails({ summary, ...form }: KeyFormProps & { readonly summary: string }): VNode {
  return (
    <details id="key-details">
      <summary>{summary}</summary>
      <KeyForm {...form} />
    </details>
  );
}

/** The form that sends the key. The script `key.js` fills it from the fragment of the address. */
export function KeyForm({ purpose, action, next, isWrong }: KeyFormProps): VNode {
  const { about, label, wrong, send } = words[purpose];
  return (
    <form id="key-form" method="post" action={action}>
      <input type="hidden" name="purpose" value={purpose} />
      <input type="hidden" name="next" value={next} />
      <PassFields />
      {isWrong && <p class="notice problem" id="key-problem">{wrong}</p>}
      <label for="key">{label}</label>
      <p>{about}</p>
      <input
        id="key"
        name="key"
        type="password"
        autocomplete="off"
        required
        {...(isWrong ? { "aria-invalid": "true", "aria-describedby": "key-problem" } : {})}
      />
      <button type="submit" class="button primary" id="send-key">{send}</button>
    </form>
  );
}
