/** Makes the server look like a well-known provider. A look-alike has no verdict, because clients must work with it. */

import { type LookAlikeName, lookAlikeNames, providers } from "../../faults/look_alikes/providers.ts";
import { findFittingHost } from "../../faults/look_alikes/provider_hosts.ts";
import { describeValue } from "../../../ground/schema/received.ts";
import { present } from "../../../ground/values/present.ts";
import { requireTerms, types } from "../terms/known_options.ts";
import { requireOneOf, WrongTerm } from "../terms/wrong_term.ts";
import type { ActiveList } from "./active_list.ts";
import { nameLookAlike } from "./active_misbehaviour.ts";

/** Options of `lookLike`. */
export interface LookLikeTerms {
  /** The id of the client to which the server looks like the provider. Default: every client. */
  readonly client?: string;
  /** The host of the tenant, if each tenant of the provider has its own: "shop.eu.auth0.com". Default: an invented one. */
  readonly host?: string;
}

/** A look-alike that is on until it is disposed of. */
export interface LookingLike extends Disposable {
  readonly name: LookAlikeName;
  /** How many answers of the server were as the provider would send them, and not as the server would. */
  readonly count: number;
}

/** Lets the server answer at the hosts of the provider, until the result is called. */
export type ClaimHosts = (name: LookAlikeName, host: string, client: string | undefined) => () => void;

export function lookLike(
  name: LookAlikeName,
  terms: LookLikeTerms,
  activeList: ActiveList,
  claimHosts: ClaimHosts | undefined,
  onEnd: () => void,
): LookingLike {
  requireName(name);
  requireOneOf("look like", name, lookAlikeNames);
  requireTerms(`look like ${name}`, terms, types.LookLikeTerms);
  requireNoOther(name, terms, activeList);
  const { client, host } = terms;
  const release = claimHosts?.(name, readHost(name, host), client);
  const active = activeList.switchOn(nameLookAlike(name), present({ client }), () => {
    release?.();
    onEnd();
  });
  return {
    name,
    get count() {
      return active.watcher.actedCount;
    },
    [Symbol.dispose]: active.end,
  };
}

/** The option of a mock has no terms, so people put them beside the name. */
function requireName(name: unknown): void {
  if (typeof name !== "object" || name === null) return;
  throw new TypeError(
    `Cannot look like ${
      describeValue(name)
    }: expected the name of a provider, such as "okta". The host of a tenant is a ` +
      'term of the call: as.lookLike("okta", { host: "acme.okta.com" })',
  );
}

function readHost(name: LookAlikeName, given: string = providers[name].host): string {
  const fitting = findFittingHost(name, given);
  if (fitting === undefined) return given;
  throw new WrongTerm(`look like ${name}`, fitting, describeValue(given));
}

/** Throws if a client would meet two providers at the same time. */
function requireNoOther(name: LookAlikeName, { client }: LookLikeTerms, activeList: ActiveList): void {
  const names: readonly string[] = lookAlikeNames.map(nameLookAlike);
  const other = activeList.active.find(({ name, terms }) =>
    names.includes(name) &&
    (client === undefined || terms.client === undefined || client === terms.client)
  );
  if (other === undefined) return;
  throw new TypeError(`Cannot look like ${name}: ${other.name} is on, so switch it off first`);
}
