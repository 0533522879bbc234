/** Lets the server answer a recorded request again, unchanged or edited, and opens the new exchange. */

import { cancelBody } from "../../http/answer_body.ts";
import type { Answer, IncomingRequest } from "../../http/message.ts";
import { redirect } from "../../http/respond.ts";
import { ControlRefused } from "../../guard/control_refused.ts";
import { within } from "../../runtime/within.ts";
import type { PageCall } from "../page.ts";
import { editRequest } from "./editable_request.ts";

// Seconds. A gate may hold the request.
const longestWait = 5;

export async function sendAgain(call: PageCall, id: string): Promise<Answer> {
  const form = call.readChange();
  const { watched, pathOf } = call;
  const kept = watched.index.find(id);
  const { issuer } = watched.services.settings;
  const request = kept?.read().api === undefined ? kept && editRequest(kept, form, issuer) : undefined;
  if (request === undefined) {
    throw new ControlRefused("not_found", "This exchange cannot be sent again", {
      expected: "an exchange of this server that is still in the journal",
    });
  }
  const known = new Set(watched.journal.kept);
  await within(longestWait, answerQuietly(request, watched));
  const { method, address: { path, query } } = request;
  const sent = watched.journal.kept.find((each) => {
    const { request } = each.entry;
    return !known.has(each) && request.method === method && request.path === path && request.query === query;
  });
  return redirect(pathOf("inspector", sent === undefined ? "" : `/${sent.entry.id}`));
}

/** The answer is in the journal, also if the test kit drops it. */
async function answerQuietly(request: IncomingRequest, { answer }: PageCall["watched"]): Promise<void> {
  try {
    cancelBody((await answer(request)).body);
  } catch {
    // A drop or a reset ended the request.
  }
}
