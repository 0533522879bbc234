/** Answers the requests that a service worker gets, also while the browser gives it no storage. */

import { type Answer, toResponse } from "../../../ground/http/message.ts";
import { StoreUnavailable } from "../../../server/store/store.ts";
import { answerUnavailable } from "./unavailable.ts";
import { openServer, type RunningServer } from "./running_server.ts";

export function createFetchAnswer(issuer: string): (request: Request) => Promise<Response> {
  let opening: Promise<RunningServer> | undefined;

  async function answer(request: Request): Promise<Answer> {
    try {
      opening ??= openServer(issuer);
      return await (await opening).answer(request);
    } catch (error) {
      // The next request opens the store again.
      opening = undefined;
      if (error instanceof StoreUnavailable) return answerUnavailable(request, error);
      throw error;
    }
  }

  return async (request) => toResponse(await answer(request));
}
