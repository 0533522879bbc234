/** The first step: a person signs in on the pages of the server, which a frame shows, or without them. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
/// <reference lib="dom" />

import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import type { PageMock } from "../../../src/tools/browser/mod.ts";
import { type SignedIn, signInAsAlice, startLogin } from "./played_client.ts";
import { Step, Value } from "./try_parts.tsx";

interface SignInProps extends Partial<SignedIn> {
  readonly as: PageMock;
  readonly signedIn: (outcome: SignedIn) => void;
}

export function SignIn({ as, started, callback, signedIn }: SignInProps): VNode {
  const frame = useRef<HTMLIFrameElement>(null);
  const [isOpen, setOpen] = useState(false);
  const open = async () => {
    const started = startLogin(as);
    setOpen(true);
    try {
      signedIn({ started, callback: await as.window(started.url, { frame: frame.current! }) });
    } finally {
      setOpen(false);
    }
  };
  const skip = async () => signedIn(await signInAsAlice(as));
  return (
    <Step id="sign-in" title="1. Sign in">
      <p>
        The shop sends the browser to the server. There a person signs in, and the server sends the browser
        back to the shop. What the person types there stays at the server: the shop never sees it.
      </p>
      <p class="onward">
        <button type="button" class="button primary" disabled={isOpen} onClick={open}>
          Go to the server
        </button>
        <button type="button" class="button" disabled={isOpen} onClick={skip}>
          Sign in as alice, without its pages
        </button>
      </p>
      <iframe ref={frame} title="The pages of the server" hidden={!isOpen} />
      {started && callback && !isOpen && <CameBack started={started} callback={callback} />}
    </Step>
  );
}

/** What travelled through the browser. A person may have refused. */
function CameBack({ started, callback }: SignedIn): VNode {
  const error = callback.searchParams.get("error");
  return (
    <>
      <p>The browser went to the server:</p>
      <Value>{started.url}</Value>
      {error === null ? <p>And it came back to the shop, with a code in its address:</p> : (
        <p>
          And it came back to the shop, with <code>error={error}</code> in its address:
        </p>
      )}
      <Value>{callback.href}</Value>
      {error === null
        ? (
          <p>
            A code is not a token. It passed through the browser, so it may be in its history, in a log, or in
            the hands of another program.
          </p>
        )
        : <p>There is no code, so the shop gets no token. Sign in again to go on.</p>}
    </>
  );
}
