/** Creates the metrics of a process, and the endpoint that serves them. */

import type { Plan } from "../plan.ts";
import { version } from "../version.ts";
import { type AnswerMetrics, createMetricsEndpoint } from "./answer_metrics.ts";
import { createServerMetrics, type ServerMetrics } from "./server_metrics.ts";

export interface Metrics extends ServerMetrics {
  readonly answer: AnswerMetrics;
  readonly needsToken: boolean;
}

/** `flag` is the token that each request must send, or `true`. */
export function createMetrics(flag: string | true, { settings: { issuerHost } }: Plan): Metrics {
  const metrics = createServerMetrics({ version, startedAt: performance.timeOrigin / 1000 });
  const token = flag === true ? undefined : flag;
  return {
    ...metrics,
    answer: createMetricsEndpoint({ format: metrics.format, token, issuerHost }),
    needsToken: token !== undefined,
  };
}
