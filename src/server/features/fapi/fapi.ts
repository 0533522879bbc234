/** FAPI 2.0 profiles: one option fills all settings that a profile demands, and refuses what contradicts it. */

import { refuseOption } from "../../oauth/options/set_up_mistake.ts";
import { findAt, isJsonObject, type JsonObject } from "../../../ground/schema/json_object.ts";
import { describeReceived } from "../../../ground/schema/received.ts";
import {
  algorithmRules,
  clientDemands,
  type Fill,
  mixedRules,
  type ProfileName,
  profileNames,
  type Rule,
  serverRules,
  sharedRules,
  strictestProfile,
} from "./rules.ts";
import type { ClientMember, Feature } from "../../oauth/contracts/feature.ts";
import type { Setting } from "../../oauth/contracts/feature_values.ts";
import { present } from "../../../ground/values/present.ts";

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

/** The values have not passed a schema, which refuses those of a wrong type later. */
export function applyProfiles<Options extends object>(options: Options): Options {
  const { profile, clients, alg } = options as JsonObject;
  const own = findProfile(profile);
  const listed = Array.isArray(clients) ? clients : [];
  const profiles = listed.map((client) => findProfile(Object(client)["profile"]) ?? own);
  const first = own ?? profiles.find((each) => each !== undefined);
  if (first === undefined) return options;
  requireRules([...sharedRules, ...(own === undefined ? mixedRules : serverRules)], options, first);
  const completed = listed.map((client, index) => {
    const profile = profiles[index];
    if (profile === undefined || !isJsonObject(client)) return client;
    const { rules, fills } = clientDemands(profile, client);
    const filled = fillIn(fills, client);
    const place = `clients[${index}].`;
    if (own === "fapi2-message-signing") requireRules([strictestProfile], client, own, place);
    requireRules([...rules, ...algorithmRules(Object.keys(client))], filled, profile, place);
    // Without this member, the server would sign the client's responses with RS256, if it can (JARM §3).
    return alg === undefined ? filled : { authorization_signed_response_alg: alg, ...filled };
  });
  return {
    ...(own === undefined ? options : fillIn([...serverRules, ...announce(own, completed)], options)),
    ...present({ clients: Array.isArray(clients) ? completed : undefined }),
  };
}

function findProfile(value: unknown): ProfileName | undefined {
  return profileNames.find((each) => each === value);
}

function requireRules(rules: readonly Rule[], options: object, profile: ProfileName, before = ""): void {
  for (const { place, section, expected, fits } of rules) {
    const value = findAt(place, options);
    if (fits(value, options as JsonObject)) continue;
    const wrong = [value].flat().find((each) => !fits(each, options as JsonObject));
    refuseOption(
      before + place,
      `${expected} with the profile ${profile} (FAPI 2.0 ${section.replace(/^§/, "Security Profile §")})`,
      wrong === undefined ? undefined : describeReceived(before + place, wrong),
    );
  }
}

/** A lifetime is one level deep, and all other places are at the top. */
function fillIn<Options extends object>(fills: readonly Fill[], options: Options): Options {
  const filled = { ...options } as Record<string, unknown>;
  for (const { place, fill } of fills) {
    if (fill === undefined || findAt(place, filled) !== undefined) continue;
    const [name = "", member] = place.split(".");
    filled[name] = member === undefined ? fill : { ...filled[name] as object, [member]: fill };
  }
  return filled as Options;
}

/** The server announces private_key_jwt and the other methods that clients use, and what all clients must do. */
function announce(profile: ProfileName, clients: readonly unknown[]): readonly Fill[] {
  const valuesOf = (name: string) => clients.map((client) => findAt(name, client));
  const methods = [...new Set(["private_key_jwt", ...valuesOf("token_endpoint_auth_method")])];
  const isSigned = profile === "fapi2-message-signing" &&
    !valuesOf("require_signed_request_object").includes(false);
  return [
    { place: "clientAuthMethods", fill: methods },
    { place: "requireSignedRequests", fill: isSigned || undefined },
  ];
}
