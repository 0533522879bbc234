/** Answers at `/playground`: builds requests, and takes responses and tokens apart. */

import { ControlRefused } from "../../guard/control_refused.ts";
import type { Answer } from "../../http/message.ts";
import { requireMethod } from "../guard.ts";
import type { PageCall } from "../page.ts";
import { answerBuilder } from "./builder.ts";
import { answerReader } from "./reader.ts";
import { answerSent } from "./sent.ts";

export async function answerPlayground(call: PageCall): Promise<Answer> {
  switch (call.rest) {
    case "":
      requireMethod(call.request, ["GET", "HEAD", "POST"]);
      return await answerBuilder(call);
    case "/read":
      requireMethod(call.request, ["GET", "HEAD", "POST"]);
      return await answerReader(call);
    case "/sent":
      requireMethod(call.request, ["GET", "HEAD"]);
      return answerSent(call);
    default:
      throw new ControlRefused("not_found", "The playground has no such page", {
        expected: call.pathOf("playground"),
      });
  }
}
