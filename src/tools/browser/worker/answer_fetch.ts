/** Answers the requests that a service worker gets, also while the browser gives it no storage. */

import { type Answer, toResponse } from "../../../ground/http/message.ts";
import { StoreUnavailable } from "../../../server/store/store.ts";
import { answerUnavailable } from "./unavailable.ts";
import { openServer, type RunningServer } from "./running_server.ts";

export interface FetchAnswer {
  answer(request: Request): Promise<Response>;
  /** Answers a request that may be to the host of a provider, or passes it on. */
  answerOrPass(request: Request): Promise<Response>;
  /** Whether the server looks like the provider at this URL. `undefined` until its records are read. */
  looksLike(url: string): boolean | undefined;
}

export function createFetchAnswer(issuer: string): FetchAnswer {
  let opening: Promise<RunningServer> | undefined;
  let opened: RunningServer | undefined;
  const open = () => opening ??= openServer(issuer).then((server) => opened = server);

  async function answer(request: Request): Promise<Answer> {
    try {
      return await (await open()).answer(request);
    } catch (error) {
      // The next request opens the store again.
      opening = undefined;
      if (error instanceof StoreUnavailable) return answerUnavailable(request, error);
      throw error;
    }
  }

  return {
    answer: async (request) => toResponse(await answer(request)),
    async answerOrPass(request) {
      const server = await open().catch(() => opening = undefined);
      return server?.looksLike(request.url) ? toResponse(await answer(request)) : fetch(request);
    },
    looksLike: (url) => opened?.looksLike(url),
  };
}
