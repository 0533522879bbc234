/** Examines a library, and writes its card as docs/cards and docs/api_cards keep it. */

import { gradeOf } from "../../../src/kit/examine/card/grade.ts";
import { catalogue } from "../../../src/kit/faults/catalogue.ts";
import { neverReached } from "../../../src/kit/faults/outcome.ts";
import { areaOf } from "../../../src/kit/faults/names.ts";
import {
  type Area,
  type Card,
  createMock,
  examine,
  examineApi,
  formatCard,
  type KeptCard,
  type KeptRequest,
  type KeptRow,
  type MisbehaviourName,
  misbehaviourNames,
  readCard,
} from "../../../src/kit/mod.ts";
import { present } from "../../../src/ground/values/present.ts";
import { type ExaminedApi, scopeOfApi } from "./apis.ts";
import type { ApiBeyond } from "./apis_beyond.ts";
import type { ClientBeyond } from "./clients_beyond.ts";
import { type Examined, type Leaves, withoutSecret } from "./examined.ts";

/** The card of a library. It repeats nothing that the catalogue of misbehaviours says. */
export interface LibraryCard extends Omit<KeptCard, "rows"> {
  readonly library: Required<Pick<Examined, "package" | "use" | "notes">> & Examination & {
    /** Absent in the card of an API. */
    readonly leaves?: Leaves;
  };
  readonly rows: readonly LibraryRow[];
}

export interface Examination {
  /** With its version. Absent: JavaScript. */
  readonly language?: string;
  /** Of the package. */
  readonly version: string;
  readonly date: string;
  /** The packages that do a part of its work, with their versions. */
  readonly dependencies?: string;
}

export interface LibraryRow extends Pick<KeptRow, "name" | "outcome" | "advised" | "variant"> {
  /** Absent if the client never came to the misbehaviour, or has no such phase. */
  readonly because?: string;
  /** The requests that prove a failure or an advice. */
  readonly requests?: readonly ShownRequest[];
}

/** What was sent and, if the answer was wrong, what it was. */
export type ShownRequest = Partial<Pick<KeptRequest, typeof shownMembers[number] | "answer">>;

const shownMembers = [
  "method",
  "path",
  "params",
  "status",
  "location",
  "refusal",
  "altered",
  "backChannelLogout",
] as const;

/** Areas in which an API meets the misbehaviour, and not a client. */
const ofApis: readonly Area[] = ["access_token", "introspection", "mtls"];

/** Areas in which none of the libraries is examined yet. */
const unexamined: readonly Area[] = ["device"];

/** What the library of a client is examined with. */
export function chooseForClient(leaves: Leaves): readonly MisbehaviourName[] {
  return misbehaviourNames.filter(without([...ofApis, ...unexamined, ...Object.values(leaves).flat()]));
}

/** What the library of an API is examined with. */
export function chooseForApi(omits: ExaminedApi["omits"] = []): readonly MisbehaviourName[] {
  return misbehaviourNames.filter((name) => catalogue.get(name)!.api !== undefined).filter(without(omits));
}

/** The limit of a run in seconds, which is long because a busy machine must not change a card. */
export const longRun = 60;

export async function examineLibrary(
  library: Examined,
  examination: Examination,
  within: number = longRun,
): Promise<LibraryCard> {
  const { client, options = withoutSecret, listen, leaves = {}, does = [] } = library;
  const card = await examine({
    client,
    only: chooseForClient(leaves),
    options,
    does,
    within,
    ...(listen === undefined ? {} : { listen }),
  });
  return await describeCard(card, { ...describeLibrary(library, examination), leaves });
}

export const audience = "https://api.test";

export async function examineApiLibrary(
  library: ExaminedApi,
  examination: Examination,
): Promise<LibraryCard> {
  await using as = await createMock({ time: () => Date.now() / 1000 });
  await as.listen();
  const only = chooseForApi(library.omits);
  let card: Card | undefined;
  await library.run(as, audience, async (api) => {
    card = await examineApi({ as, audience, scope: scopeOfApi, only, within: longRun, ...api });
  });
  return await describeCard(card!, describeLibrary(library, examination));
}

function describeLibrary(
  { package: name, use, notes = [] }: Pick<Examined, "package" | "use" | "notes">,
  { language, version, dependencies, date }: Examination,
): LibraryCard["library"] {
  return { package: name, ...present({ language }), version, ...present({ dependencies }), date, use, notes };
}

const without = (omits: readonly (Area | MisbehaviourName)[]) => (name: MisbehaviourName) =>
  ![name, areaOf(name)].some((part) => omits.includes(part));

/** The card that `examine` or `examine-api` wrote, as JSON. */
export function keepBeyond(
  library: ClientBeyond | ApiBeyond,
  examination: Examination,
  json: string,
): LibraryCard {
  const { rows, ...kept } = readCard(json);
  return describeKept(
    { ...kept, rows: rows.map((row) => ({ ...row, because: shortenOutput(row.because) })) },
    {
      ...describeLibrary(library, examination),
      ...("leaves" in library ? { leaves: library.leaves } : {}),
    },
  );
}

/** Leaves the line that says most, without what differs between two runs: the clock of a Go program, and ports. */
function shortenOutput(because: string): string {
  return because.replace(/\nThe last lines of its output:[^]*$/, "")
    .replaceAll(/ m=[+-][\d.]+/g, "")
    .replaceAll(/\b(localhost:|port=)\d{4,5}\b/g, "$1[port]");
}

async function describeCard(card: Card, library: LibraryCard["library"]): Promise<LibraryCard> {
  return describeKept(readCard(await formatCard(card, "json")), library);
}

function describeKept({ rows, ...kept }: KeptCard, library: LibraryCard["library"]): LibraryCard {
  return { library, ...kept, rows: rows.map((row) => keepEvidence(row, kept.phases.includes(row.phase))) };
}

/** The card says once which phases the client has. */
function keepEvidence(
  { name, outcome, advised, variant, level, because, requests }: KeptRow,
  hasPhase: boolean,
): LibraryRow {
  const grade = gradeOf({ outcome, level, ...present({ advised }) });
  const isKnown = outcome === "not_reached" && (!hasPhase || because.startsWith(neverReached));
  return {
    ...{ name, outcome, ...present({ advised, variant }) },
    ...(isKnown ? {} : { because }),
    ...((grade === "failed" || grade === "advice") && requests.length > 0
      ? { requests: requests.map(showRequest) }
      : {}),
  };
}

function showRequest(request: KeptRequest): ShownRequest {
  const names = request.altered === undefined ? shownMembers : [...shownMembers, "answer"] as const;
  return Object.fromEntries(
    names.flatMap((name) => request[name] === undefined ? [] : [[name, request[name]]]),
  );
}

/** Writes one line for each misbehaviour, so that a difference between two cards is easy to read. */
export function formatLines({ rows, ...card }: LibraryCard): string {
  const lines = rows.map((row) => `    ${JSON.stringify(row)}`);
  return `${JSON.stringify(card, null, 2).replace(/\n\}$/, "")},\n  "rows": [\n${
    lines.join(",\n")
  }\n  ]\n}\n`;
}
