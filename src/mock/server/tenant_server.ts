/** The server behind a tenant: made anew when people, clients or the issuer change, and begun again by a reset. */

import type { PersonConfiguration } from "../../setup/configuration.ts";
import { createRandomBytes, type RandomBytes } from "../../crypto/bytes.ts";
import { defaultFeatures } from "../../features/mod.ts";
import { cancelBody } from "../../http/answer_body.ts";
import type { Answer, IncomingRequest } from "../../http/message.ts";
import type { ClientMetadata } from "../../oauth/clients/client_metadata.ts";
import type { Facts, JournalEntry } from "../../oauth/journal.ts";
import type { SeamContext, Seams, SeamValues } from "../../oauth/seams.ts";
import type { Services } from "../../oauth/services.ts";
import { createLazyPages } from "../../pages/lazy.ts";
import { within } from "../../runtime/within.ts";
import { type AssembledServer, assembleServer } from "../../server.ts";
import { SetUpMistake } from "../../setup/set_up_mistake.ts";
import { memoryStore } from "../../store/memory.ts";
import type { RunningClock } from "../conditions/clock.ts";
import type { Decisions } from "../conditions/decisions.ts";
import type { Gates } from "../conditions/gates.ts";
import type { Hooks } from "../conditions/hooks.ts";
import { AnswerLost } from "../network/answer_lost.ts";
import type { MockOptions } from "../terms/mock_options.ts";
import { type EndpointName, nameEndpoint } from "../endpoints.ts";
import type { Recorder } from "../journal/requests.ts";
import { createSeededRandom } from "../conditions/seeded_random.ts";
import { testKeysFor } from "./test_keys.ts";

export interface EngineTerms {
  readonly options: MockOptions;
  /** The tenant's, empty for the mock itself: with the seed it makes the ids, so that tenants of one seed differ. */
  readonly name: string;
  readonly issuer: () => string;
  readonly firstUse: boolean;
  readonly people: () => readonly PersonConfiguration[];
  readonly clients: () => readonly ClientMetadata[];
  readonly clock: RunningClock;
  readonly decisions: Decisions;
  readonly gates: Gates;
  readonly hooks: Hooks;
  readonly recorder: Recorder;
}

export interface Engine {
  readonly services: Services;
  answer(request: IncomingRequest): Promise<Answer>;
  factsOf(request: IncomingRequest): Partial<Facts> | undefined;
  requireOpen(): void;
  /** Takes over what has changed; requests that are running end as they began. */
  rebuild(): void;
  /** Without any record of what was; requests that are running count for nothing any more. */
  restart(): void;
  /** From now on nothing is answered. */
  stop(): void;
  /** Resolves when nothing runs any more. */
  close(): Promise<void>;
}

/** A request on its way through the mock, around the server. */
interface TrackedRequest {
  readonly endpoint: EndpointName;
  readonly arrivedAt: number;
  /** The server's own, once it has begun. */
  facts?: Partial<Facts>;
  /** Decided when the answer is made. */
  isLost: boolean;
}

interface State {
  readonly store: ReturnType<typeof memoryStore>;
  readonly random: RandomBytes;
}

// Seconds of real time: less than runners have, so that a test that cannot end says why.
const closeTimeout = 3;

export function createEngine(terms: EngineTerms): Engine {
  const { options, name, clock, decisions, gates, hooks, recorder } = terms;
  const { seed, time: _time, journal, ...serverOptions } = options;
  const words = wordsFor(name);
  // By its request, and by its facts once the server has begun.
  const tracked = new WeakMap<IncomingRequest | Partial<Facts>, TrackedRequest>();
  const running = new Map<Promise<Answer>, string>();
  const retired = new Set<Promise<void>>();
  let stopped = false;
  let state = createState();
  let current = createFirst();

  function createState(): State {
    const random = seed === undefined
      ? createRandomBytes()
      : createSeededRandom(name === "" ? seed : `${seed} ${name}`);
    return { store: memoryStore(), random };
  }

  function createFirst(): AssembledServer {
    try {
      return assemble();
    } catch (error) {
      throw inWordsOfTheKit(error, words);
    }
  }

  function assemble(): AssembledServer {
    const mine = state;
    return assembleServer({
      ...serverOptions,
      ...mine,
      people: terms.people(),
      clients: terms.clients(),
      issuer: terms.issuer(),
      firstUse: terms.firstUse,
      // Its people and clients are a test's.
      frontPage: serverOptions.frontPage ?? "full",
      now: clock.serverNow,
      journal: (entry) => {
        // What began before a reset is not part of what the test sees after it.
        if (mine === state) record(entry);
      },
      seams: withTracking(hooks.seams),
    }, {
      features: [...defaultFeatures({ firstUse: terms.firstUse }), decisions.feature],
      createPages: createLazyPages,
      findSigningKeys: testKeysFor,
    });
  }

  /** The hooks' seams come and go with the hooks: they are looked up at each use. */
  function withTracking(seams: Seams): Seams {
    return Object.create(seams, {
      arrival: {
        value(arrival: SeamValues["arrival"], { exchange }: SeamContext) {
          const found = tracked.get(arrival.request)!;
          found.facts = exchange.facts;
          tracked.set(exchange.facts, found);
          return arrival;
        },
      },
    });
  }

  function record(made: JournalEntry): void {
    const request = tracked.get(made.facts)!;
    const { endpoint, arrivedAt } = request;
    request.isLost = gates.loses(endpoint);
    // The server's own time begins only behind the gate.
    const duration = made.duration + (made.receivedAt - arrivedAt);
    const entry = { ...made, receivedAt: arrivedAt, duration };
    recorder.write(withUserName(entry), request);
    journal?.(entry);
  }

  /** People know each other by their user names, tokens by their subjects. */
  function withUserName(entry: JournalEntry): JournalEntry {
    const { subject } = entry.facts;
    const person = subject && current.services.settings.people.findBySubject(subject)?.username;
    return person ? { ...entry, facts: { ...entry.facts, subject: person } } : entry;
  }

  function replace(next: AssembledServer): void {
    const retiring = current.server.close().finally(() => retired.delete(retiring));
    retired.add(retiring);
    current = next;
  }

  function requireOpen(): void {
    if (stopped) throw new Error(words.gone);
  }

  async function pass(request: IncomingRequest): Promise<Answer> {
    const { method, address: { path } } = request;
    const endpoint = nameEndpoint({ method, path }, current.services.settings.basePath);
    const mine: TrackedRequest = { endpoint, arrivedAt: clock.serverNow(), isLost: false };
    tracked.set(request, mine);
    const before = state;
    const requireSame = () => {
      if (before !== state) throw new Error("The mock was reset while this request was running");
    };
    // At the gate before anything else: whatever a test changes meanwhile counts for who waits there.
    await gates.arrive(endpoint);
    requireSame();
    const said = await current.server.answer(request);
    if (mine.isLost || before !== state) cancelBody(said.body);
    requireSame();
    if (mine.isLost) throw new AnswerLost();
    return said;
  }

  return {
    get services() {
      return current.services;
    },
    async answer(request) {
      requireOpen();
      const answering = pass(request);
      running.set(answering, `${request.method} ${request.address.path}`);
      try {
        return await answering;
      } finally {
        running.delete(answering);
      }
    },
    factsOf: (request) => tracked.get(request)?.facts,
    requireOpen,
    rebuild() {
      requireOpen();
      replace(assemble());
    },
    restart() {
      const before = state;
      state = createState();
      let next: AssembledServer;
      try {
        next = assemble();
      } catch (error) {
        state = before;
        throw error;
      }
      void current.server.close();
      current = next;
      running.clear();
      retired.clear();
      recorder.endWaiting(`the ${words.noun} was reset`);
    },
    stop() {
      stopped = true;
      gates.clear();
      recorder.close(`the ${words.noun} ${words.over}`);
    },
    async close() {
      if (running.size > 0 && !await within(closeTimeout, Promise.allSettled(running.keys()))) {
        const names = [...new Set(running.values())].join(", ");
        throw new Error(
          `Cannot close the ${words.noun}: ${names} is still running: ` +
            "a hook that never returns, or a body that never ends?",
        );
      }
      await Promise.all([current.server.close(), ...retired]);
    },
  };
}

/** How messages speak of what this engine is behind. */
interface Words {
  readonly noun: string;
  readonly over: string;
  /** For whoever still asks something of it. */
  readonly gone: string;
}

function wordsFor(tenant: string): Words {
  if (tenant === "") {
    const over = "is disposed of";
    return { noun: "mock", over, gone: `This mock ${over}: make another one with createMock()` };
  }
  const [noun, over] = [`tenant ${tenant}`, "is closed"];
  const gone = `The ${noun} ${over}: as.tenant("${tenant}") makes it anew, while its mock is open`;
  return { noun, over, gone };
}

/** What a server says of its configuration, said of the mock or of a tenant of it. */
function inWordsOfTheKit(error: unknown, { noun }: Words): unknown {
  if (!(error instanceof SetUpMistake)) return error;
  return new TypeError(`Cannot create ${noun}: ${error.problem}`, { cause: error });
}
