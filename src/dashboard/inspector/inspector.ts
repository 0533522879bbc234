/** Answers at `/inspector`: the recorded requests. */

import type { Answer } from "../../http/message.ts";
import { inspectorPage } from "../../pages/inspector.tsx";
import { requireMethod } from "../guard.ts";
import type { PageCall } from "../page.ts";

export function answerInspector(call: PageCall): Answer {
  requireMethod(call.request, ["GET", "HEAD"]);
  const props = {
    requests: call.frame.recent(),
    homeUrl: call.frame.links[0]!.href,
    ...(call.seesSecrets ? {} : {
      keyForm: {
        ...{ purpose: "inspector" as const, action: call.pathOf("session"), next: call.pathOf("inspector") },
        isWrong: false,
      },
    }),
  } as const;
  return call.show((words) => inspectorPage(props, words));
}
