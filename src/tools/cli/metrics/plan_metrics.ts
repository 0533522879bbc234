/** `postern start --metrics`: who may read the metrics, which flags contradict it, and what gathers and serves them. */

import project from "../../../../deno.json" with { type: "json" };
import { CommandError } from "../terminal/command_error.ts";
import { shortestToken } from "../../guard/control_token.ts";
import { describeReach, type Plan } from "../start/plan.ts";
import { type AnswerMetrics, createMetricsEndpoint, metricsPath } from "./metrics_endpoint.ts";
import { createServerMetrics, type ServerMetrics } from "./server_metrics.ts";
import { pathOfDemoResource } from "../../../server/oauth/contracts/paths.ts";

function requireFitForMetrics(flag: string | true, plan: Plan): void {
  const { host, isReached, configuration, settings } = plan;
  if (settings.basePath === metricsPath || pathOfDemoResource(configuration.demoResource) === metricsPath) {
    throw new CommandError(
      `--metrics answers at ${metricsPath}: choose another path for the issuer and --resource`,
    );
  }
  // A proxy may forward requests of other machines without a header that says so.
  if (isReached && (flag === true || flag.length < shortestToken)) {
    throw new CommandError(
      `${describeReach(host, settings)}, so --metrics needs a token of ${shortestToken} characters or more`,
    );
  }
}

export interface Metrics extends ServerMetrics {
  readonly path: string;
  readonly answer: AnswerMetrics;
  readonly needsToken: boolean;
}

/** `flag` is the token that each request must send, or `true`. */
export function planMetrics(flag: string | true, plan: Plan): Metrics {
  requireFitForMetrics(flag, plan);
  const metrics = createServerMetrics(project.version, performance.timeOrigin / 1000);
  const token = flag === true ? undefined : flag;
  return {
    ...metrics,
    path: metricsPath,
    answer: createMetricsEndpoint({ format: metrics.format, token, names: plan.settings }),
    needsToken: token !== undefined,
  };
}
