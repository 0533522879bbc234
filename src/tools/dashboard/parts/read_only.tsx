/** Says why a page changes nothing. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { PageLink } from "./pass.tsx";
import { fill } from "../../../ground/values/fill.ts";
import { englishReadOnly, type WhyReadOnly } from "./read_only_english.ts";

/** Whether the page may change the server, or what is missing. `href`: where the person types the secret. */
export type Change =
  | { readonly may: "yes" | WhyReadOnly }
  | { readonly may: "needs_token" | "needs_key"; readonly href: string };

/** What a person or a program writes to allow changes. */
const settings: Readonly<Record<WhyReadOnly, string>> = {
  needs_flag: "--control",
  needs_option: "change: true",
  never: "--control",
};

export function ReadOnly({ why }: { readonly why: WhyReadOnly }): VNode {
  return <>{fill(englishReadOnly.why[why], { setting: <code>{settings[why]}</code> })}</>;
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
    </p>
  );
}
