/** The steps with the code and the tokens: exchange, refresh, replay, and the clock. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { parseJwt } from "../../../src/ground/crypto/jwt_parts.ts";
import { describeMoment } from "../../../src/server/pages/value.tsx";
import { present } from "../../../src/ground/values/present.ts";
import type { Course } from "./course.ts";
import {
  type Answered,
  callApi,
  exchangeCode,
  readTime,
  refresh,
  type SignedIn,
  signInAsAlice,
} from "./played_client.ts";
import { Answer, lookOf, Result, Step, type StepProps } from "./try_parts.tsx";

export function Exchange({ server, course, take, next }: StepProps): VNode {
  const { tokens } = course;
  const exchange = take(
    "exchange",
    async () => ({ ...course, tokens: await exchangeCode(server, signInOf(course)) }),
  );
  return (
    <Step id="exchange" title="2. Exchange the code">
      <p>
        Now the shop sends the code to the server itself, and gets tokens for it. With the code goes a second
        secret, the verifier. The shop made it up before step 1, and gave the server only a fingerprint of it
        (<code>code_challenge</code>{" "}
        in the address above). A thief who has read the code in the address does not have the verifier, and
        gets nothing. This protection is called PKCE.
      </p>
      <p>
        <button
          type="button"
          class={lookOf("exchange", next)}
          disabled={tokens !== undefined}
          onClick={exchange}
        >
          Exchange the code
        </button>
      </p>
      {tokens && (
        <Result of="exchange">
          <Answer answer={tokens} />
          {tokens.status === 200
            ? (
              <p>
                The <code>id_token</code> tells the shop who signed in: <b>{readSubject(tokens)}</b>. The{" "}
                <code>access_token</code> opens an API in the name of{" "}
                {readSubject(tokens)}, such as a list of orders. The <code>refresh_token</code> is for later.
              </p>
            )
            : <p>The shop has no token. Sign in again to go on.</p>}
        </Result>
      )}
    </Step>
  );
}

function signInOf({ started, callback }: Course): SignedIn {
  return { started: started!, callback: callback! };
}

function readSubject({ members }: Answered): string {
  return `${parseJwt(`${members["id_token"]}`)?.claims["sub"]}`;
}

function latestOf({ refreshed, tokens }: Course): Answered["members"] {
  return (refreshed ?? tokens!).members;
}

export function Refresh({ server, course, take, next }: StepProps): VNode {
  const run = take("refresh", async () => ({
    ...course,
    refreshed: await refresh(server, `${latestOf(course)["refresh_token"]}`),
  }));
  return (
    <Step id="refresh" title="3. Refresh">
      <p>
        An access token ends after an hour. The shop then sends the refresh token, and gets new tokens, and
        the person need not sign in again. A refresh token works once, too: the answer has the next one.
      </p>
      <p>
        <button
          type="button"
          class={lookOf("refresh", next)}
          disabled={course.replayed !== undefined}
          onClick={run}
        >
          Refresh
        </button>
      </p>
      {course.refreshed && (
        <Result of="refresh">
          <Answer answer={course.refreshed} />
        </Result>
      )}
    </Step>
  );
}

export function Replay(steps: StepProps): VNode {
  const { server, course, take, next } = steps;
  const { replayed, afterReplay, turned } = course;
  const run = take("replay", async () => {
    const replayed = await exchangeCode(server, signInOf(course));
    return {
      ...course,
      replayed,
      afterReplay: await refresh(server, `${latestOf(course)["refresh_token"]}`),
    };
  });
  return (
    <Step id="replay" title="4. Send the same code again">
      <p>
        The shop has used the code, and has no reason to send it again. What if the code comes a second time?
      </p>
      <p>
        <button
          type="button"
          class={lookOf("replay", next)}
          disabled={(replayed ?? turned) !== undefined}
          onClick={run}
        >
          Send the code again
        </button>
      </p>
      {turned && !replayed && (
        <Again {...steps}>
          Since you turned the clock, the code has expired, too.
        </Again>
      )}
      {replayed && afterReplay && (
        <Result of="replay">
          <Answer answer={replayed} />
          {replayed.refusal?.reason === "code_replayed"
            ? (
              <>
                <p>
                  <strong>A code works once.</strong>{" "}
                  Two senders had it, so one of them may be a thief, and perhaps the thief came first. The
                  server cannot know. So it refuses the second sender, and it also ends all tokens that the
                  first one got. The shop notices that when it refreshes:
                </p>
                <Answer answer={afterReplay} />
                <p>The person signs in once more, and the shop has new tokens. The thief has nothing.</p>
              </>
            )
            : <Again {...steps}>The code has expired, because it lives for ten minutes.</Again>}
        </Result>
      )}
    </Step>
  );
}

export function Clock(steps: StepProps): VNode {
  const { server, course, take, next } = steps;
  const { replayed, turned, times } = course;
  const run = take("clock", async () => {
    const before = await readTime(server);
    await server.control("POST /clock", { advance: "2h" });
    const turned = await callApi(server, `${latestOf(course)["access_token"]}`);
    return { ...course, turned, times: [before, await readTime(server)] };
  });
  return (
    <Step id="clock" title="5. Turn the clock">
      <p>
        Does the access token really end after an hour? A test does not wait for that: it turns the clock of
        the server. Then the shop calls an API with the old token.
      </p>
      <p>
        <button
          type="button"
          class={lookOf("clock", next)}
          disabled={replayed !== undefined}
          onClick={run}
        >
          Turn the clock by two hours, and call the API
        </button>
      </p>
      {replayed && !turned && (
        <Again {...steps}>
          Since you sent the code again, the tokens of this login have ended.
        </Again>
      )}
      {turned && times && (
        <Result of="clock">
          <p>
            The server's time was {describeMoment(times[0])}. It is now {describeMoment(times[1])}.
          </p>
          <Answer answer={turned} />
          <p>
            The token has ended, so the API refuses it. The shop now refreshes, as in step 3.
          </p>
        </Result>
      )}
    </Step>
  );
}

/** A way on from a login that an earlier step has ended. */
function Again({ server, course, take, children }: StepProps & { readonly children: string }): VNode {
  const run = take("exchange", async () => {
    const signedIn = await signInAsAlice(server);
    return {
      ...signedIn,
      tokens: await exchangeCode(server, signedIn),
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
