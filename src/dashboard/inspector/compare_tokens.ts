/** Compares the tokens of two recorded requests. The address has the ids of the requests and the name of the token. */

import type { PageCall } from "../page.ts";
import type { Answer } from "../../http/message.ts";
import { findTokens } from "../../mock/journal/find_tokens.ts";
import type { KeptEntry } from "../../mock/journal/request_list.ts";
import { showJwt } from "../../mock/journal/show_value.ts";
import { type CompareEntry, comparePage } from "../../pages/inspector/compare_page.tsx";
import type { ComparedToken } from "../../pages/token/token_comparison.tsx";
import { describeMoment } from "../../pages/time_text.ts";
import { englishToken } from "../../pages/words/token_english.ts";
import { present } from "../../present.ts";

// The page offers no more, and reads no more.
const mostEntries = 50;
const mostRead = 1_000;

export function compareTokens(call: PageCall): Answer {
  const { query, watched: { index }, pathOf } = call;
  const token = /^\w{1,40}$/.exec(query.get("token") ?? "")?.[0] ?? "id_token";
  const entries = listEntries(token, call);
  // Without ids, the latest two are compared.
  const right = query.has("right") ? index.find(query.get("right")!) : entries[0];
  const left = index.find(query.get("left") ?? "") ?? findBefore(right, entries);
  const shown = [left, right].map((kept) => kept && showToken(kept, token, call));
  const [first, second] = shown;
  return call.show(comparePage({
    path: pathOf("inspector"),
    token,
    entries: entries.map(({ entry }): CompareEntry => ({
      id: entry.id,
      name: [describeMoment(entry.receivedAt), entry.facts.clientId, entry.facts.subject]
        .filter((part) => part !== undefined).join(" · "),
    })),
    ...present({
      left: left?.entry.id,
      right: right?.entry.id,
      compared: first && second && { left: first, right: second },
    }),
  }));
}

/** Returns the latest requests that have this token, the latest first. */
function listEntries(token: string, { watched: { index } }: PageCall): readonly KeptEntry[] {
  const found: KeptEntry[] = [];
  let read = 0;
  for (const kept of index.latest()) {
    if (found.length >= mostEntries || read++ >= mostRead) break;
    if (findTokens(kept.entry).has(token)) found.push(kept);
  }
  return found;
}

/** Returns the request before this one that has such a token, if possible of the same client. */
function findBefore(kept: KeptEntry | undefined, entries: readonly KeptEntry[]): KeptEntry | undefined {
  const at = entries.findIndex(({ entry }) => entry.id === kept?.entry.id);
  if (kept === undefined || at < 0) return undefined;
  const earlier = entries.slice(at + 1);
  const { clientId } = kept.entry.facts;
  return earlier.find(({ entry }) => entry.facts.clientId === clientId) ?? earlier[0];
}

function showToken(
  { entry }: KeptEntry,
  token: string,
  { seesSecrets, neverShown }: PageCall,
): ComparedToken | undefined {
  const text = findTokens(entry).get(token);
  const jwt = text === undefined ? undefined : showJwt(text, { secrets: seesSecrets, neverShown });
  return jwt && { name: englishToken.compare.at(token, describeMoment(entry.receivedAt)), jwt };
}
