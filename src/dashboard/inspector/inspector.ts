/** Answers at `/inspector` and below: the recorded requests, live, and everything about one of them. */

import type { Answer } from "../../http/message.ts";
import { requireEventSource, requireMethod } from "../guard.ts";
import type { AnswerPage, PageCall } from "../page.ts";
import { openEventStream } from "./open_event_stream.ts";
import { exportJournal } from "./export_journal.ts";
import { sendAgain } from "./send_again.ts";
import { showDiagram } from "./show_diagram.ts";
import { showExchange } from "./show_exchange.ts";
import { showList } from "./show_list.ts";

const parts: Readonly<Record<string, (call: PageCall) => Answer | Promise<Answer>>> = {
  "": showList,
  "/events": follow,
  "/diagram": showDiagram,
  "/export": exportJournal,
};

function follow({ request, watched, streams }: PageCall): Answer {
  requireMethod(request, ["GET"]);
  requireEventSource(request);
  return openEventStream(watched, streams);
}

export const answerInspector: AnswerPage = (call) => {
  const { request, rest } = call;
  const [, id = "", isSend] = /^\/([\w-]{1,100})(\/again)?$/.exec(rest) ?? [];
  if (isSend !== undefined) {
    requireMethod(request, ["POST"]);
    return sendAgain(call, id);
  }
  requireMethod(request, ["GET", "HEAD"]);
  return Object.hasOwn(parts, rest) ? parts[rest]!(call) : showExchange(call, id);
};
