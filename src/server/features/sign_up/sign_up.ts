/** The sign-up: prompt=create shows a page on which a person makes an account (Initiating User Registration via OpenID Connect 1.0). */

import { lazy } from "../../../ground/values/lazy.ts";
import { present } from "../../../ground/values/present.ts";
import { createFormEndpoint } from "../../oauth/authorization/steps.ts";
import { suggestConfiguration } from "../../oauth/clients/records/client_remedy.ts";
import type { Feature, SignUp } from "../../oauth/contracts/feature.ts";
import type { Setting } from "../../oauth/contracts/feature_values.ts";
import { createParams } from "../../oauth/contracts/params.ts";
import { paths } from "../../oauth/contracts/paths.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import { refuseOption } from "../../oauth/options/set_up_mistake.ts";

const spec = "Initiating User Registration via OpenID Connect 1.0";

const refusal = refusals({ error: "invalid_request", spec: `${spec} §4.1` }, {
  prompt_create_off: {
    sentence: "The request asks for a sign-up (prompt=create), and this server has none: signUp is off",
    expected: "values that the server supports",
    change: "Set signUp to true in the configuration of the server, or leave out prompt=create.",
  },
  prompt_create_with_others: {
    sentence: "prompt=create cannot be combined with {other}, which asks for another page",
    expected: "create alone, or with consent",
    change: "Send prompt=create alone.",
  },
  sign_up_for_known_person: {
    sentence: "The request asks for a new person, and names one who exists",
    expected: "prompt=create without id_token_hint, and without a value of sub in claims",
    change: "Leave out the hint, or leave out prompt=create.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** The option of the sign-up. */
export interface SignUpOptions {
  /**
   * Whether `prompt=create` shows a page on which a person makes an account, in a test and with the command `start`. The
   * person needs a password if other people have one. Default: `false`.
   */
  readonly signUp?: boolean;
}

const setting: Setting<boolean, void> = {
  name: "signUp",
  schema: { type: "boolean" },
  read(option, { addsPeople }) {
    if (option && !addsPeople) {
      refuseOption("signUp", "needs the test kit or the command start, which can add people");
    }
  },
};

const importSteps = () => import("./loaded_late.ts");

export function signUp({ signUp: isOn = false }: SignUpOptions): Feature<"sign_up"> {
  return {
    name: "sign_up",
    spec,
    settings: [setting],
    isOff: !isOn,
    endpoints: [
      createFormEndpoint("sign_up", paths.signUp, lazy(async () => (await importSteps()).readSignUp)),
    ],
    asks: findStep,
    signUp: {
      prompts: isOn ? ["create"] : [],
      checkPrompt(values, seen) {
        if (!values.includes("create")) return;
        if (!isOn) throw refusal("prompt_create_off", { ...seen, ...suggestConfiguration({ signUp: true }) });
        const other = values.find((value) => value === "login" || value === "select_account");
        if (other === undefined) return;
        throw refusal("prompt_create_with_others", { other, received: values.join(" ") });
      },
      requestSignUp: isOn ? requestSignUp : () => undefined,
    },
  };
}

/** A request that names a person has none. */
const requestSignUp: SignUp["requestSignUp"] = ({ pending, request }) => {
  if (request.requiredSub !== undefined) return undefined;
  if (pending.params.get("response_type") === undefined) return undefined;
  const prompt = request.prompt?.includes("consent") ? "create consent" : "create";
  const { mustSignIn: _other, signedIn: _earlier, ...others } = pending;
  const kept = pending.params.pairs.filter(([name]) => name !== "prompt");
  const params = createParams([...kept, ["prompt", prompt]]);
  return { ...others, params };
};

const findStep: NonNullable<Feature["asks"]> = (
  { request: { prompt, requiredSub, loginHint }, pending },
  _account,
  services,
) => {
  if (!prompt?.includes("create") || pending.signedIn) return undefined;
  if (requiredSub !== undefined) {
    throw refusal("sign_up_for_known_person", { received: "prompt=create and the sub of a person" });
  }
  const fields = present(loginHint?.includes("@") ? { email: loginHint } : { username: loginHint });
  return {
    question: "sign_up",
    describe: async () => (await importSteps()).describePage(fields, services),
  };
};
