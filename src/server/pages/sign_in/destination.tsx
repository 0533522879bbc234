/** Shows users which host or app receives the authorization response. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { BreakableAddress, BreakableHost } from "../breakable_address.tsx";
import { fill } from "../../../ground/values/fill.ts";
import { useWords } from "../words/use_words.ts";

export type Destination =
  | { readonly kind: "web"; readonly host: string; readonly loopback: boolean }
  | { readonly kind: "app"; readonly scheme: string };

export function readDestination(uri: string): Destination | undefined {
  if (!URL.canParse(uri)) return undefined;
  const url = new URL(uri);
  if (url.protocol !== "http:" && url.protocol !== "https:") return { kind: "app", scheme: url.protocol };
  const loopback = /^(localhost|.+\.localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/.test(url.hostname);
  return { kind: "web", host: url.host, loopback };
}

/** Renders the sentence "The answer will go to …", with the host as browsers normalise it. */
export function DestinationSentence({ uri }: { readonly uri: string }): VNode {
  const words = useWords();
  const destination = readDestination(uri);
  const { web, here, app } = words.destination;
  return (
    <p id="destination">
      {destination?.kind === "app"
        ? fill(app, { scheme: <strong class="host">{destination.scheme}</strong> })
        : fill(destination?.loopback ? here : web, {
          host: destination === undefined ? <Uri uri={uri} /> : (
            <strong class="host">
              <BreakableHost host={destination.host} />
            </strong>
          ),
        })}
    </p>
  );
}

export function Uri({ uri, id }: { readonly uri: string; readonly id?: string | undefined }): VNode {
  const [before, emphasised, after] = splitUri(uri);
  return (
    <code class="value address" id={id}>
      {before}
      {emphasised && <strong class="host">{emphasised}</strong>}
      <BreakableAddress text={after} />
    </code>
  );
}

/** Splits the URI around its host or scheme. If the text differs from the parsed value, nothing is emphasised. */
function splitUri(uri: string): readonly [before: string, emphasised: string, after: string] {
  const destination = readDestination(uri);
  if (destination?.kind === "app") {
    const { length } = destination.scheme;
    if (uri.slice(0, length).toLowerCase() === destination.scheme) {
      return ["", uri.slice(0, length), uri.slice(length)];
    }
  }
  if (destination?.kind === "web") {
    // The first group skips user information such as `user@`, which may look like a host.
    const [, before = "", host = ""] = /^(https?:\/\/(?:[^/?#\\]*@)?)([^/?#\\@]+)/i.exec(uri) ?? [];
    if (host.toLowerCase() === destination.host) {
      return [before, host, uri.slice(before.length + host.length)];
    }
  }
  return [uri, "", ""];
}
