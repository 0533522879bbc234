/** The part of the playground that takes a pasted text apart. */

import type { Answer } from "../../http/message.ts";
import { findBrowser } from "../../oauth/people/browser.ts";
import { readerPage } from "../../pages/playground/playground_reader.tsx";
import { englishPlayground } from "../../pages/words/playground_english.ts";
import { filterHref } from "../addresses.ts";
import type { PageCall } from "../page.ts";
import { takeApart } from "./take_apart.ts";
import { present } from "../../present.ts";

/** The answer to a POST is the page itself, because a redirect would need an address with the text, or a store. */
export async function answerReader(call: PageCall): Promise<Answer> {
  const { request, form, forms, pathOf, watched: { services } } = call;
  const { rehearse, seesSecrets, neverShown } = call;
  const action = pathOf("playground", "/read");
  const sent = request.method === "POST" ? form : undefined;
  if (sent !== undefined) forms.requireToken(sent, action);
  const pasted = sent && await takeApart(sent.get("pasted") ?? "", {
    services,
    rehearse,
    cookie: request.header("cookie"),
    browser: findBrowser({ request }, services),
    show: { secrets: seesSecrets, neverShown },
    values: englishPlayground.reader.values,
    flowUrl: (flow) => filterHref(`flow:${flow}`, call),
  });
  const props = {
    form: forms.target(action),
    builderUrl: pathOf("playground"),
    ...present({ pasted }),
  };
  return call.show(readerPage(props));
}
