/** The journal as a file: HTML, HAR, JSON lines, Mermaid or text. The name of the file says whether it is redacted. */

import type { Answer } from "../../../ground/http/message.ts";
import { ControlRefused } from "../../guard/control_refused.ts";
import { formatHtmlTimeline, mostInHtmlFile } from "../../../kit/mock/journal/html_timeline.ts";
import {
  formatTimeline,
  type TextTimelineForm,
  type TimelineForm,
} from "../../../kit/mock/journal/timeline.ts";
import { download } from "../download.ts";
import { requireMethod } from "../../guard/guard.ts";
import type { PageCall } from "../page.ts";
import { requireSecrets } from "../permission.ts";
import { exchangeOptionsOf, requireSearched, select, takeLatest } from "./selection.ts";

const files: Readonly<Record<TimelineForm, { readonly type: string; readonly ending: string }>> = {
  html: { type: "text/html; charset=utf-8", ending: "html" },
  har: { type: "application/json", ending: "har" },
  jsonl: { type: "application/jsonl", ending: "jsonl" },
  mermaid: { type: "text/vnd.mermaid; charset=utf-8", ending: "mmd" },
  text: { type: "text/plain; charset=utf-8", ending: "txt" },
};

export async function exportJournal(call: PageCall): Promise<Answer> {
  const { request, query } = call;
  requireMethod(request, ["GET", "HEAD", "POST"]);
  requireSecrets(call);
  const form = query.get("form") ?? "html";
  const file = Object.hasOwn(files, form) ? files[form as TimelineForm] : undefined;
  if (file === undefined) {
    throw new ControlRefused("invalid_request", "There is no such format", {
      place: "form",
      expected: Object.keys(files).join(", "),
    });
  }
  const wantsSecrets = query.get("secrets") === "true";
  if (wantsSecrets && form !== "html") {
    throw new ControlRefused("access_denied", "Only the HTML file may have secrets", {
      expected: "form=html",
    });
  }
  const name = `requests${wantsSecrets ? "" : ".redacted"}.${file.ending}`;
  return download(name, file.type, await write(call, form as TimelineForm, wantsSecrets), {
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  });
}

async function write(call: PageCall, form: TimelineForm, secrets: boolean): Promise<string> {
  const options = exchangeOptionsOf(call);
  const selection = await select(call);
  requireSearched(selection);
  const entries = takeLatest(selection, form === "html" ? mostInHtmlFile : Infinity, call);
  const dropped = selection.groups.count - entries.length +
    (selection.filter.selects === "everything" ? call.watched.journal.requests.dropped : 0);
  if (form === "html") return formatHtmlTimeline(entries, { ...options, secrets, dropped });
  return formatTimeline(entries.map((each) => each.read()), form satisfies TextTimelineForm, {
    origin: new URL(options.issuer).origin,
    dropped,
  });
}
