/** The look-alikes by name. Loaded when a test first uses a misbehaviour or a look-alike. */

import { catalogue } from "../catalogue.ts";
import type { Act, Acts, LaxSettings, Misbehaviour, Tools } from "../misbehaviour.ts";
import { type SeamName, seamNames } from "../../../server/oauth/contracts/seams.ts";
// Alike ones follow each other, so that the modules of a page are compressed well.
import { entra } from "./entra.ts";
import { keycloak } from "./keycloak.ts";
import { okta } from "./okta.ts";
import { apple } from "./apple.ts";
import { auth0 } from "./auth0.ts";
import { cognito } from "./cognito.ts";
import { facebook } from "./facebook.ts";
import { discord } from "./discord.ts";
import { github } from "./github.ts";
import { gitlab } from "./gitlab.ts";
import { google } from "./google.ts";
import { atlassian } from "./atlassian.ts";
import { slack } from "./slack.ts";
import { slackOpenid } from "./slack_openid.ts";
import { linkedin } from "./linkedin.ts";
import type { LookAlike } from "./look_alike.ts";
import type { LookAlikeName } from "./providers.ts";
import { present } from "../../../ground/values/present.ts";

export const lookAlikes: Readonly<Record<LookAlikeName, LookAlike>> = {
  apple,
  atlassian,
  auth0,
  cognito,
  discord,
  entra,
  facebook,
  github,
  gitlab,
  google,
  keycloak,
  linkedin,
  okta,
  slack,
  slack_openid: slackOpenid,
};

export function combineDifferences({ differences }: LookAlike): Pick<Misbehaviour, "acts" | "settings"> {
  const parts = differences.flatMap(({ same, settings, acts }) => [
    ...(same === undefined ? [] : [catalogue.get(same)!]),
    { settings, acts },
  ]);
  const settings = Object.assign({}, ...parts.map((each) => each.settings)) as LaxSettings;
  return {
    ...present({ settings: Object.keys(settings).length === 0 ? undefined : settings }),
    acts: (tools: Tools) => combineActs(parts.map((each) => each.acts?.(tools) ?? {})),
  };
}

function combineActs(all: readonly Acts[]): Acts {
  return Object.fromEntries(seamNames.flatMap((seam) => {
    const acts = all.flatMap((each) => each[seam] ?? []);
    return acts.length === 0 ? [] : [[seam, runInOrder(acts as readonly Act<SeamName>[])]];
  }));
}

function runInOrder<N extends SeamName>(acts: readonly Act<N>[]): Act<N> {
  return async (value, at) => {
    let current = value;
    for (const act of acts) current = await act(current, at);
    return current;
  };
}
