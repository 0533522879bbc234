/**
 * The pages of the dashboard. A page is loaded when a person opens it first. The name of its link is declared in
 * `frame/frame_props.ts`, and the text in `frame/frame_english.ts`.
 */

import type { AnswerPage, PageName } from "./page.ts";

const loaders: Readonly<Record<PageName, () => Promise<AnswerPage>>> = {
  playground: async () => (await import("./playground/playground.ts")).answerPlayground,
  inspector: async () => (await import("./inspector/inspector.ts")).answerInspector,
  people: async () => (await import("./directory/people.ts")).answerPeople,
  clients: async () => (await import("./directory/clients.ts")).answerClients,
  misbehaviours: async () => (await import("./misbehaviours/misbehaviours.ts")).createMisbehaviours(),
  search: async () => (await import("./search/search.ts")).answerSearch,
  session: async () => (await import("./session/answer_session.ts")).answerSession,
};

/** The pages that the frame links to, in its order. */
export const framedPages = ["playground", "inspector", "people", "clients", "misbehaviours"] as const;

/** Returns the function that loads a page. */
export function findPage(name: string): (() => Promise<AnswerPage>) | undefined {
  return Object.hasOwn(loaders, name) ? loaders[name as PageName] : undefined;
}
