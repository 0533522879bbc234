/** A file that a page of the dashboard offers. */

import type { Answer } from "../../ground/http/message.ts";
import { answerHeaders } from "../../ground/http/respond.ts";

/** `type`: its media type. */
export function download(name: string, type: string, body: string, headers: Answer["headers"] = {}): Answer {
  const disposition = `attachment; filename="${name}"`;
  return {
    status: 200,
    headers: { ...answerHeaders, "content-type": type, "content-disposition": disposition, ...headers },
    body,
  };
}
