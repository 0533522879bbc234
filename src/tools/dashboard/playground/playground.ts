/** Answers at `/playground`: builds requests, and takes responses and tokens apart. */

import { filterHref } from "../addresses.ts";
import { answerBelow, type Routes } from "../directory/shared.ts";
import type { AnswerPage, PageCall } from "../page.ts";
import { answerBuilder } from "./builder.ts";
import { compareTexts, takeApart } from "./take_apart.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { json } from "../../../ground/http/respond.ts";
import { findBrowser } from "../../../server/oauth/people/browser.ts";
import { readerPage } from "./playground_reader.tsx";
import { englishPlayground } from "./playground_english.ts";
import { present } from "../../../ground/values/present.ts";

const routes: Routes = new Map([
  ["", [answerBuilder, "GET", "HEAD", "POST"]],
  ["/read", [answerReader, "GET", "HEAD", "POST"]],
  ["/sent", [answerSent, "GET", "HEAD"]],
]);

export const answerPlayground: AnswerPage = (call) => answerBelow("playground", routes, call);

/** Takes a pasted text apart. The answer to a POST is the page itself, because a redirect would need an address with the text, or a store. */
async function answerReader(call: PageCall): Promise<Answer> {
  const { request, form, forms, pathOf, watched: { services, kit } } = call;
  const { rehearse, seesSecrets, neverShown } = call;
  const action = pathOf("playground", "/read");
  const sent = request.method === "POST" ? form : undefined;
  if (sent !== undefined) forms.requireToken(sent, action);
  const show = { secrets: seesSecrets, neverShown };
  const [text, other] = [sent?.get("pasted") ?? "", sent?.get("other") ?? ""];
  const comparison = other === "" ? undefined : compareTexts([text, other], { show, services });
  const pasted = sent && comparison === undefined
    ? await takeApart(text, {
      services,
      rehearse,
      cookie: request.header("cookie"),
      browser: findBrowser({ request }, services),
      show,
      apis: [services.settings.demoResource ?? [], kit?.listApis() ?? []].flat(),
      values: englishPlayground.reader.values,
      flowUrl: (flow) => filterHref(`flow:${flow}`, call),
    })
    : undefined;
  const props = {
    form: forms.target(action),
    now: Math.floor(services.now()),
    sections: { build: pathOf("playground"), read: action },
    isUncompared: other !== "" && comparison === undefined,
    ...present({ pasted, comparison }),
  };
  return call.show(readerPage(props));
}

/** Finds the page of the inspector about the latest recorded request with this method and path. */
function answerSent({ query, watched: { journal }, pathOf }: PageCall): Answer {
  const [method, path] = [query.get("method"), query.get("path")];
  const kept = journal.kept.findLast(({ entry: { request } }) =>
    request.method === method && request.path === path
  );
  return json(kept === undefined ? {} : { href: pathOf("inspector", `/${kept.entry.id}`) });
}
