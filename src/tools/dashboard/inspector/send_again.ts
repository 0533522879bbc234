/** Lets the server answer a recorded request again, unchanged or edited, and opens the new exchange. */

import { cancelBody } from "../../../ground/http/body.ts";
import type { Answer, IncomingRequest } from "../../../ground/http/message.ts";
import { redirect } from "../../../ground/http/respond.ts";
import { ControlRefused } from "../../guard/control_refused.ts";
import { describeExchange } from "../../../kit/mock/journal/describe_exchange.ts";
import type { KeptEntry } from "../../../kit/mock/journal/request_list.ts";
import { editPage } from "./edit_page.tsx";
import { within } from "../../../server/runtime/real_timer.ts";
import type { PageCall } from "../page.ts";
import { describeEditable, editRequest } from "./editable_request.ts";
import { fitExchange } from "./fit_exchange.ts";
import { exchangeOptionsOf } from "./selection.ts";
import { readListOptions, writeListOptions } from "./list_options.ts";

// Seconds. A gate may hold the request.
const longestWait = 5;

export async function sendAgain(call: PageCall, id: string): Promise<Answer> {
  const form = call.readChange();
  const { watched, pathOf } = call;
  const request = editRequest(find(call, id), form, watched.services.settings.issuer);
  if (request === undefined) throw cannotBeSent();
  const known = new Set(watched.journal.kept);
  await within(longestWait, answerQuietly(request, watched));
  const { method, address: { path, query } } = request;
  const sent = watched.journal.kept.find((each) => {
    const { request } = each.entry;
    return !known.has(each) && request.method === method && request.path === path && request.query === query;
  });
  return redirect(pathOf("inspector", sent === undefined ? "" : `/${sent.entry.id}`));
}

export function showEditable(call: PageCall, id: string): Answer {
  const { pathOf, query, seesSecrets, forms, show, describeChange } = call;
  const kept = find(call, id);
  const options = { ...exchangeOptionsOf(call), secrets: seesSecrets };
  const entryPath = pathOf("inspector", `/${id}`);
  const listQuery = writeListOptions(readListOptions(query));
  return show(editPage({
    shown: fitExchange(describeExchange(kept, options)),
    change: describeChange(`${entryPath}/again${listQuery}`),
    form: forms.target(`${entryPath}/again`),
    request: describeEditable(kept, options),
    entryUrl: entryPath + listQuery,
  }));
}

function find({ watched }: PageCall, id: string): KeptEntry {
  const kept = watched.index.find(id);
  if (kept === undefined || kept.read().api !== undefined) throw cannotBeSent();
  return kept;
}

function cannotBeSent(): ControlRefused {
  return new ControlRefused("not_found", "This request cannot be sent again", {
    expected: "a request to this server that is still in the journal",
  });
}

/** The answer is in the journal, also if the test kit drops it. */
async function answerQuietly(request: IncomingRequest, { answer }: PageCall["watched"]): Promise<void> {
  try {
    cancelBody((await answer(request)).body);
  } catch {
    // A drop or a reset ended the request.
  }
}
