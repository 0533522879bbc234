/** In a browser, there is no GitHub App: no page has the private key of one. */

import type { Answer } from "../../../ground/http/message.ts";
import { jsonAnswer } from "../changes.ts";

function answerNoApp(): Answer {
  return jsonAnswer(501, { message: "In a browser, this look-alike has no GitHub Apps" });
}

export {
  answerNoApp as createInstallationToken,
  answerNoApp as describeApp,
  answerNoApp as describeInstallations,
  answerNoApp as listRepositories,
};

export const publicAnswers: Readonly<Record<string, Answer>> = {};
