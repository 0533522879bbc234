/** `postern start --metrics`: who may read the metrics, and which flags contradict it. */

import { pathOfDemoResource } from "../../setup/read_demo_resource.ts";
import { CommandError } from "../command_error.ts";
import { readControlFlag, shortestToken } from "../control.ts";
import { describeReach, type Plan } from "../plan.ts";
import { metricsPath } from "./answer_metrics.ts";

/** An alternative to the flag, because other users of this machine can read a command line. */
export const metricsTokenVariable = "POSTERN_METRICS_TOKEN";

/** Returns the flag with the token of the environment. Throws where other machines could read metrics without a token. */
export function readMetricsFlag(
  flag: string | true | undefined,
  plan: Plan,
  environment: Readonly<Record<string, string | undefined>>,
): string | true | undefined {
  const read = readControlFlag(flag, environment, metricsTokenVariable);
  if (read === undefined) return undefined;
  const { host, isReached, configuration, settings: { issuer, basePath } } = plan;
  if (basePath === metricsPath || pathOfDemoResource(configuration.demoResource) === metricsPath) {
    throw new CommandError(
      `--metrics answers at ${metricsPath}: choose another path for the issuer and --resource`,
      2,
    );
  }
  // A proxy may forward requests of other machines without a header that says so.
  if (isReached && (read === true || read.length < shortestToken)) {
    throw new CommandError(
      `${describeReach(host, issuer)}, so --metrics needs a token of ${shortestToken} characters or more`,
      2,
    );
  }
  return read;
}
