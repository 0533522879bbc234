/** Rehearses requests: the server's own steps answer, but nothing is stored, counted, recorded or sent. */

import { createRandomBytes } from "../ground/crypto/bytes.ts";
import type { GuardedFetch } from "../ground/http/guarded_fetch.ts";
import { changeRequest, type IncomingRequest } from "../ground/http/message.ts";
import type { Router } from "../ground/http/router.ts";
import { memoryStore } from "./store/memory.ts";
import { overlayStore } from "./store/overlay.ts";
import type { Store } from "./store/store.ts";
import type { Endpoint, Services } from "./oauth/contracts/feature.ts";
import type { Facts, JournalEntry } from "./oauth/contracts/journal.ts";
import type { Newcomers } from "./oauth/contracts/people.ts";
import { createPersonSecrets } from "./setup/create_services.ts";
import { throttles } from "./oauth/secrets/throttle.ts";
import { answerRequest } from "./pipeline/answer_request.ts";
import { createEndpointRouter } from "./pipeline/endpoint_router.ts";
import { remember } from "../ground/values/remember.ts";
import { present } from "../ground/values/present.ts";

/** The outcome of a rehearsal. The rest of the answer stays here, because its tokens have the server's signature. */
interface Rehearsed {
  readonly status: number;
  readonly facts: Partial<Facts>;
  /** The addresses that the server would call, and that the rehearsal did not call. */
  readonly calls: readonly string[];
}

/** Resolves to the outcome that the request would have now. Its hooks and misbehaviours have no effect. */
export type Rehearse = (request: IncomingRequest, services: Services) => Promise<Rehearsed>;

interface Stage {
  readonly router: Router<Endpoint>;
  /** Wrong secrets count here, and not for the clients, so that rehearsals are no better for guessing. */
  readonly failures: Store;
}

export function createRehearsal(): Rehearse {
  const stages = new WeakMap<Services, Stage>();
  const random = createRandomBytes();

  return async (incoming, services) => {
    const { router, failures } = remember(stages, services, () => createStage(services));
    const calls: string[] = [];
    const entries: JournalEntry[] = [];
    const { decides: _answersOnce, ...slots } = services.slots;
    const store = withFailures(overlayStore(services.store), failures);
    // A new key would be stored.
    const keys = { ...services.keys, prepare: () => Promise.resolve() };
    // Some limits count in memory, and none of them counts a request without a peer.
    await answerRequest(changeRequest(incoming, { peer: undefined }), {
      router,
      services: {
        ...services,
        slots: { ...slots, decides: undefined },
        store,
        keys,
        people: {
          ...services.people,
          ...createPersonSecrets({ store, keys, now: services.now }),
          ...present({
            newcomers: services.people.newcomers && rehearseNewcomers(services.people.newcomers),
          }),
        },
        fetch: {
          ...refusingFetch(calls),
          callSelf: () => Promise.reject(new TypeError("A rehearsal sends no requests")),
        },
        seams: {},
        random,
      },
      journal: (entry) => entries.push(entry),
      isClosed: () => false,
    });
    const { response: { status }, facts } = entries[0]!;
    return { status, facts, calls };
  };
}

function createStage({ slots, settings }: Services): Stage {
  // The journal leaves out routine requests.
  const endpoints = slots.endpoints.map(({ isRoutine: _true, ...endpoint }) => endpoint);
  return { router: createEndpointRouter(endpoints, settings), failures: memoryStore() };
}

/** A new person of a rehearsal is known to it alone. */
function rehearseNewcomers(find: () => Newcomers): () => Newcomers {
  return () => ({
    current: find().current,
    recognise: () => {},
    add: ({ username, sub: subject, claims }) => ({ username, subject, claims, members: {} }),
  });
}

function withFailures(store: Store, failures: Store): Store {
  const choose = ({ name }: { readonly name: string }) => name === throttles.name ? failures : store;
  return {
    get: (kind, id, now) => choose(kind).get(kind, id, now),
    put: (kind, id, value, terms) => choose(kind).put(kind, id, value, terms),
    delete: (kind, id) => choose(kind).delete(kind, id),
    ...present({ list: store.list && ((kind) => store.list!(kind)) }),
    close: () => store.close(),
  };
}

function refusingFetch(calls: string[]): GuardedFetch {
  const refuse = (url: string) => {
    calls.push(url);
    const failure = "unreachable" as const;
    const observed = "no call, because this is a rehearsal";
    return Promise.resolve({ failure, observed, expected: "an answer of the other server" });
  };
  return { getJson: refuse, postForm: refuse };
}
