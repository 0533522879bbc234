/** Where an answer will go: the part of a redirect URI that people should look at. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { words } from "./words.ts";

/** A web address has a host that receives the answer; any other scheme opens an app. */
export type Destination =
  | { readonly kind: "web"; readonly host: string; readonly loopback: boolean }
  | { readonly kind: "app"; readonly scheme: string };

export function readDestination(uri: string): Destination | undefined {
  if (!URL.canParse(uri)) return undefined;
  const url = new URL(uri);
  if (url.protocol !== "http:" && url.protocol !== "https:") return { kind: "app", scheme: url.protocol };
  const loopback = url.hostname === "localhost" || url.hostname === "[::1]" ||
    /^127\.\d+\.\d+\.\d+$/.test(url.hostname);
  return { kind: "web", host: url.host, loopback };
}

/** "The answer will go to …": the host as browsers normalise it. */
export function GoesTo({ uri }: { readonly uri: string }): VNode {
  const destination = readDestination(uri);
  if (!destination) return <>{words.destination.web(<Uri uri={uri} />)}</>;
  if (destination.kind === "app") {
    return <>{words.destination.app(<strong class="host">{destination.scheme}</strong>)}</>;
  }
  const sentence = destination.loopback ? words.destination.here : words.destination.web;
  return <>{sentence(<strong class="host">{destination.host}</strong>)}</>;
}

/** The whole URI as it is, with the part that decides where it leads emphasised in place. */
export function Uri({ uri, id }: { readonly uri: string; readonly id?: string | undefined }): VNode {
  const [before, deciding, after] = splitUri(uri);
  return (
    <code class="value" id={id}>
      {before}
      {deciding && <strong class="host">{deciding}</strong>}
      {after}
    </code>
  );
}

/** Splits only where the spelling and the browser agree; `user@` in front of a host is not the host. */
function splitUri(uri: string): readonly [before: string, deciding: string, after: string] {
  const destination = readDestination(uri);
  if (destination?.kind === "app") {
    const { length } = destination.scheme;
    if (uri.slice(0, length).toLowerCase() === destination.scheme) {
      return ["", uri.slice(0, length), uri.slice(length)];
    }
  }
  if (destination?.kind === "web") {
    const [, before = "", host = ""] = /^(https?:\/\/(?:[^/?#\\]*@)?)([^/?#\\@]+)/i.exec(uri) ?? [];
    if (host.toLowerCase() === destination.host) {
      return [before, host, uri.slice(before.length + host.length)];
    }
  }
  return [uri, "", ""];
}
