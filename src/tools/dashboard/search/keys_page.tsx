/** The page `/keyboard`: the keys of the pages, with the switch that turns single keys off. A script shows it as a dialog. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { Answer } from "../../../server/http/message.ts";
import { requireMethod } from "../../guard/guard.ts";
import type { Page } from "../frame/dashboard_document.tsx";
import type { PageCall } from "../page.ts";
import { englishKeys as words } from "./keys_english.ts";

export function answerKeys({ request, show }: PageCall): Answer {
  requireMethod(request, ["GET", "HEAD"]);
  return show(keysPage);
}

const keysPage: Page = {
  title: words.heading,
  shape: "sheet",
  here: "keyboard",
  scripts: ["keys_list.js"],
  styles: ["parts.css", "playground.css"],
  main: (
    <>
      <h1 id="keys-heading">{words.heading}</h1>
      <table class="keys">
        <tbody>
          {words.rows.map(([keys, action]) => (
            <tr key={action}>
              <th scope="row">{keys.map((key, at) => [at > 0 && " ", <kbd key={key}>{key}</kbd>])}</th>
              <td>{action}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <noscript>
        <p>{words.needsScript}</p>
      </noscript>
      <form method="dialog" class="keys">
        <label class="option">
          <input type="checkbox" id="keys-enabled" checked />
          {words.enabled}
        </label>
        <button type="submit" class="button">{words.close}</button>
      </form>
    </>
  ),
};
