/** What the pages of one server know about it, and the frame that its dashboard puts around them. */

import type { Pages, SentRequest, ShownRefusal } from "../oauth/contracts/pages.ts";

/** A Preact node. Its own type would bring the types of a browser to the declarations of the test kit. */
export type DrawnPart = object;

export type CreatePages = (options: LazyPagesOptions) => Pages;

export interface PagesOptions {
  readonly assetUrl: (name: string) => string;
  /** Returns the names of the misbehaviours that are on, which every page shows. */
  readonly misbehaviours?: () => readonly string[];
  /** Returns the titles of the providers that the server looks like, which every page shows. */
  readonly lookAlikes?: () => readonly string[];
  /** Returns the frame of the pages that are not part of a sign-in, if the server has a dashboard. */
  readonly frame?: () => Frame | undefined;
}

/** The same options, for pages that are loaded when the first one is shown. The frame is loaded with them. */
export interface LazyPagesOptions extends Omit<PagesOptions, "frame"> {
  readonly frame?: () => Promise<Frame> | undefined;
}

/** What surrounds a page that is not part of a sign-in. The dashboard draws it, and the page only has places for it. */
export interface Frame {
  /** The name that the operator gave this instance. */
  readonly label?: string;
  readonly styles: readonly StyleFile[];
  /** Draws the line beside the mark: links to the other pages. `here` is the name of the link to this page. */
  readonly bar: (here: string | undefined) => DrawnPart;
  /** The scripts of the pages that have a place among the links: they are the only ones on which keys act. */
  readonly scripts: readonly ScriptFile[];
  /** Draws the button of such a page that shows the list of the keys. */
  readonly keys: () => DrawnPart;
  /** Draws what is unusual about the server, if anything is. */
  readonly conditions: () => DrawnPart | null;
  /** The command that prints the settings for a library, with the flags of the server. Absent: it has no flags. */
  readonly printCommand?: (library: string) => string;
  /** The addresses of the pages to which pages of the server lead on. */
  readonly urls: Readonly<Record<"playground" | "inspector" | "people" | "clients", string>> & {
    client(id: string): string;
    person(username: string): string;
  };
  /** The page that adds a person and leads back to `next`, if its visitor may and no other machine can reach the server. */
  readonly addPersonUrl?: (next: string | undefined) => string;
  /** The name of the file of `--people`, which holds the people and their passwords. */
  readonly peopleFile?: string;
  /** What the front page shows of a server that no other machine can reach. */
  readonly front?: FrontParts;
  /** The page of the inspector about an exchange, if its visitors may see it and the journal has the exchange. */
  readonly entryUrl: (exchangeId: string) => string | undefined;
  /** Likewise for the exchange that the page answers: the journal has it as soon as the page is sent. */
  readonly ownEntryUrl: (exchangeId: string) => string | undefined;
  /** Likewise for the exchange whose answer redirected to this path and query, otherwise for the exchange itself. */
  readonly findCause: (own: { readonly address: string; readonly entryId: string }) => Cause | undefined;
  /** Returns the address of the playground with this request, if its visitors may see it, and the request has no secret. */
  readonly correctUrl: (sent: SentRequest) => string | undefined;
}

/** The exchange that led to a page, and why the server refused it. */
export interface Cause {
  readonly href: string;
  readonly refusal?: ShownRefusal;
}

/** What only the front page shows, as a visitor without the key may see it. */
export interface FrontParts {
  readonly styles: readonly StyleFile[];
  readonly scripts: readonly ScriptFile[];
  /** Draws a program or settings for a client library. The address of the page names the chosen one. */
  readonly snippets: (chosen: string | undefined) => DrawnPart | null;
  /** Draws the latest requests, if the server has answered one. */
  readonly recent: () => DrawnPart | null;
  /** Returns what draws a link to the newest token of a person, if the journal has one. */
  readonly tokenLinks: () => (username: string) => DrawnPart;
  /** Draws what is on, also if nothing is. */
  readonly state: () => DrawnPart;
}

export type StyleFile = `${string}.css`;
export type ScriptFile = `${string}.js`;
