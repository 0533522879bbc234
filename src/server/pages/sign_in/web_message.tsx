/** Parameters that a script sends to the window of the client (OAuth 2.0 Web Message Response Mode). */
/** @jsxImportSource preact */

import type { WebMessageProps } from "../../oauth/contracts/pages.ts";
import type { Page } from "../document.tsx";
import type { Words } from "../words/english.ts";
import { gatePage } from "./gate_page.tsx";

export function webMessagePage({ origin, params }: WebMessageProps, words: Words): Page {
  const { title, about } = words.webMessage;
  return gatePage(
    { title, scripts: ["web_message.js"] },
    <p class="lead">{about}</p>,
    <div id="web-message" data-origin={origin} hidden>
      {params.map(([name, value], at) => <input key={at} type="hidden" name={name} value={value} />)}
    </div>,
  );
}
