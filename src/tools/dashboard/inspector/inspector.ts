/** Answers at `/inspector` and below: the recorded requests, live, and everything about one of them. */

import { isFromOtherSite, requireMethod, requireNoWebPage } from "../../guard/guard.ts";
import { pathAndQuery } from "../../../ground/http/address.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { foreignLinkPage } from "./foreign_link_page.tsx";
import { requireEventSource } from "../guard.ts";
import type { AnswerPage, PageCall } from "../page.ts";
import { compareTokens } from "./compare_tokens.ts";
import { exportJournal } from "./export_journal.ts";
import { openEventStream } from "./open_event_stream.ts";
import { sendAgain, showEditable } from "./send_again.ts";
import { showDiagram } from "./show_diagram.ts";
import { showExchange } from "./show_exchange.ts";
import { listValues } from "./list_values.ts";
import { showList } from "./show_list.ts";

const parts: Readonly<Record<string, (call: PageCall) => Answer | Promise<Answer>>> = {
  "": showList,
  "/events": follow,
  "/diagram": showDiagram,
  "/values": listValues,
  "/compare": compareTokens,
};

/** A page of another site could open these pages again and again, and each shows or searches the whole journal. */
function answerForeignLink(call: PageCall): Answer {
  const { request, rest, watched: { services: { settings: { issuer } } } } = call;
  // No link opens the stream, but a page of this server.
  if (rest === "/events") requireNoWebPage(request, issuer);
  return call.show(foreignLinkPage(pathAndQuery(request.address)));
}

function follow({ request, watched, streams }: PageCall): Answer {
  requireMethod(request, ["GET"]);
  requireEventSource(request);
  return openEventStream(watched, streams);
}

export const answerInspector: AnswerPage = (call) => {
  const { request, rest } = call;
  const [, id = "", again] = /^\/([\w-]{1,100})(\/again)?$/.exec(rest) ?? [];
  if (again !== undefined && request.method === "POST") return sendAgain(call, id);
  if (rest === "/export") return exportJournal(call);
  requireMethod(request, ["GET", "HEAD"]);
  if (isFromOtherSite(request)) return answerForeignLink(call);
  if (again !== undefined) return showEditable(call, id);
  return Object.hasOwn(parts, rest) ? parts[rest]!(call) : showExchange(call, id);
};
