/** Answers at `/_postern/examine`: a page on which a person examines an application, its forms, and the card. */

import { createRandomBytes, randomText } from "../../crypto/bytes.ts";
import type { Answer, IncomingRequest } from "../../http/message.ts";
import { ownFormPage, redirect } from "../../http/respond.ts";
import { answerHeaders } from "../../http/security_headers.ts";
import { formatCard } from "../../mock/card/format_card.ts";
import type { Mock } from "../../mock/mock.ts";
import type { ControlPages } from "../../pages/control_pages.ts";
import { ControlRefused } from "../control_refused.ts";
import { describeProgress } from "./describe_progress.ts";
import { createExamination } from "./examination.ts";
import { type CardFile, cardFiles, examinePath } from "./paths.ts";
import { readDeedForm } from "./read_deed.ts";

export interface ExaminePageTerms {
  readonly pages: ControlPages;
  /** Returns the address of the front page, which follows the issuer of the mock. */
  readonly homeUrl: () => string;
}

export interface ExaminePage {
  /** Answers a request that the guard has allowed. */
  answer(request: IncomingRequest): Promise<Answer>;
}

export function createExaminePage(mock: Mock, { pages, homeUrl }: ExaminePageTerms): ExaminePage {
  const examination = createExamination(mock);
  // A page of another site cannot read this secret, so it cannot send a form.
  const key = randomText(createRandomBytes(), 32);

  function show(): Answer {
    const progress = examination.read();
    return ownFormPage(pages.examine({
      ...describeProgress(progress),
      fields: { key, step: `${progress.step}` },
      issuer: mock.issuer,
      path: examinePath,
      downloads: cardFiles.map(({ name, label }) => ({ label, url: `${examinePath}/${name}` })),
      homeUrl: homeUrl(),
    }));
  }

  function download({ name, type, form }: CardFile): Answer {
    return {
      status: 200,
      headers: {
        ...answerHeaders,
        "content-type": type,
        // The file quotes texts of a client, so it does not run in the origin of this server.
        "content-disposition": `attachment; filename="${name}"`,
      },
      body: formatCard(examination.read().card, form),
    };
  }

  return {
    async answer(request) {
      const { method, address: { path } } = request;
      const file = cardFiles.find(({ name }) => path === `${examinePath}/${name}`);
      requireMethod(method, file === undefined ? ["GET", "HEAD", "POST"] : ["GET", "HEAD"]);
      if (file !== undefined) return download(file);
      if (method !== "POST") return show();
      const { deed, step } = await readDeedForm(request, key, examinePath);
      await examination.act(deed, step);
      return redirect(examinePath);
    },
  };
}

function requireMethod(method: string, allowed: readonly string[]): void {
  if (allowed.includes(method)) return;
  const allow = allowed.join(", ");
  throw new ControlRefused("method_not_allowed", `This address takes ${allow}`, {
    expected: allow,
    headers: { allow },
  });
}
