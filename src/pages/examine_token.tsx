/** The page that asks for the token of the control plane before a person examines an application. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { Page } from "./document.tsx";
import { controlWords } from "./words/control_english.ts";

export interface ExamineTokenProps {
  readonly path: string;
  /** The person has sent another token. */
  readonly isWrong: boolean;
  readonly homeUrl: string;
}

export function examineTokenPage({ path, isWrong, homeUrl }: ExamineTokenProps): Page {
  return {
    title: controlWords.examine.title,
    shape: "gate",
    homeUrl,
    main: (
      <>
        <h1>{controlWords.examine.heading}</h1>
        <p class="lead">{controlWords.examine.tokenAbout}</p>
        {isWrong && <p class="notice problem" id="problem">{controlWords.examine.tokenWrong}</p>}
        <form method="post" action={path}>
          <label for="token">{controlWords.examine.token}</label>
          <input
            id="token"
            name="token"
            type="password"
            autocomplete="off"
            required
            {...(isWrong ? { "aria-invalid": "true", "aria-describedby": "problem" } : {})}
          />
          <button type="submit" class="button primary" id="send-token">
            {controlWords.examine.tokenSend}
          </button>
        </form>
      </>
    ),
  };
}
