/** Runs the client of the page against the service worker of the site. The page loads this module for the first step. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
/// <reference lib="dom" />

import { render, type VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { startWorker } from "../../../src/tools/browser/start_worker.ts";
import type { StartedWorker } from "../../../src/tools/browser/worker_terms.ts";
import { Clock, Exchange, Refresh, Replay } from "./code_steps.tsx";
import { type Course, keepCourse, readCourse } from "./course.ts";
import { clientId, findRedirectUri } from "./played_client.ts";
import { SignIn } from "./sign_in.tsx";
import { resultId, type StepProps } from "./try_parts.tsx";
import { readWrongWords, Wrong, type WrongWords } from "./wrong_step.tsx";

/** `script` is the worker that keeps the site: it is the server, too. */
export async function runTry(place: HTMLElement, script: string): Promise<void> {
  const server = await startWorker({
    script,
    clients: [{ client_id: clientId, client_name: "The shop", redirect_uris: [findRedirectUri()] }],
  });
  const course = readCourse();
  if (course === undefined) {
    await server.control("POST /reset");
    // A code lives for some minutes, and a person reads as long as they like.
    await server.control("POST /clock", { freeze: true });
  }
  const words = await readWrongWords(server);
  place.replaceChildren();
  render(<Try server={server} words={words} first={course ?? {}} />, place);
}

function Try({ server, words, first }: {
  readonly server: StartedWorker;
  readonly words: WrongWords;
  readonly first: Course;
}): VNode {
  const [course, setCourse] = useState(first);
  const [newest, setNewest] = useState(first.tokens === undefined ? "sign-in" : undefined);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    keepCourse(course);
    if (newest !== undefined) document.getElementById(resultId(newest))?.focus();
  }, [course]);
  const take: StepProps["take"] = (of, step) => async () => {
    setProblem(undefined);
    try {
      const next = await step();
      setNewest(of);
      setCourse(next);
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  const steps = { server, course, take };
  const hasTokens = course.tokens?.status === 200;
  const hasCode = course.callback !== undefined && new URL(course.callback).searchParams.has("code");
  return (
    <div class="trying">
      <div class="steps">
        <p class="notice problem" role="alert" hidden={problem === undefined}>
          The step could not be done: {problem}. Load the page again.
        </p>
        <SignIn {...steps} />
        {hasCode && <Exchange {...steps} />}
        {hasTokens && <Refresh {...steps} />}
        {hasTokens && <Replay {...steps} />}
        {hasTokens && <Clock {...steps} />}
        <Wrong {...steps} words={words} />
      </div>
      <Inspector url={`${server.issuer}/inspector?open=all`} />
    </div>
  );
}

/** The server's own page about the requests that it got. It follows them by itself. */
function Inspector({ url }: { readonly url: string }): VNode {
  return (
    <section class="inspector" aria-labelledby="inspector-title">
      <h2 id="inspector-title">What the server saw</h2>
      <p class="aside">
        This is a page of the server, its inspector. Each line is a request that it got. Open one to read what
        was in it, and why it was refused. <a href={url} target="_blank">Open it in a tab</a>
      </p>
      <iframe src={url} title="The inspector of the server" />
    </section>
  );
}
