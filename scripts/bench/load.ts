/** Generates load: runs one flow after another on each of several connections until the time is up. */
import { type HttpConnection, openConnection } from "./http_connection.ts";
import type { ServerProcess } from "./server_process.ts";
import process from "node:process";

/**
 * Prepares the work to measure. It is called once for each connection, before the measured time. The returned function
 * runs one flow and checks every response. It throws at a wrong response.
 */
export type Flow = (connection: HttpConnection, server: ServerProcess) => Promise<() => Promise<void>>;

/** The figures of one stretch of load. */
export interface Slice {
  readonly seconds: number;
  readonly flows: number;
  /** The duration of each flow in milliseconds. */
  readonly latencies: Float64Array;
  /** The used share of one core. */
  readonly serverCpu: number | undefined;
  readonly generatorCpu: number;
}

/** What ends a stretch of load: the time, or the number of flows. */
export interface Stretch {
  readonly seconds: number;
  readonly flows?: number;
}

const answerDeadline = 10_000;

export async function loadFor(
  stretch: Stretch,
  server: ServerProcess,
  flow: Flow,
  connectionCount: number,
): Promise<Slice> {
  const connections: HttpConnection[] = [];
  let timedOut = false;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  const closeAfter = (milliseconds: number) => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => {
      timedOut = true;
      connections.forEach((connection) => connection.close());
    }, milliseconds);
  };
  try {
    const flows: (() => Promise<void>)[] = [];
    for (let index = 0; index < connectionCount; index++) {
      closeAfter(answerDeadline);
      const connection = await openConnection(server.ports[index % server.ports.length]!);
      connections.push(connection);
      flows.push(await flow(connection, server));
    }
    closeAfter(stretch.seconds * 1000 + answerDeadline);
    return await runFlows(stretch, server, flows);
  } catch (problem) {
    throw timedOut ? new Error(`no answer within ${answerDeadline / 1000} s`) : problem;
  } finally {
    clearTimeout(watchdog);
    connections.forEach((connection) => connection.close());
  }
}

async function runFlows(
  { seconds, flows: most = Infinity }: Stretch,
  server: ServerProcess,
  flows: readonly (() => Promise<void>)[],
): Promise<Slice> {
  const latencies: number[] = [];
  let failed = false;
  const serverBefore = server.cpuSeconds();
  const generatorBefore = process.cpuUsage();
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  let lastAt = startedAt;

  await Promise.all(flows.map(async (runFlow) => {
    try {
      for (let now = performance.now(); now < endsAt && latencies.length < most && !failed;) {
        await runFlow();
        lastAt = performance.now();
        latencies.push(lastAt - now);
        now = lastAt;
      }
    } catch (problem) {
      failed = true;
      throw problem;
    }
  }));

  const elapsed = (lastAt - startedAt) / 1000;
  const generator = process.cpuUsage(generatorBefore);
  const serverAfter = server.cpuSeconds();
  return {
    seconds: elapsed,
    flows: latencies.length,
    latencies: Float64Array.from(latencies),
    serverCpu: serverBefore === undefined || serverAfter === undefined
      ? undefined
      : (serverAfter - serverBefore) / elapsed,
    generatorCpu: (generator.user + generator.system) / 1e6 / elapsed,
  };
}
