/** The first step: the browser leaves for the pages of the server, and comes back with a code. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
/// <reference lib="dom" />

import type { VNode } from "preact";
import { keepCourse } from "./course.ts";
import { type SignedIn, signInAsAlice, startLogin } from "./played_client.ts";
import { lookOf, Result, Step, type StepProps, Value } from "./try_parts.tsx";

export function SignIn({ server, course, take, next }: StepProps): VNode {
  const { started, callback, outcomes } = course;
  const leave = take("sign-in", async () => {
    const started = startLogin(server, "shop");
    keepCourse({ started, ...outcomes && { outcomes } });
    location.assign(started.url);
    return await new Promise<never>(() => {});
  });
  const skip = take(
    "sign-in",
    async () => ({ ...await signInAsAlice(server), ...outcomes && { outcomes } }),
  );
  return (
    <Step id="sign-in" title="1. Sign in">
      <p>
        The shop does not ask alice for a password. It sends the browser to the server, with an address that
        says who asks and where to return to. There alice says who she is, and whether the shop may know it.
        Then the server sends the browser back. The shop never sees what alice types at the server.
      </p>
      <p>
        Now you are alice. You leave this page for a page of the server: choose Alice, and approve. You come
        back to this page, because this page is the shop.
      </p>
      <p class="onward">
        <button type="button" class={lookOf("sign-in", next)} onClick={leave}>Go to the server</button>
        <button type="button" class="button" onClick={skip}>Sign in as alice, without its pages</button>
      </p>
      {started && callback && (
        <Result of="sign-in">
          <CameBack started={started} callback={callback} />
        </Result>
      )}
    </Step>
  );
}

/** What travelled through the browser. A person may have refused. */
function CameBack({ started, callback }: SignedIn): VNode {
  const error = new URL(callback).searchParams.get("error");
  return (
    <>
      <details>
        <summary>The browser went to an address of the server, which says who asks</summary>
        <Value>{started.url}</Value>
      </details>
      {error === null
        ? (
          <p>
            It came back to this address of the shop, which has a <strong>code</strong>
            {location.href === callback && " (it is in the address bar, too)"}:
          </p>
        )
        : (
          <p>
            It came back to the shop, with <code>error={error}</code> in its address:
          </p>
        )}
      <Value>{callback}</Value>
      {error === null
        ? (
          <p>
            The code says that the person has agreed, but it opens nothing by itself. It has passed through
            the browser. So it may be in the history, in a log, or in the hands of another program. The next
            steps show what protects it.
          </p>
        )
        : <p>There is no code, so the shop learns nothing about the person. Sign in again to go on.</p>}
    </>
  );
}
