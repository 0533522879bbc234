/** The notice of a form whose last attempt failed: what was wrong, and how long to wait. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { fillText, formatCount } from "../../../ground/values/fill.ts";
import { useWords } from "../words/use_words.ts";

/** A page with a problem answers a POST, so `address` is where GET shows it again. */
export function ProblemNotice<Kind extends string>({ problem, texts, address }: {
  readonly problem: { readonly kind: Kind } | { readonly kind: Kind; readonly secondsToWait: number };
  readonly texts: Readonly<Record<Kind, string>>;
  readonly address: string | undefined;
}): VNode {
  const words = useWords();
  const text: string = texts[problem.kind];
  return (
    <p class="notice problem" id="problem" role="alert" data-address={address}>
      {"secondsToWait" in problem
        ? fillText(text, { seconds: formatCount(problem.secondsToWait, "second", words) })
        : text}
    </p>
  );
}
