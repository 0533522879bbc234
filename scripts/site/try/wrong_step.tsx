/** The last step: the server is wrong on purpose, and two clients sign alice in. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
/// <reference lib="dom" />

import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { MisbehaviourName } from "../../../src/kit/mod.ts";
import type { StartedWorker } from "../../../src/tools/browser/worker_terms.ts";
import { logIn, type Outcome } from "./played_client.ts";
import { ClientOutcome, lookOf, Result, Step, type StepProps } from "./try_parts.tsx";

interface Fault {
  /** What the server does, as a clause, with the name of the part that is wrong. */
  readonly says: string;
  /** What an attacker gains from a client that does not notice. */
  readonly gain: string;
}

const faults = {
  "authorization_response.state_changed": {
    says: "the answer belongs to another login (state)",
    gain:
      "An attacker who sends alice a link with their own code signs her in to the account of the attacker.",
  },
  "authorization_response.iss_wrong": {
    says: "the answer says that it comes from another server (iss)",
    gain:
      "An attacker who runs another server gets a code of this one, because the client mixes the servers up.",
  },
  "id_token.alg_none": {
    says: "the ID token has no signature (alg: none)",
    gain: "An attacker writes an ID token without any key, and signs in as any person.",
  },
  "id_token.signature_bad": {
    says: "the ID token was changed after it was signed (signature)",
    gain: "An attacker changes the claims of an ID token, and signs in as any person.",
  },
  "id_token.nonce_wrong": {
    says: "the ID token belongs to another login (nonce)",
    gain: "An attacker uses an ID token of another login of alice, and signs in as her.",
  },
  "id_token.aud_wrong": {
    says: "the ID token is for another shop (aud)",
    gain: "An attacker who runs another client uses alice's ID token from there, and signs in as her.",
  },
  "id_token.exp_past": {
    says: "the ID token ended long ago (exp)",
    gain: "An attacker who finds an old ID token signs in with it, long after alice has left.",
  },
} as const satisfies Partial<Record<MisbehaviourName, Fault>>;

type WrongName = keyof typeof faults;

const names = Object.keys(faults) as readonly WrongName[];

export function Wrong({ server, course, take, next }: StepProps): VNode {
  const { outcomes } = course;
  const [name, setName] = useState(names.find((each) => each === outcomes?.name) ?? names[0]!);
  const { says, gain } = faults[name];
  const run = take("wrong", async () => ({
    ...course,
    outcomes: { name, naive: await play(server, name, false), careful: await play(server, name, true) },
  }));
  return (
    <Step id="wrong" title="6. Let the server be wrong">
      <p>
        A server can be broken, and an attacker can change what it says. A client has to notice that. Here the
        server is wrong on purpose, and two shops sign alice in: a naive one, which checks nothing, and a
        careful one, which makes the checks that the rules demand. Each such fault is called a{" "}
        <i>misbehaviour</i>. These are {names.length} of{" "}
        <a href="reference/misbehaviours.html">all that the server has</a>. You can do this step at any time.
      </p>
      <p>
        <label for="misbehaviour">What is wrong</label>
        <select
          id="misbehaviour"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value as WrongName)}
        >
          {names.map((each) => <option key={each} value={each}>{beginSentence(faults[each].says)}</option>)}
        </select>
      </p>
      <p class="aside">{gain}</p>
      <p>
        <button type="button" class={lookOf("wrong", next)} onClick={run}>Let both sign in</button>
      </p>
      {outcomes?.name === name && (
        <Result of="wrong">
          <dl class="facts" data-misbehaviour={name}>
            <ClientOutcome title="The naive shop" fault={says} outcome={outcomes.naive} />
            <ClientOutcome title="The careful shop" fault={says} outcome={outcomes.careful} />
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

function beginSentence(clause: string): string {
  return clause.slice(0, 1).toUpperCase() + clause.slice(1);
}
