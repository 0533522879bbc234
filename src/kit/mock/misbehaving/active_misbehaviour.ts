/** A misbehaviour that is on, with its limits: a client, a person, a number of times, a probability. */

import { toSeen } from "../../faults/seen.ts";
import type { Acts, Misbehaviour, Tools } from "../../faults/misbehaviour.ts";
import { type LookAlikeName, lookAlikeNames } from "../../faults/look_alikes/providers.ts";
import { listVariants, type MisbehaviourName } from "../../faults/names.ts";
import type { Answer, IncomingRequest } from "../../../ground/http/message.ts";
import { type Exchange, writeEntry } from "../../../server/oauth/contracts/exchange.ts";
import {
  type SeamContext,
  type SeamName,
  type SeamValues,
  type SignedToken,
  signsAnew,
} from "../../../server/oauth/contracts/seams.ts";
import { remember } from "../../../ground/values/remember.ts";
import { concerns, findConcerned, type SeamSources } from "../conditions/concerned.ts";
import { createWatcher, type Watcher } from "./watcher.ts";
import type { RandomBytes } from "../../../ground/crypto/bytes.ts";

export type ActiveName = MisbehaviourName | `look_alike.${LookAlikeName}`;

export function nameLookAlike(name: LookAlikeName): ActiveName {
  return `look_alike.${name}`;
}

export function findLookAlike(name: ActiveName): LookAlikeName | undefined {
  return lookAlikeNames.find((each) => nameLookAlike(each) === name);
}

/** A misbehaviour, or a look-alike, which is not judged. */
export type ActiveEntry =
  & Pick<Misbehaviour, "acts" | "settings" | "prepares">
  & Partial<Pick<Misbehaviour, "level" | "watch">>;

/** Options of `misbehave`: when the server misbehaves. */
export interface MisbehaveTerms {
  /** The id of the client to which the server misbehaves. Default: every client. */
  readonly client?: string;
  /** The username of the person about whom the server misbehaves. Default: everyone. */
  readonly username?: string;
  /** @deprecated Use `username`. */
  readonly person?: string;
  /** How many answers are wrong. Later answers are right. Default: all answers. */
  readonly times?: number;
  /** The probability of a wrong answer, from 0 to 1, drawn with the mock's seed. Default: 1. */
  readonly probability?: number;
  /** The variant of the misbehaviour, if it has several. Default: the first. */
  readonly variant?: string;
}

export interface ActiveMisbehaviour {
  readonly name: ActiveName;
  readonly terms: MisbehaveTerms;
  readonly variant: string | undefined;
  /** The functions. Absent until they are loaded. */
  readonly entry: ActiveEntry | undefined;
  readonly watcher: Watcher;
  readonly isOn: boolean;
  readonly switchedOff: Promise<void>;
  /** `createTools` takes the issuer of a face, whose answers have functions and a state of their own. */
  start(entry: ActiveEntry, createTools: CreateTools): void;
  actsAt(seam: SeamName): boolean;
  /** Whether its function at the seam `signed` needs no signature of this token. */
  signsAnew(token: SignedToken): boolean;
  run<N extends SeamName>(
    seam: N,
    value: SeamValues[N],
    context: SeamContext,
    sources: MisbehaviourSources,
  ): Promise<SeamValues[N]>;
  end(): void;
}

type CreateTools = (faceIssuer: string | undefined) => Tools;

export function createActive(
  name: ActiveName,
  terms: MisbehaveTerms,
  onEnd: () => void,
): ActiveMisbehaviour {
  const { times = Infinity } = terms;
  const watcher = createWatcher();
  let switchOff = () => {};
  const switchedOff = new Promise<void>((resolve) => switchOff = resolve);
  /** Whether the misbehaviour may act in an exchange, by its probability. */
  const chosen = new WeakMap<Exchange, boolean>();
  let entry: ActiveEntry | undefined;
  /** The functions, by the issuer of the face. */
  const acts = new Map<string | undefined, Acts>();
  let createTools: CreateTools;
  let isOn = true;

  function actsFor(faceIssuer: string | undefined): Acts {
    const known = acts.get(faceIssuer) ?? entry?.acts(createTools(faceIssuer)) ?? {};
    if (entry !== undefined) acts.set(faceIssuer, known);
    return known;
  }

  const prepares = (seam: SeamName) => entry?.prepares?.includes(seam) ?? false;

  function mayAct(exchange: Exchange, sources: MisbehaviourSources): boolean {
    if (!isOn || !watcher.hasActed(exchange.id) && watcher.actedCount >= times) return false;
    const { probability } = terms;
    if (probability === undefined) return true;
    return remember(chosen, exchange, () => draw(sources) < probability);
  }

  return {
    name,
    terms,
    variant: terms.variant ?? listVariants(name)[0],
    get entry() {
      return entry;
    },
    watcher,
    get isOn() {
      return isOn;
    },
    switchedOff,
    start(found, toolsFor) {
      entry = found;
      createTools = toolsFor;
    },
    // One that only prepares leaves the other values to those that need no signature before them.
    actsAt: (seam) => (terms.probability !== 0 || prepares(seam)) && actsFor(undefined)[seam] !== undefined,
    signsAnew: (token) => signsAnew(actsFor(undefined).signed, token),
    async run(seam, value, context, sources) {
      const { exchange } = context;
      const token = (value as { readonly token?: string }).token;
      const isPreparation = prepares(seam);
      const endpoint = sources.endpointOf(exchange.request);
      const isAnonymous = anonymousSeams.has(seam) || namesNoClient(endpoint, exchange);
      const isConcerned = isAnonymous || concerns(terms, findConcerned(context, token, sources));
      const mayRun = isPreparation ? isOn : isConcerned && mayAct(exchange, sources);
      if (!mayRun) return value;
      const after = await actsFor(sources.faceIssuerOf(exchange.request))[seam]!(value, {
        ...context,
        endpoint,
        drop: () => sources.drop(exchange),
        withhold() {
          context.acted(name);
          watcher.acted(exchange.id);
          writeEntry((entry) => watcher.left(toSeen(entry, endpoint)), exchange, noAnswer, sources.now());
          return switchedOff;
        },
      });
      if (after === value) return value;
      context.acted(name);
      if (!isPreparation) watcher.acted(exchange.id);
      return after;
    },
    end() {
      if (!isOn) return;
      isOn = false;
      switchOff();
      onEnd();
    },
  };
}

/** Stands in a verdict for an answer that the client does not get: 504 is the status of a timeout. */
const noAnswer: Answer = { status: 504, headers: {}, body: "" };

/** No request for these values names a client or a person, so a limit to one does not apply to them. */
const anonymousSeams: ReadonlySet<SeamName> = new Set(["metadata", "key_set"]);

/** The same applies to registrations, and to requests to an API without a token, such as those for its metadata. */
function namesNoClient(endpoint: string, { request }: Exchange): boolean {
  return endpoint === "register" || endpoint === "resource" && request.header("authorization") === undefined;
}

/** Draws a number from 0 up to 1. */
function draw({ random }: MisbehaviourSources): number {
  const octets = random()(4);
  return new DataView(octets.buffer, octets.byteOffset).getUint32(0) / 2 ** 32;
}

/** How misbehaviours learn about the server, and what they can do to it. */
export interface MisbehaviourSources extends
  SeamSources,
  Pick<
    Tools,
    "issuer" | "otherServer" | "also" | "now" | "findPast" | "findFuture" | "findPerson" | "revoke"
  > {
  /** Returns the issuer of the face that answers the request. `undefined`: the server answers as itself. */
  faceIssuerOf(request: IncomingRequest): string | undefined;
  random(): RandomBytes;
  /** Notes the client of a request that has just arrived, if the server knows the client. */
  noteClient(exchange: Exchange): Promise<void>;
  drop(exchange: Exchange): void;
  /** Replaces the server, so that changed settings apply. */
  rebuild(): void;
}
