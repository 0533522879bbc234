/** Runs the server and its client in the page. The page loads this module when a person starts the server. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
/// <reference lib="dom" />

import { render, type VNode } from "preact";
import { useState } from "preact/hooks";
import { catalogue } from "../../../src/kit/faults/catalogue.ts";

import { parseJwt } from "../../../src/server/crypto/jwt_parts.ts";
import { describeMoment } from "../../../src/server/pages/value.tsx";
import { present } from "../../../src/server/values/present.ts";
import { createMock, type MisbehaviourName, type PageMock } from "../../../src/tools/browser/mod.ts";
import { Journal } from "./journal.tsx";
import {
  type Answered,
  callApi,
  exchangeCode,
  logIn,
  type Outcome,
  refresh,
  shop,
  type SignedIn,
  signInAsAlice,
} from "./played_client.ts";
import { SignIn } from "./sign_in.tsx";
import { Answer, ClientOutcome, Step } from "./try_parts.tsx";

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

const wrong = Object.keys(gains) as readonly WrongName[];

/** What the client has, and what came of each step. */
interface Course extends Partial<SignedIn> {
  readonly tokens?: Answered;
  readonly replayed?: Answered;
  readonly afterReplay?: Answered;
  readonly refreshed?: Answered;
  readonly turned?: Answered;
  /** The server's time before the clock was turned, in seconds. */
  readonly turnedFrom?: number;
  readonly outcomes?: { readonly name: WrongName; readonly naive: Outcome; readonly careful: Outcome };
}

export async function runTry(place: HTMLElement): Promise<void> {
  const as = await createMock({ clients: [{ ...shop, redirect_uris: [...shop.redirect_uris] }] });
  // A code lives for some minutes, and a person reads as long as they like.
  as.clock.freeze();
  place.replaceChildren();
  render(<Try as={as} />, place);
}

function Try({ as }: { readonly as: PageMock }): VNode {
  const [course, setCourse] = useState<Course>({});
  const take = (step: () => Promise<Course>) => async () => setCourse(await step());
  const steps = { as, course, take };
  const hasTokens = course.tokens?.status === 200;
  return (
    <div class="trying">
      <div class="steps">
        <SignIn as={as} {...course} signedIn={setCourse} />
        {course.callback?.searchParams.has("code") && <Exchange {...steps} />}
        {hasTokens && <Refresh {...steps} />}
        {hasTokens && <Replay {...steps} />}
        {hasTokens && <Clock {...steps} />}
        <Wrong {...steps} />
      </div>
      <Journal as={as} />
    </div>
  );
}

interface StepProps {
  readonly as: PageMock;
  readonly course: Course;
  readonly take: (step: () => Promise<Course>) => () => Promise<void>;
}

function Exchange({ as, course, take }: StepProps): VNode {
  const { started, callback, tokens } = course;
  const exchange = take(async () => ({ ...course, tokens: await exchangeCode(as, callback!, started!) }));
  return (
    <Step id="exchange" title="2. Exchange the code">
      <p>
        The shop sends the code to the server itself, past the browser. With it goes the verifier, a secret of
        this login that was never in an address. The server had got only its hash (PKCE). A thief of the code
        does not have it.
      </p>
      <p>
        <button type="button" class="button primary" disabled={tokens !== undefined} onClick={exchange}>
          Exchange the code
        </button>
      </p>
      {tokens && <Answer answer={tokens} />}
      {tokens?.status === 200 && (
        <p>
          The ID token tells the shop who signed in:{" "}
          <code>{readSubject(tokens)}</code>. With the access token, the shop calls an API.
        </p>
      )}
      {tokens && tokens.status !== 200 && <p>The shop has no token. Sign in again to go on.</p>}
    </Step>
  );
}

function readSubject({ members }: Answered): string {
  return `${parseJwt(`${members["id_token"]}`)?.claims["sub"]}`;
}

function Refresh({ as, course, take }: StepProps): VNode {
  const latest = course.refreshed ?? course.tokens!;
  const run = take(async () => ({
    ...course,
    refreshed: await refresh(as, `${latest.members["refresh_token"]}`),
  }));
  return (
    <Step id="refresh" title="3. Refresh">
      <p>
        An access token lives for an hour. With the refresh token, the shop gets a new one without the person.
        Each refresh token works once, too, and is replaced by the next one.
      </p>
      <p>
        <button type="button" class="button" disabled={course.replayed !== undefined} onClick={run}>
          Refresh
        </button>
      </p>
      {course.refreshed && <Answer answer={course.refreshed} />}
    </Step>
  );
}

function Clock({ as, course, take }: StepProps): VNode {
  const latest = course.refreshed ?? course.tokens!;
  const run = take(async () => {
    const turnedFrom = as.clock.now;
    as.clock.advance("2h");
    return { ...course, turnedFrom, turned: await callApi(as, `${latest.members["access_token"]}`) };
  });
  return (
    <Step id="clock" title="5. Turn the clock">
      <p>A test need not wait for an hour: it turns the clock of the server. Then the shop calls the API.</p>
      {!course.turned && <p>The server's time is {describeMoment(as.clock.now)}.</p>}
      <p>
        <button type="button" class="button" disabled={course.replayed !== undefined} onClick={run}>
          Turn the clock by two hours, and call the API
        </button>
      </p>
      {course.replayed && !course.turned && (
        <Again {...{ as, course, take }}>
          Since you sent the code again, the tokens of this login have ended.
        </Again>
      )}
      {course.turned && (
        <>
          <Answer answer={course.turned} />
          <p>
            The server's time was {describeMoment(course.turnedFrom!)}. It is now{" "}
            {describeMoment(as.clock.now)}.
          </p>
        </>
      )}
    </Step>
  );
}

function Replay({ as, course, take }: StepProps): VNode {
  const { started, callback, replayed, afterReplay, turned } = course;
  const run = take(async () => {
    const replayed = await exchangeCode(as, callback!, started!);
    const latest = course.refreshed ?? course.tokens!;
    return { ...course, replayed, afterReplay: await refresh(as, `${latest.members["refresh_token"]}`) };
  });
  return (
    <Step id="replay" title="4. Send the same code again">
      <p>What if the code comes a second time, after the shop has exchanged it?</p>
      <p>
        <button type="button" class="button" disabled={(replayed ?? turned) !== undefined} onClick={run}>
          Send the code again
        </button>
      </p>
      {turned && !replayed && (
        <Again {...{ as, course, take }}>Since you turned the clock, the code has expired, too.</Again>
      )}
      {replayed && afterReplay && (
        <>
          <Answer answer={replayed} />
          <p>
            <strong>A code works once.</strong>{" "}
            One of the two senders may be a thief, and the server cannot tell which one came first. So it
            refuses the second one, and ends all tokens of this login. The refresh token of the shop has just
            ended, too:
          </p>
          <Answer answer={afterReplay} />
          <p>The person signs in again, and the thief has nothing.</p>
        </>
      )}
    </Step>
  );
}

/** A way on from a login that an earlier step has ended. */
function Again({ as, course, take, children }: StepProps & { readonly children: string }): VNode {
  const run = take(async () => {
    const { started, callback } = await signInAsAlice(as);
    return {
      ...{ started, callback, tokens: await exchangeCode(as, callback, started) },
      ...present({ outcomes: course.outcomes }),
    };
  });
  return (
    <>
      <p class="aside">{children}</p>
      <p>
        <button type="button" class="button" onClick={run}>Sign in again and exchange</button>
      </p>
    </>
  );
}

function Wrong({ as, course, take }: StepProps): VNode {
  const [name, setName] = useState(wrong[0]!);
  const { outcomes } = course;
  const run = take(async () => {
    const play = async (isCareful: boolean) => {
      using _wrong = as.misbehave(name);
      return await logIn(as, isCareful);
    };
    return { ...course, outcomes: { name, naive: await play(false), careful: await play(true) } };
  });
  return (
    <Step id="wrong" title="6. Switch a misbehaviour on">
      <p>
        The server can be wrong on purpose, as an attacker or a broken server is. Two clients sign alice in:
        one makes no check, and the other makes those that the rules demand.
      </p>
      <p>
        <label for="misbehaviour">The server</label>
        <select
          id="misbehaviour"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value as WrongName)}
        >
          {wrong.map((each) => <option key={each} value={each}>{catalogue.get(each)!.server}</option>)}
        </select>
      </p>
      <p class="aside">{gains[name]}</p>
      <p>
        <button type="button" class="button" onClick={run}>Let both sign in</button>
      </p>
      {outcomes && (
        <dl class="facts" data-misbehaviour={outcomes.name}>
          <ClientOutcome title="The naive client" outcome={outcomes.naive} />
          <ClientOutcome title="The careful client" outcome={outcomes.careful} />
        </dl>
      )}
    </Step>
  );
}
