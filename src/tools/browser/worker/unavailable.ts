/** What a service worker answers while the browser gives it no storage. */

import type { Answer } from "../../../ground/http/message.ts";
import { json, page } from "../../../ground/http/respond.ts";
import type { StoreUnavailable } from "../../../server/store/store.ts";

const title = "This browser gives the server no storage";

/** The reason comes from the browser, and has no secret. */
export function answerUnavailable(request: Request, { message }: StoreUnavailable): Answer {
  if (request.mode !== "navigate") {
    const error_description = `${title}. ${message}`;
    return json({ error: "temporarily_unavailable", error_description }, { status: 503 });
  }
  const text = message.replaceAll(/[<>&"]/g, (each) => `&#${each.charCodeAt(0)};`);
  return page(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<title>${title}</title><main><h1>${title}</h1><p>${text}</p>` +
      `<p>Nothing was changed. Then load this page again.</p></main></html>`,
    { status: 503 },
  );
}
