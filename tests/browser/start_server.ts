/** A server on a loopback socket, as `postern start` runs it: with its flags, its configuration file and its dashboard. */

import { launchControlled } from "../../src/tools/cli/start/launch_controlled.ts";
import { planDashboard } from "../../src/tools/cli/start/dashboard.ts";
import { type Plan, readPlan } from "../../src/tools/cli/start/plan.ts";
import type { AnsweringServer } from "../../src/tools/cli/start/answering_server.ts";
import { createDashboard } from "../../src/tools/dashboard/dashboard.ts";
import { createWatchedServer } from "../../src/tools/dashboard/watched_server.ts";
import { type Answer, fromRequest, toResponse } from "../../src/ground/http/message.ts";
import type { LookAlikeName } from "../../src/kit/faults/look_alikes/providers.ts";
import type { MisbehaviourName } from "../../src/kit/faults/names.ts";
import { createRecorder } from "../../src/kit/mock/journal/recorder.ts";
import type { Configuration } from "../../src/server/setup/configuration.ts";
import { present } from "../../src/ground/values/present.ts";
import { sampleKey } from "../world.ts";

/** The key that shows secrets in the inspector. */
export const inspectorKey = "the-key-of-the-inspector";

export interface StartOptions {
  /** Default: a free port. */
  readonly port?: number;
  /** `--control`, and its token. */
  readonly control?: string | true;
  readonly misbehave?: readonly MisbehaviourName[];
  readonly like?: LookAlikeName;
  readonly label?: string;
  /** Returns the content of the file of `--config`. */
  readonly configuration?: (issuer: string) => Partial<Configuration>;
}

export interface StartedServer extends AsyncDisposable {
  readonly issuer: string;
  /** Answers without a socket. */
  answer(request: Request): Promise<Answer>;
}

export async function startServer(terms: StartOptions): Promise<StartedServer> {
  const { promise: ready, resolve } = Promise.withResolvers<AnsweringServer>();
  const { port: wanted = 0, configuration } = terms;
  const answer = async (request: Request) => (await ready).answer(fromRequest(request, "127.0.0.1"));
  const socket = Deno.serve(
    { port: wanted, hostname: "127.0.0.1", onListen() {} },
    async (request) => toResponse(await answer(request)),
  );
  const port = `${socket.addr.port}`;
  const plan = configuration === undefined ? await readPlan({ port }) : await withFile(
    JSON.stringify(configuration(`http://localhost:${port}`)),
    (config) => readPlan({ port, config }),
  );
  const server = await launch(plan, terms);
  resolve(server);
  return {
    issuer: plan.settings.issuer,
    answer,
    async [Symbol.asyncDispose]() {
      // At the same time, as at a signal: the server ends its event streams, which the socket waits for.
      await Promise.all([socket.shutdown(), server.close()]);
    },
  };
}

async function launch(
  plan: Plan,
  { control, misbehave = [], like, label }: StartOptions,
): Promise<AnsweringServer> {
  const flags = { store: "memory", "inspector-key": inspectorKey, ...present({ control, label }) };
  const dashboard = planDashboard({ ...flags, port: `${plan.port}` }, plan)!;
  if (control !== undefined || misbehave.length > 0 || like !== undefined) {
    return await launchControlled(plan, { control, misbehave, like, dashboard });
  }
  return createWatchedServer(
    { ...plan.configuration, alg: "ES256", signingKeys: [sampleKey] },
    { dashboard: createDashboard(dashboard), terms: dashboard, recorder: createRecorder() },
  );
}

async function withFile<Result>(text: string, work: (path: string) => Promise<Result>): Promise<Result> {
  const path = await Deno.makeTempFile({ suffix: ".json" });
  try {
    await Deno.writeTextFile(path, text);
    return await work(path);
  } finally {
    await Deno.remove(path);
  }
}
