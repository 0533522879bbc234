/** `postern start --metrics`: who may read the metrics, which flags contradict it, and what serves them. */

import { pathOfDemoResource } from "../../oauth/read_demo_resource.ts";
import { CommandError } from "../command_error.ts";
import { readControlFlag, shortestToken } from "../control.ts";
import { describeReach, type Plan } from "../plan.ts";
import { type AnswerMetrics, createMetricsEndpoint, metricsPath } from "./answer_metrics.ts";
import { version } from "../version.ts";
import { createServerMetrics, type ServerMetrics } from "./server_metrics.ts";

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
  const { host, isReached, configuration, settings, settings: { basePath } } = plan;
  if (basePath === metricsPath || pathOfDemoResource(configuration.demoResource) === metricsPath) {
    throw new CommandError(
      `--metrics answers at ${metricsPath}: choose another path for the issuer and --resource`,
    );
  }
  // A proxy may forward requests of other machines without a header that says so.
  if (isReached && (read === true || read.length < shortestToken)) {
    throw new CommandError(
      `${describeReach(host, settings)}, so --metrics needs a token of ${shortestToken} characters or more`,
    );
  }
  return read;
}

export interface Metrics extends ServerMetrics {
  readonly answer: AnswerMetrics;
  readonly needsToken: boolean;
}

/** `flag` is the token that each request must send, or `true`. */
export function createMetrics(flag: string | true, { settings: names }: Plan): Metrics {
  const metrics = createServerMetrics(version, performance.timeOrigin / 1000);
  const token = flag === true ? undefined : flag;
  return {
    ...metrics,
    answer: createMetricsEndpoint({ format: metrics.format, token, names }),
    needsToken: token !== undefined,
  };
}
