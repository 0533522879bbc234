/** The features of the servers of a mock. Tenants with the same options share a list of them, with its slots and its router. */

import { remember } from "../../../ground/values/remember.ts";
import { defaultFeatures } from "../../../server/features/mod.ts";
import type { AnyFeature, Services } from "../../../server/oauth/contracts/feature.ts";
import type { Settings } from "../../../server/oauth/contracts/settings.ts";
import type { Decisions } from "../conditions/decisions.ts";
import type { MockOptions } from "../terms/mock_options.ts";

type Configuration = Parameters<typeof defaultFeatures>[0] & { readonly issuer: string };

export interface SharedFeatures {
  /** `usual`: the options from which the configuration follows, if nothing else has changed it. */
  find(configuration: Configuration, usual: MockOptions | undefined): readonly AnyFeature[];
  /** Lets a tenant decide about the requests to one of its servers. */
  bind(services: Services, decisions: Decisions): void;
}

export function createSharedFeatures(): SharedFeatures {
  const decisionsOf = new WeakMap<Settings, Decisions>();
  const lists = new WeakMap<MockOptions, Map<string, readonly AnyFeature[]>>();
  const signIn: AnyFeature = {
    name: "test_sign_in",
    spec: "Postern",
    decides: (asked, services) => decisionsOf.get(services.settings)!.decide(asked, services),
  };
  return {
    find(configuration, usual) {
      const create = () => [...defaultFeatures(configuration), signIn];
      if (usual === undefined) return create();
      // Whether others reach the issuer decides about some features.
      return remember(remember(lists, usual, () => new Map()), new URL(configuration.issuer).origin, create);
    },
    bind: (services, decisions) => void decisionsOf.set(services.settings, decisions),
  };
}
