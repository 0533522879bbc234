/** Runs the client of the page against the service worker of the site. The page loads this module for the first step. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
/// <reference lib="dom" />

import { render, type TargetedEvent, type VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { startWorker } from "../../../src/tools/browser/start_worker.ts";
import type { StartedWorker } from "../../../src/tools/browser/worker_terms.ts";
import { Clock, Exchange, Refresh, Replay } from "./code_steps.tsx";
import { type Course, forgetCourse, keepCourse, readCourse } from "./course.ts";
import { type ClientId, findRedirectUri } from "./played_client.ts";
import { SignIn } from "./sign_in.tsx";
import { plan } from "./plan.ts";
import { resultId, type StepId, type StepProps } from "./try_parts.tsx";
import { Wrong } from "./wrong_step.tsx";

const clientNames: Readonly<Record<ClientId, string>> = {
  "shop": "the shop",
  "naive-shop": "the naive shop",
  "careful-shop": "the careful shop",
};

/** `script` is the worker that keeps the site: it is the server, too. */
export async function runTry(place: HTMLElement, script: string): Promise<void> {
  const server = await startWorker({
    script,
    clients: (Object.keys(clientNames) as ClientId[]).map((id) => ({
      ...{ client_id: id, client_name: clientNames[id], redirect_uris: [findRedirectUri()] },
    })),
    // The longest life of a code, because people read in between.
    lifetimes: { code: "10m" },
  });
  const course = readCourse();
  if (course === undefined) await server.control("POST /reset");
  place.replaceChildren();
  render(<Try server={server} first={course ?? {}} />, place);
}

function Try({ server, first }: {
  readonly server: StartedWorker;
  readonly first: Course;
}): VNode {
  const [course, setCourse] = useState(first);
  const [newest, setNewest] = useState(first.tokens === undefined ? "sign-in" : undefined);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    keepCourse(course);
    if (newest !== undefined) {
      (document.getElementById(resultId(newest)) ?? document.getElementById(newest))?.focus();
    }
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
  const steps = { server, course, take, next: findNext(course) };
  const hasTokens = course.tokens?.status === 200;
  const shown = hasCode(course) ? 2 : 1;
  return (
    <div class="trying">
      <div class="steps">
        <p class="notice problem" role="alert" hidden={problem === undefined}>
          The step could not be done: {problem}. Load the page again.
        </p>
        <SignIn {...steps} />
        {hasCode(course) && <Exchange {...steps} />}
        {hasTokens && <Refresh {...steps} />}
        {hasTokens && <Replay {...steps} />}
        {hasTokens && <Clock {...steps} />}
        {!hasTokens && (
          <ol class="plan" id="to-come" start={shown + 1}>
            {plan.slice(shown, -1).map((step) => <li key={step}>{step}</li>)}
          </ol>
        )}
        <Wrong {...steps} />
        <p>
          <button type="button" class="button" onClick={startOver}>Start over</button>
        </p>
      </div>
      <Inspector url={`${server.issuer}/inspector?open=all`} />
    </div>
  );
}

function hasCode({ callback }: Course): boolean {
  return callback !== undefined && new URL(callback).searchParams.has("code");
}

function findNext(course: Course): StepId {
  if (!hasCode(course) || (course.tokens?.status ?? 200) !== 200) return "sign-in";
  if (course.tokens === undefined) return "exchange";
  if (course.replayed !== undefined || course.turned !== undefined) return "wrong";
  return course.refreshed === undefined ? "refresh" : "replay";
}

function startOver(): void {
  forgetCourse();
  location.replace(findRedirectUri());
}

/** The server's own page about the requests that it got. It follows them by itself. */
function Inspector({ url }: { readonly url: string }): VNode {
  return (
    <section class="inspector" aria-labelledby="inspector-title">
      <h2 id="inspector-title">What the server saw</h2>
      <p class="aside">
        This is a page of the server, its inspector. Each line is a request that it got. Open one to read what
        was in it, and why it was refused. <a href={url} target="_blank">Open it in a tab</a>{" "}
        <a class="skip" href="#after-inspector">Skip the inspector</a>
      </p>
      <iframe src={url} title="The inspector of the server" onLoad={fitFrame} />
      <span id="after-inspector" tabIndex={-1} />
    </section>
  );
}

/** Leaves out what the page around the frame says itself, and opens a page that may not be in a frame in a tab. */
function fitFrame({ currentTarget }: TargetedEvent<HTMLIFrameElement>): void {
  const { contentDocument: page, contentWindow } = currentTarget;
  if (page === null || contentWindow === null) return;
  const sheet = new (contentWindow as Window & typeof globalThis).CSSStyleSheet();
  sheet.replaceSync(
    "body > header, body > .conditions, body > footer, .onward > .primary { display: none !important }",
  );
  page.adoptedStyleSheets = [sheet];
  page.addEventListener("click", ({ target }) => {
    const link = (target as Element).closest("a");
    if (link !== null && !new URL(link.href).pathname.includes("/inspector")) link.target = "_blank";
  });
}
