/**
 * The limit: a server that parses the requests, signs the tokens and answers, and checks nothing but the token that
 * userinfo gets. It listens with the runtime's own server, or as Postern does. Run as a process:
 * `bare_signing PORT ALG SCOPE own|postern`.
 */
import process from "node:process";
import { serve } from "../../../src/server/runtime/serve.ts";
import { type BareAnswer, createBareAnswers } from "./bare_answers.ts";
import { listenOnRuntime } from "./bare_listen.ts";

const [portText, alg = "ES256", scope = "read", listener] = process.argv.slice(2);
const port = Number(portText);
const answer = await createBareAnswers({ alg, scope, issuer: `http://localhost:${port}` });

if (listener === "postern") {
  await serve({
    host: "127.0.0.1",
    port,
    async answer(request): Promise<BareAnswer> {
      const { method, address: { path, query } } = request;
      const body = method === "POST" ? await request.readBody(100_000) : { text: "" };
      if ("problem" in body) throw new Error(`Cannot read the body: ${body.problem}`);
      return await answer({ path, query, authorization: request.header("authorization"), body: body.text });
    },
  });
} else {
  await listenOnRuntime(port, answer);
}
