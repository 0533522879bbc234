/** Answers the requests that a service worker gets, also while the browser gives it no storage. */

import { type Answer, toResponse } from "../../../ground/http/message.ts";
import { StoreUnavailable } from "../../../server/store/store.ts";
import { openServer, type RunningServer } from "./running_server.ts";
import { json, page } from "../../../ground/http/respond.ts";

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

const title = "This browser gives the server no storage";

/** The browser gives the worker no storage. The reason comes from the browser, and has no secret. */
function answerUnavailable(request: Request, { message }: StoreUnavailable): Answer {
  if (request.mode !== "navigate") {
    const error_description = `${title}. ${message}`;
    return json({ error: "temporarily_unavailable", error_description }, { status: 503 });
  }
  const text = message.replaceAll(/[<>&"]/g, (each) => `&#${each.charCodeAt(0)};`);
  return page(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<title>${title}</title><main><h1>${title}</h1><p>${text}</p>` +
      `<p>Nothing was changed. Then load this page again.</p></main></html>`,
    { status: 503 },
  );
}
