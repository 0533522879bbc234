/** The sign-in form: a person signs in with one click or a password, or denies the request. */

import type { Feature } from "../../oauth/contracts/feature.ts";
import { paths } from "../../oauth/contracts/paths.ts";
import { answerSignIn } from "./answer_sign_in.ts";

export function signIn(): Feature<"sign_in"> {
  return {
    name: "sign_in",
    spec: "OAuth 2.1 §3.1",
    endpoints: [{
      method: "POST",
      name: "sign_in",
      path: paths.signIn,
      refusal: "page",
      handle: answerSignIn,
    }],
  };
}
