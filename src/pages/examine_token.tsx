/** The page that asks for the token of the control plane before a person examines an application. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { Page } from "./document.tsx";
import { words } from "./words/english.ts";

export interface ExamineTokenProps {
  readonly path: string;
  /** The person has sent another token. */
  readonly isWrong: boolean;
  readonly homeUrl: string;
}

export function examineTokenPage({ path, isWrong, homeUrl }: ExamineTokenProps): Page {
  return {
    title: words.examine.title,
    shape: "gate",
    homeUrl,
    main: (
      <>
        <h1>{words.examine.heading}</h1>
        <p class="lead">{words.examine.tokenAbout}</p>
        {isWrong && <p class="notice problem" id="problem">{words.examine.tokenWrong}</p>}
        <form method="post" action={path}>
          <label for="token">{words.examine.token}</label>
          <input
            id="token"
            name="token"
            type="password"
            autocomplete="off"
            required
            {...(isWrong ? { "aria-invalid": "true", "aria-describedby": "problem" } : {})}
          />
          <button type="submit" class="button primary" id="send-token">{words.examine.tokenSend}</button>
        </form>
      </>
    ),
  };
}
