/** Decides from the configuration which optional features a server has. */

import type { FeatureTerms } from "../oauth/feature_terms.ts";
import type { Configuration } from "./configuration.ts";
import { pathOfDemoResource } from "../oauth/read_demo_resource.ts";
import { acceptsClientDocuments, acceptsFirstUse, acceptsRegistration } from "./server_options.ts";

export function chooseFeatures(configuration: Configuration): FeatureTerms {
  return {
    firstUse: acceptsFirstUse(configuration),
    clientDocuments: acceptsClientDocuments(configuration),
    dpop: configuration.dpop !== false,
    registration: acceptsRegistration(configuration),
    openIntrospection: configuration.openIntrospection ?? false,
    demoResource: pathOfDemoResource(configuration.demoResource),
  };
}
