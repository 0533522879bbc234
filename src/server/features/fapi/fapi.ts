/** FAPI 2.0 profiles: one option fills all settings that a profile demands, and refuses what contradicts it. */

import type { ClientMember, Feature } from "../../oauth/contracts/feature.ts";
import type { Setting } from "../../oauth/contracts/feature_values.ts";
import { applyProfiles } from "./apply_profiles.ts";
import { type ProfileName, profileNames } from "./rules.ts";

/** The option of profiles. */
export interface FapiOptions {
  /**
   * The profile of the server and all of its clients. It fills the options that the profile demands, and the server does
   * not start with options that contradict it. A single client has `profile`, too. Default: none.
   */
  readonly profile?: ProfileName;
}

/** What a client can say about its profile. */
export interface FapiClientMembers {
  /** The profile of this client, which fills its members and refuses others. Default: the `profile` of the server. */
  readonly profile?: ProfileName;
}

const schema = { type: "string", enum: profileNames } as const;
const profile: Setting<ProfileName> = { name: "profile", schema, expand: applyProfiles };
const profileMember: ClientMember<ProfileName> = { name: "profile", schema };

export function fapi(): Feature {
  return {
    name: "fapi",
    spec: "FAPI 2.0 Security Profile, Message Signing",
    settings: [profile],
    clientMembers: [profileMember],
  };
}
