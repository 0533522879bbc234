/**
 * A callback page on this server: shows the authorization response, exchanges the code at the press of a button, and
 * shows what the tokens are good for.
 */

import type { Feature } from "../../oauth/contracts/feature.ts";
import { lazy } from "../../../ground/values/lazy.ts";
import { paths } from "../../oauth/contracts/paths.ts";

const importSteps = () => import("./loaded_late.ts");

export function callbackPage(): Feature {
  const showOutcome = lazy(async () => (await importSteps()).showOutcome);
  return {
    name: "callback_page",
    spec: "OAuth 2.1 §4.1.2",
    endpoints: [
      { method: "GET", path: paths.authorized, refusal: "page", handle: showOutcome },
      // For flows with response_mode=form_post.
      { method: "POST", path: paths.authorized, refusal: "page", handle: showOutcome },
      {
        method: "GET",
        path: paths.walk,
        refusal: "page",
        handle: lazy(async () => (await importSteps()).showWalk),
      },
      {
        method: "POST",
        path: paths.walk,
        refusal: "page",
        handle: lazy(async () => (await importSteps()).answerStep),
      },
    ],
  };
}
