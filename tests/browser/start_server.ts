/** A server on a loopback socket, as `postern start` runs it: with its flags and its configuration file. */

import { launchControlled } from "../../src/cli/control.ts";
import { readPlan } from "../../src/cli/plan.ts";
import type { AnsweringServer } from "../../src/cli/replaceable_server.ts";
import { fromRequest, toResponse } from "../../src/http/message.ts";
import type { LookAlikeName } from "../../src/misbehaviours/look_alikes/names.ts";
import type { MisbehaviourName } from "../../src/misbehaviours/names.ts";
import type { Configuration } from "../../src/mod.ts";

export interface StartTerms {
  /** `--control`, and its token. */
  readonly control?: string | true;
  readonly misbehave?: readonly MisbehaviourName[];
  readonly like?: LookAlikeName;
  /** The content of the file of `--config`. */
  readonly configuration?: Partial<Configuration>;
}

export interface StartedServer extends AsyncDisposable {
  readonly issuer: string;
}

export async function startServer(terms: StartTerms): Promise<StartedServer> {
  const { promise: ready, resolve } = Promise.withResolvers<AnsweringServer>();
  const socket = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const server = await ready;
    return toResponse(await server.answer(fromRequest(request, "127.0.0.1")));
  });
  const port = `${socket.addr.port}`;
  const { control, misbehave, like, configuration } = terms;
  const plan = configuration === undefined
    ? await readPlan({ port })
    : await withFile(JSON.stringify(configuration), (config) => readPlan({ port, config }));
  const server = await launchControlled(plan, { control, like, ...(misbehave && { misbehave }) });
  resolve(server);
  return {
    issuer: plan.settings.issuer,
    async [Symbol.asyncDispose]() {
      await socket.shutdown();
      await server.close();
    },
  };
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
