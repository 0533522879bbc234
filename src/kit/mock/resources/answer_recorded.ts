/** Answers a request to an API or a route of the test, and records it. */

import type { Answer, AnswerHeaders } from "../../../ground/http/message.ts";
import { allowAnyOrigin } from "../../../ground/http/respond.ts";
import { type Exchange, writeEntry } from "../../../server/oauth/contracts/exchange.ts";
import type { JournalEntry } from "../../../server/oauth/contracts/journal.ts";
import type { RunningTenant } from "../running_tenant.ts";
import type { Recorder } from "../journal/recorder.ts";
import { openExchange } from "../tokens/protect.ts";

interface AnswerTerms {
  /** The origin of the API or the route. The client may use another name for it. */
  readonly origin: string;
  readonly recorder: Pick<Recorder, "write">;
  readonly work: (exchange: Exchange) => Promise<Answer>;
  /** Returns the answer for the journal. Default: the one that the client gets. */
  readonly chooseRecorded?: (answered: Answer) => Answer;
}

export function answerRecorded(
  request: Request,
  running: RunningTenant,
  { origin, recorder, work, chooseRecorded = (answered) => answered }: AnswerTerms,
): Promise<Answer> {
  const exchange = openExchange(request, running);
  exchange.note({ more: { resource: { url: origin + exchange.request.address.path } } });
  return running.answerApi(
    exchange,
    async () => addHeaders(await work(exchange), exchange.addedHeaders),
    (answered, delivery) => {
      const write = (entry: JournalEntry) => {
        recorder.write(entry, delivery);
        running.activeList.note(entry, delivery.endpoint);
        return running.journal?.(entry);
      };
      writeEntry(write, exchange, chooseRecorded(answered), running.clock.now);
    },
  );
}

/** Returns the answer of a function of the test. */
export function toAnswer(response: Response): Answer {
  const headers: Record<string, string | readonly string[]> = Object.fromEntries(response.headers);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) headers["set-cookie"] = cookies;
  return { status: response.status, headers, body: response.body ?? "" };
}

/** Lets scripts of all origins read the answer. They need a token, because browsers add none. */
function addHeaders(answer: Answer, added: Readonly<Record<string, string>> | undefined): Answer {
  const { headers: corsHeaders } = allowAnyOrigin({ ...answer, headers: {} }, added);
  const headers: AnswerHeaders = { ...corsHeaders, ...added, ...answer.headers };
  return { ...answer, headers };
}
