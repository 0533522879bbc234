/** Sends an API tokens of people whose `sub` resembles another one, and compares whose data it answers. */

import { parseJwt } from "../../ground/crypto/jwt_parts.ts";
import { present } from "../../ground/values/present.ts";
import type { Misbehaviour } from "../faults/misbehaviour.ts";
import type { ForgeryName } from "../faults/names.ts";
import { type ApiOutcome, describeApiAnswer, leaveOut, needsJwt } from "./api_outcome.ts";
import type { ApiRequests } from "./api_requests.ts";
import { runVariants } from "./run_variants.ts";

/** `showsNoPerson`: the answer would be the same for each person apart from the name, so that it decides nothing. */
type SubjectOutcome = ApiOutcome & { readonly showsNoPerson?: true };

export async function sendSimilarSubjects(
  name: ForgeryName,
  entry: Misbehaviour,
  { as, tokenOptions, mint, readSample, readAnswer, sendRightly }: ApiRequests,
): Promise<ApiOutcome> {
  const subject = subjectOf(await readSample());
  if (subject === undefined) return leaveOut(needsJwt);
  const readFor = async (sub: string) => await readAnswer(await sendRightly(await mint({ sub })));
  const [answer, again] = [await readFor(subject), await readFor(subject)];
  // A person without data may get the answer of each person whom the API does not know.
  if (answer === undefined || answer !== again || answer === await readFor("another-person")) {
    return leaveOut(noPerson);
  }
  const judged = await runVariants(name, async (variant): Promise<SubjectOutcome> => {
    const { token } = await as.forge(name, { ...tokenOptions, ...present({ variant }) });
    const sent = await sendRightly(token);
    const answered = describeApiAnswer(entry, sent);
    const text = await readAnswer(sent);
    if (text === undefined) {
      if (!("response" in sent) || sent.declared !== undefined || sent.response.status >= 500) {
        return answered;
      }
      return sent.response.ok
        ? { outcome: "unknown", because: `${answered.because} ${noEnd}` }
        : { ...answered, outcome: "noticed" };
    }
    if (text === answer) return { outcome: "fooled", because: `${answered.because} ${sameAnswer}` };
    const isRenamed = text.replaceAll(`${subjectOf(token)}`, subject) === answer;
    return isRenamed
      ? { outcome: "unknown", because: noPerson, showsNoPerson: true }
      : { outcome: "noticed", because: answered.because };
  });
  return judged.showsNoPerson ? leaveOut(noPerson) : judged;
}

function subjectOf(token: string): string | undefined {
  const sub = parseJwt(token)?.claims["sub"];
  return sub === undefined ? undefined : `${sub}`;
}

const noPerson = "The answers of the API do not show whose data they are.";

const noEnd = "The answer cannot be read to its end, so it does not show whose data it has.";

const sameAnswer = "It is the answer to the person with the other sub.";
