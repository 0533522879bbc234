/** Parameters that a script sends to the window of the client (OAuth 2.0 Web Message Response Mode). */
/** @jsxImportSource preact */

import type { WebMessageProps } from "../../oauth/contracts/pages.ts";
import type { Page } from "../document.tsx";
import type { Words } from "../words/english.ts";

export function webMessagePage({ origin, params }: WebMessageProps, words: Words): Page {
  return {
    title: words.webMessage.title,
    shape: "gate",
    scripts: ["web_message.js"],
    main: (
      <>
        <h1>{words.webMessage.title}</h1>
        <p class="lead">{words.webMessage.about}</p>
        <div id="web-message" data-origin={origin} hidden>
          {params.map(([name, value], at) => <input key={at} type="hidden" name={name} value={value} />)}
        </div>
      </>
    ),
  };
}
