/** The names of schemas in the OpenAPI document. */

import type { Schema } from "../../ground/schema/schema.ts";
import { clientDocument } from "./client_document_routes.ts";
import { clock } from "./clock_routes.ts";
import { client, itemsOf, listedClient, listedPerson, person } from "./directory_routes.ts";
import { gate, gateKind } from "./gate_routes.ts";
import { tokens } from "./given_tokens.ts";
import { hook, hookName } from "./hook_routes.ts";
import { lookAlike } from "./look_alike_routes.ts";
import { otherAddress } from "./other_address_routes.ts";
import { requestList, timelineForm } from "./journal_routes.ts";
import { journalEntry, recordedRequest, refusal } from "./recorded_request_schema.ts";
import {
  resource,
  resourceAnswer,
  resourceChallenge,
  resourceDpop,
  resourceRule,
} from "./resource_schemas.ts";
import {
  activeMisbehaviour,
  misbehaviour,
  misbehaviourArea,
  misbehaviourLevel,
  misbehaviourVerdict,
} from "./misbehaviour_routes.ts";
import { endpointName, namedPerson } from "./schemas.ts";
import { snapshot } from "./snapshot_routes.ts";
import { server } from "./tenant_routes.ts";
import { forgeryName, verdict } from "./mint_routes.ts";

/** The schemas that several operations use. Other bodies and responses are named after their operation. */
export const namedSchemas: Readonly<Record<string, Schema>> = {
  EndpointName: endpointName,
  HookName: hookName,
  ForgeryName: forgeryName,
  GateKind: gateKind,
  TimelineForm: timelineForm,
  Server: server,
  Clock: clock,
  Person: person,
  NamedPerson: namedPerson,
  Client: client,
  ListedPerson: listedPerson,
  ListedClient: listedClient,
  ClientDocument: clientDocument,
  Resource: resource,
  ResourceRule: resourceRule,
  ResourceDpop: resourceDpop,
  ResourceChallenge: resourceChallenge,
  ResourceAnswer: resourceAnswer,
  OtherAddress: otherAddress,
  Tokens: tokens,
  Verdict: verdict,
  Gate: gate,
  Snapshot: snapshot,
  Hook: hook,
  MisbehaviourArea: misbehaviourArea,
  MisbehaviourLevel: misbehaviourLevel,
  Misbehaviour: misbehaviour,
  ActiveMisbehaviour: activeMisbehaviour,
  MisbehaviourVerdict: misbehaviourVerdict,
  LookAlike: lookAlike,
  RecordedRequest: recordedRequest,
  RequestList: requestList,
  Refusal: refusal,
  JournalEntry: journalEntry,
  ...namePartsOfClient(),
};

/** Names the schemas of a client's members that are objects or enums. Two responses and two bodies use each of them. */
function namePartsOfClient(): Readonly<Record<string, Schema>> {
  const parts = Object.entries(itemsOf("clients").properties)
    .filter(([, schema]) => schema.enum !== undefined || schema.properties !== undefined)
    .map(([name, schema]) => [toTypeName(`client_${name.replace(/^client_/, "")}`), schema]);
  return Object.fromEntries(parts);
}

function toTypeName(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
