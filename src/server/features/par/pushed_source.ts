/** Where pushed authorization requests come from: the name of this source, and its parameter (RFC 9126 §4). */

import type { RequestSource } from "../../oauth/feature.ts";

export const pushedSource: Pick<RequestSource, "name" | "param"> = {
  name: "pushed request",
  param: "request_uri",
};
