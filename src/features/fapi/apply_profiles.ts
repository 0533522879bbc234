/** Applies the profiles of a configuration: fills what they demand, and refuses what contradicts them. */

import { refuseOption } from "../../oauth/set_up_mistake.ts";
import { isJsonObject, type JsonObject } from "../../schema/json_object.ts";
import { findAt } from "../../schema/place.ts";
import { describeReceived } from "../../schema/received.ts";
import {
  algorithmMember,
  algorithmRule,
  clientRules,
  mixedRules,
  type ProfileName,
  profileNames,
  type Rule,
  serverRules,
  sharedRules,
} from "./rules.ts";

/** The values have not passed a schema. One of a wrong type is left to the schema. */
export function applyProfiles<Options extends object>(options: Options): Options {
  const { profile, clients } = options as JsonObject;
  const own = findProfile(profile);
  const listed = Array.isArray(clients) ? clients : [];
  const ofClients = listed.map((client) => isJsonObject(client) ? findProfile(client["profile"]) : undefined);
  const any = own ?? ofClients.find((each) => each !== undefined);
  if (any === undefined) return options;
  requireRules(sharedRules, options, { profile: any });
  requireRules(own === undefined ? mixedRules : serverRules, options, { profile: any });
  const filled = own === undefined ? options : fillRules(serverRules, options);
  const completed = listed.map((client, index) => {
    const profile = ofClients[index] ?? own;
    return profile === undefined || !isJsonObject(client)
      ? client
      : completeClient(client, { profile, place: `clients[${index}].` }, options);
  });
  return {
    ...filled,
    ...(own === undefined ? {} : narrowMethods(options, completed)),
    ...(Array.isArray(clients) ? { clients: completed } : {}),
  };
}

function findProfile(value: unknown): ProfileName | undefined {
  return profileNames.find((each) => each === value);
}

interface Applied {
  readonly profile: ProfileName;
  /** Precedes the places of the rules: "clients[0].". */
  readonly place?: string;
}

function completeClient(
  client: JsonObject,
  applied: Applied,
  { alg }: { readonly alg?: unknown },
): JsonObject {
  const algorithms = Object.keys(client).filter((name) => algorithmMember.test(name));
  const filled = fillRules(clientRules, client);
  requireRules(
    [...clientRules, ...algorithms.map((place) => ({ place, ...algorithmRule }))],
    filled,
    applied,
  );
  // The specification's default is RS256 where the server has it.
  return alg === undefined ? filled : { authorization_signed_response_alg: alg, ...filled };
}

function requireRules(rules: readonly Rule[], options: object, { profile, place = "" }: Applied): void {
  for (const rule of rules) {
    const value = findAt(rule.place, options);
    if (rule.fits(value)) continue;
    const at = place + rule.place;
    const received = value === undefined ? undefined : describeReceived(at, value);
    const section = `FAPI 2.0 Security Profile ${rule.rule}`;
    refuseOption(at, `${rule.expected} with profile ${profile} (${section})`, received);
  }
}

/** A lifetime is one level deep, and all other places are at the top. */
function fillRules<Options extends object>(rules: readonly Rule[], options: Options): Options {
  const filled = { ...options } as Record<string, unknown>;
  for (const { place, fill } of rules) {
    if (fill === undefined || findAt(place, filled) !== undefined) continue;
    const [name = "", member] = place.split(".");
    filled[name] = member === undefined ? fill : { ...filled[name] as object, [member]: fill };
  }
  return filled as Options;
}

/** Announces private_key_jwt, and the other methods that clients use. */
function narrowMethods(options: object, clients: readonly unknown[]): object {
  if (findAt("clientAuthMethods", options) !== undefined) return {};
  const used = clients.map((client) => findAt("token_endpoint_auth_method", client));
  return { clientAuthMethods: [...new Set(["private_key_jwt", ...used])] };
}
