/** An API in a test: it publishes its metadata (RFC 9728), checks tokens (RFC 6750), and records its requests. */

import { type Answer, toResponse } from "../../../ground/http/message.ts";
import { empty } from "../../../ground/http/respond.ts";
import type { Claims } from "../../../ground/values/members.ts";
import type { LiveToken } from "../../../server/oauth/tokens/find_token.ts";
import type { NextTerms } from "../journal/next_request.ts";
import { type RecordedRequest, unknownStatus } from "../journal/recorded_request.ts";
import { createRecorder } from "../journal/recorder.ts";
import type { KeptEntry, RequestList } from "../journal/request_list.ts";
import { requireRequest } from "../tokens/protect.ts";
import { answerRecorded, toAnswer } from "./answer_recorded.ts";
import { type CheckedResource, checkIncoming } from "./check_incoming.ts";
import { locateMetadata } from "./describe_resource.ts";
import type { ResourceChanges, ResourceHandler, ResourceTerms } from "./resource_terms.ts";
import { isBelow } from "./rules.ts";
import { present } from "../../../ground/values/present.ts";

/** An API in a test. Disposing of it removes it from the mock. */
export interface Resource extends Disposable {
  /** The URL that identifies the API: the `resource` of a login, and the `aud` of its tokens. */
  readonly url: string;
  /** The address of the metadata (RFC 9728). `undefined`: the API has none. */
  readonly metadataUrl: string | undefined;
  /** The requests that came to the API, in the order of their responses. Secrets are removed. */
  readonly requests: ResourceRequests;
  /** Answers a request to the API: with its metadata, with a refusal, or by the handler. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /**
   * Returns the claims of the token. Otherwise returns the response to send: a refusal, the metadata, or the answer to
   * a CORS preflight.
   */
  guard(request: Request): Promise<Response | Claims>;
  /** Changes what the API requires. Terms that are left out stay; `undefined` restores the default. */
  change(terms: ResourceChanges): void;
}

/** The recorded requests of an API. A request that `guard` has accepted has no status, because the test answers it. */
export interface ResourceRequests extends RequestList {
  /** How many old requests were removed, because the API keeps at most 10,000 requests or 32 MB. */
  readonly dropped: number;
  /** Waits for a request whose response comes after this call. Rejects after the timeout. */
  next(terms?: NextTerms): Promise<RecordedRequest>;
  /** Removes all recorded requests. */
  clear(): void;
}

/** An API with the members that only the mock uses. */
export interface RunningResource {
  readonly resource: Resource;
  /** Whether the path is that of the API, a path below, or that of its metadata. */
  owns(path: string): boolean;
  answer(request: Request): Promise<Answer>;
  readonly kept: readonly KeptEntry[];
  /** How many requests were recorded in all, also the removed ones. */
  readonly written: number;
  /** Restores the first terms, and removes the recorded requests. */
  reset(): void;
  close(reason: string): void;
}

interface ResourceParts extends CheckedResource {
  readonly terms: ResourceTerms;
  readonly handler: ResourceHandler | undefined;
  /** The message begins with "Cannot " and `doing`. */
  readonly requireOptions: (doing: string, url: string, terms: ResourceTerms) => void;
  readonly remove: () => void;
}

const unknownAnswer: Answer = empty(unknownStatus);

export function createResource(parts: ResourceParts): RunningResource {
  const { url, running, requireOptions, remove, handler = answerWithClaims } = parts;
  const recorder = createRecorder();
  recorder.watch(running.recorder.wake);
  let terms = parts.terms;

  function answerChecked(
    request: Request,
    handleLive: (live: LiveToken) => Answer | Promise<Answer>,
    chooseRecorded?: (answered: Answer) => Answer,
  ): Promise<Answer> {
    return answerRecorded(request, running, {
      origin: new URL(url()).origin,
      recorder,
      async work(exchange) {
        const checked = await checkIncoming(request, exchange, terms, parts);
        return "answer" in checked ? checked.answer : await handleLive(checked.live);
      },
      ...present({ chooseRecorded }),
    });
  }

  const answer = (request: Request) =>
    answerChecked(request, async ({ token: { claims } }) => toAnswer(await handler(request, claims)));

  const resource: Resource = {
    get url() {
      return url();
    },
    get metadataUrl() {
      return locateMetadata(url(), terms);
    },
    requests: describeRequests(recorder),
    fetch: async (input, init) => toResponse(await answer(new Request(input, init))),
    async guard(request) {
      requireRequest(request, "guard an API against");
      let accepted: Claims | undefined;
      const answered = await answerChecked(request, ({ token: { claims } }) => {
        accepted = claims;
        return empty(200);
      }, (answered) => accepted === undefined ? answered : unknownAnswer);
      return accepted ?? toResponse(answered);
    },
    change(changes) {
      running.requireOpen();
      const changed: ResourceTerms = present({ ...terms, ...changes });
      requireOptions(`change the resource ${url()}`, url(), changed);
      terms = changed;
    },
    [Symbol.dispose]: remove,
  };
  return {
    resource,
    owns: (path) => {
      const { metadataUrl } = resource;
      return isBelow(path, new URL(url()).pathname) ||
        metadataUrl !== undefined && path === new URL(metadataUrl).pathname;
    },
    answer,
    get kept() {
      return recorder.kept;
    },
    get written() {
      return recorder.written;
    },
    reset() {
      terms = parts.terms;
      recorder.endWaiting("the mock was reset");
      recorder.clear();
    },
    close: recorder.close,
  };
}

function describeRequests({ requests }: ReturnType<typeof createRecorder>): ResourceRequests {
  const members: Omit<ResourceRequests, keyof RequestList | "dropped"> = {
    next: (terms) => requests.next(undefined, terms),
    clear: requests.clear,
  };
  // The new object inherits the list. A copy would not grow.
  return Object.assign(Object.create(requests), members);
}

function answerWithClaims(_request: Request, claims: Claims): Response {
  return Response.json(claims);
}
