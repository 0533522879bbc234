/** The last step: the server is wrong on purpose, and two clients sign alice in. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
/// <reference lib="dom" />

import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { MisbehaviourName } from "../../../src/kit/mod.ts";
import type { StartedWorker } from "../../../src/tools/browser/worker_terms.ts";
import { logIn, type Outcome } from "./played_client.ts";
import { ClientOutcome, Result, Step, type StepProps } from "./try_parts.tsx";

/** What an attacker gains from a client that does not notice. */
const gains = {
  "authorization_response.state_changed":
    "An attacker who sends alice a link with their own code signs her in to the account of the attacker.",
  "authorization_response.iss_wrong":
    "An attacker who runs another server gets a code of this one, because the client mixes the servers up.",
  "id_token.alg_none": "An attacker writes an ID token without any key, and signs in as any person.",
  "id_token.signature_bad": "An attacker changes the claims of an ID token, and signs in as any person.",
  "id_token.nonce_wrong": "An attacker uses an ID token of another login of alice, and signs in as her.",
  "id_token.aud_wrong":
    "An attacker who runs another client uses alice's ID token from there, and signs in as her.",
  "id_token.exp_past": "An attacker who finds an old ID token signs in with it, long after alice has left.",
} as const satisfies Partial<Record<MisbehaviourName, string>>;

type WrongName = keyof typeof gains;

const names = Object.keys(gains) as readonly WrongName[];

/** What the server does, in the words of the catalogue. */
export type WrongWords = Readonly<Partial<Record<MisbehaviourName, string>>>;

export async function readWrongWords(server: StartedWorker): Promise<WrongWords> {
  const { misbehaviours } = await server.control("GET /misbehaviours/catalogue") as {
    readonly misbehaviours: readonly { readonly name: string; readonly server: string }[];
  };
  return Object.fromEntries(misbehaviours.map(({ name, server }) => [name, server]));
}

export function Wrong({ server, course, take, words }: StepProps & { readonly words: WrongWords }): VNode {
  const [name, setName] = useState(names[0]!);
  const { outcomes } = course;
  const run = take("wrong", async () => ({
    ...course,
    outcomes: { name, naive: await play(server, name, false), careful: await play(server, name, true) },
  }));
  return (
    <Step id="wrong" title="6. Let the server be wrong">
      <p>
        A server can be broken, and an attacker can change what it says. A client has to notice that. Here the
        server is wrong on purpose, and two clients sign alice in: a naive one, which checks nothing, and a
        careful one, which makes the checks that the rules demand.
      </p>
      <p>
        <label for="misbehaviour">The server</label>
        <select
          id="misbehaviour"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value as WrongName)}
        >
          {names.map((each) => <option key={each} value={each}>{words[each]}</option>)}
        </select>
      </p>
      <p class="aside">{gains[name]}</p>
      <p>
        <button type="button" class="button" onClick={run}>Let both sign in</button>
      </p>
      {outcomes && (
        <Result of="wrong">
          <dl class="facts" data-misbehaviour={outcomes.name}>
            <ClientOutcome title="The naive client" outcome={outcomes.naive} />
            <ClientOutcome title="The careful client" outcome={outcomes.careful} />
          </dl>
        </Result>
      )}
    </Step>
  );
}

async function play(server: StartedWorker, name: WrongName, isCareful: boolean): Promise<Outcome> {
  const { id } = await server.control("POST /misbehaviours", { name }) as { readonly id: string };
  try {
    return await logIn(server, isCareful);
  } finally {
    await server.control(`DELETE /misbehaviours/${id}`);
  }
}
