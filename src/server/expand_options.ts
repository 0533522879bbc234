/** Completes the options, if one of them stands for values of others: a profile. */

import { features } from "./features/mod.ts";

/** The expanded options decide which features are on, so this comes before `defaultFeatures`. */
export function expandOptions<Options extends object>(options: Options): Options {
  return features.reduce(
    (expanded, each) => typeof each === "function" ? expanded : each.expandsOptions?.(expanded) ?? expanded,
    options,
  );
}
