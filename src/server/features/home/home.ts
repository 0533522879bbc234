/** The front page, and the links that start a flow. */

import { paths } from "../../oauth/contracts/paths.ts";
import type { Feature } from "../../oauth/contracts/feature.ts";
import { showHome, startFlow } from "./front_page_requests.ts";

export function home(): Feature {
  return {
    name: "home",
    spec: "Postern",
    endpoints: [
      { method: "GET", path: paths.home, refusal: "page", handle: showHome },
      { method: "GET", path: paths.start, refusal: "page", handle: startFlow },
    ],
  };
}
