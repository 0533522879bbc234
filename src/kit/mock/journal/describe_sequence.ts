/** Describes recorded requests as a sequence diagram. Each form of the diagram draws what this says. */

import type { Arrow, DiagramStep, Participant, Sequence } from "../../timeline/diagram_props.ts";
import type { ExchangeLine } from "../../timeline/exchange_props.ts";
import { describeOutcome, isFromBrowser } from "./describe_request.ts";
import { describeGrouped, groupPolls } from "./group_polls.ts";
import { splitLocation, splitPairs } from "./exchange_parts.ts";
import type { RecordedRequest } from "./recorded_request.ts";
import { present } from "../../../ground/values/present.ts";

interface SequenceOptions {
  /** The others share a participant. Default: each client and each API is one. */
  readonly mostClients?: number;
  readonly mostApis?: number;
  /** Returns what is wrong with an answer although the server did not refuse. */
  faultOf?(request: RecordedRequest): string | undefined;
}

const browser: Participant = { key: "browser", kind: "browser" };
const server: Participant = { key: "server", kind: "server" };
const unknown: Participant = { key: "unknown", kind: "unknown" };

export function describeSequence(
  requests: readonly RecordedRequest[],
  { mostClients = Infinity, mostApis = Infinity, faultOf }: SequenceOptions = {},
): Sequence {
  const clients = listParticipants("client", requests.flatMap(listClients), mostClients);
  const apis = listParticipants("api", requests.flatMap((request) => findApi(request) ?? []), mostApis);
  const clientOf = (id: string | undefined) => id === undefined ? unknown : clients.get(id)!;
  const steps = groupPolls(requests).map((grouped): DiagramStep => {
    const { request } = grouped;
    const api = findApi(request);
    const fault = faultOf?.(request);
    const isBad = request.outcome !== "ok" || request.lost === true || fault !== undefined;
    return {
      id: request.id,
      at: request.at,
      endpoint: request.endpoint,
      method: request.method,
      target: request.api ?? request.path,
      ...present({
        grantType: request.grantType,
        status: request.status,
        reason: request.refusal?.reason ?? fault,
      }),
      isBad,
      arrows: listArrows(request, {
        ...{ call: describeGrouped(grouped), clientOf, isBad },
        receiver: api === undefined ? server : apis.get(api)!,
      }),
    };
  });
  const used = new Set(steps.flatMap(({ arrows }) => arrows.flatMap(({ from, to }) => [from, to])));
  const all = new Set([browser, ...clients.values(), unknown, server, ...apis.values()]);
  return {
    participants: [...all].filter((each) => each === server || used.has(each.key)),
    steps,
  };
}

export function findFaults(lines: readonly ExchangeLine[]): (request: RecordedRequest) => string | undefined {
  const faults = new Map(lines.map(({ id, remarks }) => [id, remarks.find(({ isUnusual }) => !isUnusual)]));
  return ({ id }) => faults.get(id)?.check ?? faults.get(id)?.name;
}

/** The ones beyond `most` share the last one. */
function listParticipants(
  kind: "client" | "api",
  names: readonly string[],
  most: number,
): ReadonlyMap<string, Participant> {
  const different = [...new Set(names)];
  const others: Participant = kind === "client"
    ? { key: "other clients", kind: "other_clients" }
    : { key: "other APIs", kind: "other_apis" };
  const own = different.length <= most ? different.length : most - 1;
  return new Map(
    different.map((name, at) => [name, at < own ? { key: `${kind} ${name}`, kind, name } : others]),
  );
}

function listClients({ clientId, backChannelLogout = {} }: RecordedRequest): readonly string[] {
  return [...(clientId === undefined ? [] : [clientId]), ...Object.keys(backChannelLogout)];
}

/** Returns the host, unless the API is the server itself. */
function findApi({ endpoint, api }: RecordedRequest): string | undefined {
  return endpoint === "resource" && api !== undefined && URL.canParse(api) ? new URL(api).host : undefined;
}

function listArrows(request: RecordedRequest, { call, clientOf, isBad, receiver }: {
  readonly call: string;
  clientOf(id: string | undefined): Participant;
  readonly isBad: boolean;
  readonly receiver: Participant;
}): readonly Arrow[] {
  const client = clientOf(request.clientId);
  const sender = isFromBrowser(request) ? browser : client;
  const arrow = (from: Participant, to: Participant, arrow: Omit<Arrow, "from" | "to">): Arrow => ({
    ...arrow,
    from: from.key,
    to: to.key,
  });
  const notices = Object.entries(request.backChannelLogout ?? {}).flatMap(([id, result]) => [
    arrow(server, clientOf(id), { kind: "further", text: "back-channel logout", isBad: false }),
    arrow(clientOf(id), server, { kind: "answer", text: result, isBad: result !== "told" }),
  ]);
  const brought = isFromBrowser(request) ? findBrought(request) : undefined;
  return [
    arrow(sender, receiver, { kind: "request", text: call, isBad }),
    ...notices,
    arrow(receiver, sender, { kind: "answer", text: describeOutcome(request), isBad }),
    ...(brought === undefined
      ? []
      : [arrow(browser, client, { kind: "further", text: `brings the ${brought}`, isBad })]),
  ];
}

function findBrought({ location = "" }: RecordedRequest): "code" | "error" | undefined {
  const { query = "", fragment = "" } = splitLocation(location);
  const names = splitPairs(`${query}&${fragment}`).map(([name]) => name);
  return (["code", "error"] as const).find((name) => names.includes(name));
}
