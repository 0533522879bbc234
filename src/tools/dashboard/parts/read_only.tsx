/** Says why a page changes nothing. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { PageLink } from "./pass.tsx";
import { Copyable } from "../../../server/pages/parts.tsx";
import { fill } from "../../../ground/values/fill.ts";
import { englishReadOnly, type WhyReadOnly } from "./read_only_english.ts";

/** Whether the page may change the server, or what is missing. `href`: where the person types the secret. */
export type Change =
  | { readonly may: "yes" | Exclude<WhyReadOnly, "needs_flag"> }
  | { readonly may: "needs_flag"; readonly command: string }
  | { readonly may: "needs_token" | "needs_key"; readonly href: string };

/** The scripts of the note. */
export function scriptsOf(change: Change): readonly "copy.js"[] {
  return "command" in change ? ["copy.js"] : [];
}

export function ReadOnly({ why }: { readonly why: WhyReadOnly }): VNode {
  // What a person or a program writes to allow changes.
  const setting = why === "needs_option" ? "change: true" : "--control";
  return <>{fill(englishReadOnly.why[why], { setting: <code>{setting}</code> })}</>;
}

export function ReadOnlyNote({ change }: { readonly change: Change }): VNode | null {
  const { secret } = englishReadOnly;
  return change.may === "yes" ? null : (
    <p class="notice" id="read-only">
      {"href" in change
        ? fill(secret.needed, {
          link: <PageLink id="give-token" href={change.href}>{secret.type[change.may]}</PageLink>,
        })
        : <ReadOnly why={change.may} />}
      {"command" in change && (
        <>
          {" "}
          <Copyable id="with-control" value={change.command} what={englishReadOnly.copyWhat} />
        </>
      )}
    </p>
  );
}
