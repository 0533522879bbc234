/** Compares two tokens of recorded requests. The address names each by the id of its request, and has no token. */

import { parseJwt } from "../../../ground/crypto/jwt_parts.ts";
import type { PageCall } from "../page.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { findTokens, type FoundToken } from "../../../kit/mock/journal/find_tokens.ts";
import { flowOf } from "../../../kit/mock/journal/exchange_parts.ts";
import type { JournalIndex } from "../../../kit/mock/journal/journal_index.ts";
import type { KeptEntry } from "../../../kit/mock/journal/request_list.ts";
import { showJwt } from "../../../kit/mock/journal/show_value.ts";
import { comparePage } from "./compare_page.tsx";
import { select, takeLatest } from "./selection.ts";
import type { ComparedToken } from "../parts/token_comparison.tsx";
import { describeInstant } from "../../../kit/timeline/time_text.ts";
import { englishTimeline } from "../../../kit/timeline/timeline_english.ts";
import { englishComparison } from "../parts/comparison_english.ts";
import { present } from "../../../ground/values/present.ts";

// The page offers no more, and reads no more.
const mostTokens = 100;
const mostRead = 1_000;

interface RecordedJwt extends FoundToken {
  readonly kept: KeptEntry;
}

export async function compareTokens(call: PageCall): Promise<Answer> {
  const { query, pathOf } = call;
  const selection = await select(call);
  const [chosenLeft, chosenRight] = ["left", "right"].map((side) => findJwt(query.get(side) ?? "", call));
  // Without a choice, the latest two are compared.
  const name = chosenRight?.name ?? query.get("token") ?? "id_token";
  const all = takeLatest(selection, mostRead, call).toReversed().flatMap(listJwtsOf)
    .filter(({ carriedBy }) => carriedBy === (chosenRight?.carriedBy ?? "response")).slice(0, mostTokens);
  const tokens = all.filter((token) => token.name === name);
  const chosen = query.has("right") ? chosenRight : tokens[0];
  const other = chosenLeft ?? findOther(chosen, tokens);
  // Without a choice, the earlier one is the first.
  const isLater = chosenLeft === undefined && other !== undefined &&
    tokens.indexOf(other) < tokens.findIndex(isSame(chosen));
  const [left, right] = isLater ? [chosen, other] : [other, chosen];
  const offered = new Map(
    [left, right].flatMap((token) => token === undefined ? [] : listJwtsOf(token.kept)).concat(all)
      .map((token) => [placeOf(token), token]),
  );
  const places = [...offered.keys()];
  const preselected = right && placeOf(right);
  return call.show(comparePage({
    path: pathOf("inspector"),
    line: selection.line,
    tokens: [...offered].map(([place, token]) => ({ place, name: describeRecordedJwt(token, call) })),
    ...present({
      left: left === undefined ? places.find((place) => place !== preselected) : placeOf(left),
      right: preselected,
      back: chosen?.kept.entry.id,
      compared: left && right && { left: show(left, call), right: show(right, call) },
    }),
  }));
}

function placeOf({ kept, carriedBy, name }: RecordedJwt): string {
  return writePlace(kept.entry.id, { carriedBy, name });
}

/** Returns text such as `ID.response.id_token`, which the address has. */
export function writePlace(id: string, { carriedBy, name }: Omit<FoundToken, "text">): string {
  return `${id}.${carriedBy}.${name}`;
}

function isSame(token: RecordedJwt | undefined): (other: RecordedJwt) => boolean {
  return (other) => token !== undefined && placeOf(other) === placeOf(token);
}

/** The id alone stands for the token with the name in the address. */
function findJwt(place: string, { query, watched: { index } }: PageCall): RecordedJwt | undefined {
  const [id = "", carriedBy] = place.split(".");
  const kept = index.find(id);
  return kept &&
    listJwtsOf(kept).find((token) =>
      carriedBy === undefined ? token.name === (query.get("token") ?? "id_token") : placeOf(token) === place
    );
}

function listJwtsOf(kept: KeptEntry): readonly RecordedJwt[] {
  return findTokens(kept.entry, kept.endpoint).flatMap((token) =>
    parseJwt(token.text) === undefined ? [] : [{ ...token, kept }]
  );
}

/** Returns the token before this one, else after it: of the same login, else of the person at the client, of the person, or any. */
function findOther(token: RecordedJwt | undefined, tokens: readonly RecordedJwt[]): RecordedJwt | undefined {
  const at = tokens.findIndex(isSame(token));
  if (at < 0) return undefined;
  const { clientId, subject } = token!.kept.entry.facts;
  const flow = flowOf(token!.kept);
  const others = [...tokens.slice(at + 1), ...tokens.slice(0, at).toReversed()];
  const ofPerson = others.filter(({ kept: { entry: { facts } } }) => facts.subject === subject);
  return others.find(({ kept }) => flow !== undefined && flowOf(kept) === flow) ??
    ofPerson.find(({ kept: { entry: { facts } } }) => facts.clientId === clientId) ??
    ofPerson[0] ?? others[0];
}

/** Whether an earlier request of the same login was given a JWT with this name. */
export function isBeforeIn(kept: KeptEntry, name: string, index: JournalIndex): boolean {
  const flow = flowOf(kept);
  if (flow === undefined) return false;
  const steps = index.listFlow(flow);
  return steps.slice(0, steps.lastIndexOf(kept)).slice(-mostTokens).some((each) =>
    listJwtsOf(each).some((token) => token.carriedBy === "response" && token.name === name)
  );
}

/** Returns text such as "shop · 08:00:00.123 · id_token · Refresh · alice". */
function describeRecordedJwt(
  { name, carriedBy, kept: { endpoint, entry: { receivedAt, facts } } }: RecordedJwt,
  { watched: { services } }: PageCall,
): string {
  const time = describeInstant(receivedAt, services.now());
  const token = englishComparison.of(name, carriedBy);
  const request = englishTimeline.endpoint({ endpoint, ...present({ grantType: facts.grantType }) });
  return [facts.clientId, time, token, request, facts.subject].filter((part) => part !== undefined).join(
    " · ",
  );
}

function show(token: RecordedJwt, call: PageCall): ComparedToken {
  const { seesSecrets, neverShown } = call;
  return {
    name: describeRecordedJwt(token, call),
    jwt: showJwt(token.text, { secrets: seesSecrets, neverShown })!,
  };
}
